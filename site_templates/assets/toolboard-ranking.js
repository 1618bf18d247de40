// The ranking, and rows to compare. The address keeps what the reader has chosen.
(() => {
  const { el, number, percentage, saveTable, wordsOf } = window.toolboard;
  // The first cells of every row.
  const [RANK, NAME, SCORE, INTERVAL, FIXED] = [0, 1, 2, 3, 4];
  const PAGE = 50; // rows at a time of a ranking in pages

  // ---------- rows ----------

  const linkOf = row => row.cells[NAME].querySelector("a");
  const idOf = row => linkOf(row).href.replace(/^.*\/|\.html$/g, "");
  const textOf = (node, css) => node.querySelector(css)?.textContent.trim() ?? "";
  const isBaseline = row => row.classList.contains("k-baseline");

  const shownIn = (row, column) => {
    const cell = row.cells[column];
    if (column === SCORE) return textOf(cell, "b");
    return column === NAME ? linkOf(row).title || linkOf(row).textContent.trim() : cell.textContent.trim();
  };

  // What a cell is ordered by: a number, or the text in lower case. Unknown: null.
  const orderIn = (row, column) => {
    const text = shownIn(row, column);
    return column === NAME ? text.toLowerCase() : orderOf(text);
  };
  const orderOf = text => {
    if (text === "—" || text === "") return null;
    const plain = text.replace(/,(?=\d)/g, "").replace(/^<1/, "0.5").replace(/^>99/, "99.5");
    const isNumber = /^[\d.]+(e-?\d+)?(\s?%)?$|^\d+–\d+$/.test(plain);
    return isNumber ? parseFloat(plain) : text.toLowerCase();
  };

  // A missing value, "—", is last in both directions.
  const inOrder = (rows, valueOf, falling) => {
    const turn = falling ? -1 : 1;
    const compared = (a, b) => {
      if (a === b) return 0;
      if (a === null || b === null) return a === null ? 1 : -1;
      return a < b ? -turn : turn;
    };
    const keyed = rows.map(row => [valueOf(row), row]);
    return keyed.sort(([a], [b]) => compared(a, b)).map(([, row]) => row);
  };

  // ---------- rows from data, see `_packed` in data/ranking_rows.py ----------

  // `model` is a row of the page, which has the same columns.
  const makeRow = (model, root, data) => {
    const [, [kind, weights, framework, isPart], rank, name, score, mark, cells, test] = data;
    const row = model.cloneNode(true);
    row.className = `k-${kind} w-${weights}${isPart ? " a-part" : ""}`;
    delete row.dataset.f;
    if (framework) row.dataset.f = framework;

    const linked = (inside, to) => {
      if (!to) return inside;
      const link = Object.assign(el("a", "", "q"), { href: root + to });
      link.append(inside);
      return link;
    };
    row.cells[RANK].replaceChildren(linked(rank, test));
    fillName(row.cells[NAME], root, name);
    fillScore(row.cells[SCORE], score, linked);
    fillInterval(row.cells[INTERVAL], mark);
    cells.forEach((cell, i) => fillCell(row.cells[FIXED + i], root, [cell].flat()));
    return row;
  };

  const fillName = (cell, root, [path, label, notes, unranked, title]) => {
    cell.querySelector("a").replaceWith(Object.assign(el("a", label), { href: root + path }, title && { title }));
    cell.querySelectorAll(".tick, .rem").forEach(node => node.remove());
    cell.querySelector(".sub").replaceChildren(...notes.flatMap(note => [el("span", note), " "]));
    if (unranked) cell.append(el("span", unranked, "rem"));
  };

  const fillScore = (cell, [text, bounds, remark, cases, corrected, correctedBounds, said], linked) => {
    cell.replaceChildren(linked(el("b", text), cases));
    if (bounds) cell.append(el("small", bounds));
    if (said !== undefined) {
      const small = Object.assign(el("small", `corrected ${corrected || "—"}`, "cor"), { title: said });
      if (correctedBounds) small.append(el("span", correctedBounds));
      cell.append(small);
    }
    if (remark) cell.append(el("small", remark, "rem"));
  };

  const fillInterval = (cell, mark) => {
    const whisker = cell.querySelector(".w"), dot = cell.querySelector("circle");
    if (mark && dot) {
      const [low, high, at] = mark;
      whisker.setAttribute("x1", low);
      whisker.setAttribute("x2", high);
      dot.setAttribute("cx", at);
    } else {
      whisker?.remove();
      dot?.remove();
    }
  };

  const fillCell = (cell, root, [text, path, isBest, missing, value, judged]) => {
    let inside = text;
    if (path) inside = Object.assign(el("a", text, missing ? "q pt" : "q"), { href: root + path });
    else if (text === "—") inside = el("span", text, "dash");
    if (missing || judged) inside.title = [missing, judged].filter(Boolean).join(". ");
    cell.classList.toggle("best", Boolean(isBest));
    delete cell.dataset.v;
    if (value) cell.dataset.v = value;
    cell.replaceChildren(inside);
  };

  // ---------- the address ----------

  const openAddress = () => {
    const state = new URLSearchParams(location.search);
    return {
      has: name => state.has(name),
      get: name => state.get(name) ?? "",
      // Nothing is kept of a value that is as it was.
      set(name, value) {
        if (value === null || value === "") state.delete(name);
        else state.set(name, value);
      },
      write() {
        const query = state.toString();
        history.replaceState(null, "", location.pathname + (query && `?${query}`) + location.hash);
      },
      isShown: () => state.toString() === new URLSearchParams(location.search).toString(),
    };
  };

  // ---------- the reader's own weights ----------

  const ownWeights = (fold, heads, address) => {
    const inputs = fold ? [...fold.querySelectorAll("[data-w]")] : [];
    const columns = inputs.map(input => heads.findIndex((head, i) => i >= FIXED && head.dataset.k === input.dataset.w));
    const weightOf = input => Number(input.value) || 0;
    const raise = input => { if (input.value < 0) input.value = 0; };
    const isChanged = input => weightOf(input) !== Number(input.defaultValue);
    const own = () => inputs.some(isChanged), isZero = () => !inputs.some(weightOf);

    // The mean of the columns. Null where a column that counts has no score.
    const meanOf = row => {
      let sum = 0, total = 0;
      for (const [i, input] of inputs.entries()) {
        const weight = weightOf(input), score = row.cells[columns[i]].dataset.v;
        if (!weight) continue;
        if (score === undefined) return null;
        sum += weight * score;
        total += weight;
      }
      return total ? sum / total : null;
    };

    const declared = new Map(); // what rows showed under the declared weights
    const write = row => {
      const rank = row.cells[RANK], score = row.cells[SCORE].querySelector("b");
      const dot = row.cells[INTERVAL].querySelector("circle, svg svg"), at = dot?.localName === "circle" ? "cx" : "x";
      const put = (rankNodes, scoreText, place) => {
        rank.replaceChildren(...rankNodes);
        score.textContent = scoreText;
        dot?.setAttribute(at, place);
        dot?.toggleAttribute("hidden", scoreText === "—");
      };
      if (own()) {
        if (!declared.has(row)) declared.set(row, [[...rank.childNodes], score.textContent, dot?.getAttribute(at)]);
        const mean = meanOf(row);
        put([], percentage(mean ?? NaN), `${100 * mean}%`);
      } else if (declared.has(row)) {
        put(...declared.get(row));
        declared.delete(row);
      }
    };

    const nameOf = input => `w.${input.dataset.w}`;
    return {
      own, isZero, meanOf, write,
      inWords: () => inputs.map(input => `${input.dataset.w}=${weightOf(input)}`).join(" "),
      keep() { for (const input of inputs) address.set(nameOf(input), isChanged(input) ? weightOf(input) : null); },
      start(changed) {
        for (const input of inputs) input.value = address.get(nameOf(input)) || input.defaultValue;
        inputs.forEach(raise);
        if (!fold) return;
        fold.oninput = event => raise(event.target);
        fold.hidden = false;
        document.getElementById("declared").onclick = () => {
          for (const input of inputs) input.value = input.defaultValue;
          changed();
        };
      },
    };
  };

  // ---------- search and facets ----------

  const filters = (form, address) => {
    const search = form?.elements.q, framework = form?.elements.f;
    const boxes = form ? [...form.querySelectorAll("input[type=checkbox][id]")] : [];
    const facets = boxes.filter(box => box.id.startsWith("f-"));
    const names = new WeakMap();
    const nameOf = row => {
      if (!names.has(row)) names.set(row, row.cells[NAME].textContent.toLowerCase());
      return names.get(row);
    };

    // Whether a row fits what the form says now. Facets leave baselines alone.
    const fitting = () => {
      const words = wordsOf(search?.value ?? ""), made = framework?.value;
      const on = new Set(facets.filter(box => box.checked).map(box => box.id.slice("f-".length)));
      const kinds = ["model", "agent"].filter(kind => on.has(kind));
      const isOfKind = row => !kinds.length || kinds.some(kind => row.classList.contains(`k-${kind}`));
      const isLeftOut = row => on.has("open") && row.classList.contains("w-closed")
        || on.has("whole") && row.classList.contains("a-part");
      const fitsFacets = row => isOfKind(row) && !isLeftOut(row) && (!made || row.dataset.f === made);
      return row => words.every(word => nameOf(row).includes(word)) && (isBaseline(row) || fitsFacets(row));
    };

    return {
      fitting,
      words: () => search?.value.trim() ?? "",
      isUsed: () => Boolean(search?.value.trim() || framework?.value || facets.some(box => box.checked)),
      // The address keeps the choice until all rows are loaded.
      offerFrameworks(rows) {
        if (!framework) return;
        const chosen = framework.value || address.get("f");
        const made = new Set(rows.map(row => row.dataset.f).filter(Boolean));
        framework.replaceChildren(framework.options[0], ...[...made].sort().map(name => new Option(name, name)));
        framework.value = chosen;
      },
      keep(allLoaded) {
        address.set("q", search.value.trim());
        if (framework) address.set("f", framework.value || (allLoaded ? "" : address.get("f")));
        for (const box of boxes) {
          const isChanged = box.checked !== box.defaultChecked;
          address.set(box.id, isChanged ? String(Number(box.checked)) : null);
        }
      },
      start(changed) {
        if (!form) return;
        search.parentElement.hidden = false;
        if (framework) framework.parentElement.hidden = false;
        search.value = address.get("q");
        for (const box of boxes) box.checked = address.has(box.id) ? address.get(box.id) === "1" : box.defaultChecked;
        form.onsubmit = event => event.preventDefault();
        form.addEventListener("input", changed);
      },
    };
  };

  // Submissions that have not taken the suite are names in a fold, which a search opens.
  const absentNames = () => {
    const fold = document.getElementById("absent");
    if (!fold) return () => "";
    const lines = [...fold.querySelectorAll("li")];
    let before = "";
    return search => {
      const words = wordsOf(search), left = lines.filter(line => words.every(word => line.textContent.toLowerCase().includes(word)));
      for (const line of lines) line.hidden = !left.includes(line);
      fold.hidden = !left.length;
      if (search !== before) fold.open = Boolean(search && left.length);
      before = search;
      if (!search || !left.length) return "";
      return ` ${number(left.length)} match${left.length === 1 ? " has" : "es have"} not taken ${fold.dataset.what} (below).`;
    };
  };

  // ---------- the axis from the lowest to the highest interval ----------

  const zoomedAxis = (table, address) => {
    const box = document.querySelector("#zoom input"), axis = table.tHead.querySelector("th.iv > svg");
    const labels = axis && [...axis.querySelectorAll(".ax-t")], flags = axis && [...axis.children].filter(part => !labels.includes(part));
    const range = () => {
      const whiskers = [...table.querySelectorAll("tbody.rows:not(.base) td.iv .w")];
      if (!box.checked || !whiskers.length) return [0, 100];
      const ends = whiskers.flatMap(line => [parseFloat(line.getAttribute("x1")), parseFloat(line.getAttribute("x2"))]);
      return [Math.max(0, Math.floor(Math.min(...ends) - 1)), Math.min(100, Math.ceil(Math.max(...ends) + 1))];
    };
    const stretch = () => {
      const [low, high] = range();
      table.classList.toggle("zoomed", box.checked);
      table.style.setProperty("--low", low / 100);
      table.style.setProperty("--scale", 100 / (high - low));
      labels.forEach((label, i) => {
        const value = low + (high - low) * i / (labels.length - 1);
        label.textContent = Math.round(10 * value) / 10;
      });
      for (const flag of flags) flag.toggleAttribute("hidden", box.checked);
      address.set("zoom", box.checked ? "1" : null);
      address.write();
    };
    if (box && axis) {
      box.parentElement.hidden = false;
      box.checked = address.has("zoom");
      box.onchange = stretch;
    }
    return { follow: () => { if (box?.checked) stretch(); } };
  };

  // ---------- two ticked rows lead to their comparison ----------

  const comparedRows = table => {
    const bar = document.getElementById("ticked");
    let ticked = [];
    const offer = row => {
      if (!bar || row.querySelector(".tick")) return;
      const box = Object.assign(el("input", ""), { type: "checkbox", ariaLabel: `compare ${linkOf(row).textContent}` });
      const label = el("label", "", "tick");
      label.append(box, "compare");
      row.querySelector(".sub").append(label);
    };
    table.addEventListener("change", ({ target: box }) => {
      if (!box.closest(".tick")) return;
      const row = box.closest("tr"), dropped = box.checked && ticked.length === 2 ? ticked[0] : null;
      ticked = box.checked ? [...ticked, row].slice(-2) : ticked.filter(other => other !== row);
      for (const other of table.querySelectorAll(".tick input")) other.checked = ticked.includes(other.closest("tr"));
      const [a, b] = ticked.map(idOf), names = ticked.map(one => linkOf(one).textContent);
      const link = Object.assign(el("a", "Compare "), { href: `${table.dataset.compare}&a=${a}&b=${b}` });
      link.append(el("bdi", names[0]), " and ", el("bdi", names[1]));
      bar.replaceChildren(ticked.length === 2 ? link : `Tick one more row to compare it with ${names[0]}.`);
      if (dropped) bar.append(". ", el("bdi", linkOf(dropped).textContent), " is no longer ticked.");
      bar.hidden = !ticked.length;
    });
    return { offer };
  };

  // ---------- the order: heads with buttons, and a list of choices for phones ----------

  const ordering = (heads, address) => {
    const choice = document.getElementById("sort");
    const known = address.get("sort"), found = heads.findIndex(head => head.dataset.k && head.dataset.k === known.replace(/^-/, ""));
    let column = found < 0 ? null : found, falling = known.startsWith("-");
    const isFalling = () => column === null || falling;

    const mark = () => {
      const head = heads[column ?? SCORE], down = isFalling();
      if (choice) choice.value = (down ? "-" : "") + head.dataset.k;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    };
    const start = changed => {
      const choose = (next, down) => {
        column = next;
        falling = down;
        address.set("sort", (down ? "-" : "") + heads[next].dataset.k);
        address.write();
        mark();
        changed();
      };
      heads.forEach((head, i) => { if (!head.classList.contains("iv")) addButton(head, down => choose(i, down)); });
      if (choice) {
        choice.append(...heads.filter(head => head.dataset.k).flatMap(bothDirections));
        choice.parentElement.hidden = false;
        choice.onchange = () => {
          const key = choice.value.replace(/^-/, "");
          choose(heads.findIndex(head => head.dataset.k === key), choice.value.startsWith("-"));
        };
      }
      mark();
    };
    return { column: () => column, isFalling, start };
  };

  const addButton = (head, choose) => {
    const button = Object.assign(el("button", ""), { type: "button" });
    const label = [...head.childNodes].filter(node => node.className !== "n0");
    head.prepend(button);
    button.append(...label);
    button.onclick = () => {
      const now = head.getAttribute("aria-sort");
      choose(now ? now === "ascending" : !("rising" in head.dataset));
    };
  };

  const bothDirections = head => {
    const name = head.querySelector("button").textContent, key = head.dataset.k;
    const falling = new Option(`${name}, descending`, `-${key}`), rising = new Option(`${name}, ascending`, key);
    return "rising" in head.dataset ? [rising, falling] : [falling, rising];
  };

  // ---------- the table ----------

  const start = table => {
    const form = document.getElementById("controls"), more = document.querySelector("#more button");
    const csv = document.getElementById("csv"), said = document.getElementById("shown");
    const heads = [...[...table.tHead.rows].at(-1).cells];
    const bodies = [...table.tBodies].filter(body => body.classList.contains("rows"));
    const isTitle = row => row.classList.contains("part");
    const titles = new Map(bodies.map(body => [body, [...body.rows].filter(isTitle)]));
    const ofPage = new Map(bodies.map(body => [body, [...body.rows].filter(row => !isTitle(row))]));
    // A ranking in pages has all rows in a file, read when needed.
    const { rows: file, root } = table.dataset;
    let ofFile = null, isAsked = false, isSaving = false;

    const address = openAddress();
    let limit = Math.max(PAGE, address.get("rows") | 0);
    const weights = ownWeights(document.getElementById("own"), heads, address), filter = filters(form, address);
    const order = ordering(heads, address), axis = zoomedAxis(table, address);
    const absent = absentNames(), compared = comparedRows(table);

    const everyRow = () => ofFile ?? ofPage;
    const inWantedOrder = rows => {
      const column = order.column() ?? (weights.own() ? SCORE : null);
      if (column === null) return rows;
      const byWeights = column === SCORE && weights.own();
      return inOrder(rows, byWeights ? weights.meanOf : row => orderIn(row, column), order.isFalling());
    };

    const show = () => {
      const isNarrowed = weights.own() || order.column() !== null || filter.isUsed();
      if (file && isNarrowed && !ofFile) return load();
      const lists = isNarrowed ? everyRow() : ofPage, fits = filter.fitting();
      let room = file ? limit : Infinity, found = 0, all = 0, here = 0;
      table.classList.toggle("own", weights.own());
      document.getElementById("owned")?.toggleAttribute("hidden", !weights.own());
      table.classList.toggle("zero", weights.isZero());
      for (const body of bodies) {
        const rows = lists.get(body);
        rows.forEach(weights.write);
        rows.forEach(compared.offer);
        const fitting = inWantedOrder(rows).filter(fits);
        const isBase = body.classList.contains("base"), part = isBase ? fitting : fitting.slice(0, room);
        if (!isBase) room -= part.length;
        fill(body, part);
        const hasTitle = titles.get(body).length > 0;
        body.hidden = hasTitle && !part.length && (rows.length > 0 || Boolean(file));
        all += rows.length;
        found += fitting.length;
        here += part.length;
      }
      say(found, all, here, absent(filter.words()));
      document.getElementById("more")?.toggleAttribute("hidden", here >= found);
      document.getElementById("pages")?.toggleAttribute("hidden", isNarrowed);
      filterCharts(isNarrowed ? bodies.flatMap(body => lists.get(body).filter(fits)) : null);
      axis.follow();
    };

    const fill = (body, rows) => {
      const next = [...titles.get(body), ...rows];
      const isSame = next.length === body.rows.length && next.every((row, i) => row === body.rows[i]);
      if (!isSame) body.replaceChildren(...next);
    };

    const say = (found, all, here, names) => {
      if (!said) return;
      let text = number(found) + (found < all ? ` of ${number(all)} rows` : " rows") + (here < found ? `, ${here} shown.` : ".") + names;
      if (here === all && !names) text = "";
      else if (!found) text = `No row matches.${names || " Change the search or the filters."}`;
      said.textContent = text;
    };

    // Charts show the same submissions: those of `rows`, or all of them.
    const filterCharts = rows => {
      const shown = rows && new Set(rows.map(row => linkOf(row).href));
      for (const mark of document.querySelectorAll(".dot")) {
        const href = mark.href.baseVal && new URL(mark.href.baseVal, location).href;
        mark.classList.toggle("out", Boolean(shown) && !shown.has(href));
      }
    };

    const load = () => {
      if (isAsked) return;
      isAsked = true;
      window.toolboardRows = data => {
        const rows = [...ofPage.values()].flat(), model = rows.find(row => row.querySelector("td.iv circle")) ?? rows[0];
        const made = isRanked => data.filter(one => Boolean(one[0]) === isRanked).map(one => makeRow(model, root, one));
        const [ranked, unranked] = bodies.filter(body => !body.classList.contains("base"));
        ofFile = new Map(ofPage).set(ranked, made(true));
        if (unranked) ofFile.set(unranked, made(false));
        filter.offerFrameworks([...ofFile.values()].flat());
        show();
        if (isSaving) save();
      };
      document.head.append(Object.assign(el("script", ""), { src: file }));
    };

    // All rows that fit, also of other pages.
    const save = () => {
      isSaving = Boolean(file) && !ofFile;
      if (isSaving) return load();
      const fits = filter.fitting(), isOwn = weights.own();
      const rows = bodies.flatMap(body => inWantedOrder(everyRow().get(body)).filter(fits)).map(row => {
        const [low, high = ""] = isOwn ? [""] : textOf(row.cells[SCORE], "small:not(.cor, .rem)").split("–");
        const notes = [...row.cells[NAME].querySelectorAll(".sub > span")].map(note => note.textContent).join(", ");
        const others = heads.slice(FIXED).map((_, i) => shownIn(row, FIXED + i));
        return [shownIn(row, RANK), idOf(row), shownIn(row, NAME), notes, shownIn(row, SCORE), low, high, ...others, ...isOwn ? [weights.inWords()] : []];
      });
      const head = ["rank", "submission", "name", "notes", "score", "low", "high", ...heads.slice(FIXED).map(one => one.dataset.k)];
      if (isOwn) head.push("own_weights");
      saveTable("ranking.csv", [head, ...rows.map(row => row.map(text => text === "—" ? "" : text))]);
    };

    const changed = () => {
      filter.keep(ofFile || !file);
      weights.keep();
      limit = PAGE;
      address.set("rows", null);
      address.write();
      show();
    };
    weights.start(changed);
    filter.start(changed);
    filter.offerFrameworks([...ofPage.values()].flat());
    order.start(show);
    if (csv) {
      csv.hidden = false;
      csv.onclick = save;
    }
    if (more) more.onclick = () => {
      limit += PAGE;
      address.set("rows", limit);
      address.write();
      show();
    };
    // Back and Forward between places on this page with other filters.
    addEventListener("popstate", () => { if (!address.isShown()) location.reload(); });
    show();
  };

  addEventListener("DOMContentLoaded", () => {
    const table = document.getElementById("board");
    if (!table) return;
    start(table);
    // A table too wide for the page scrolls in its box.
    const box = table.parentElement;
    const fit = () => box.classList.toggle("wide", table.offsetWidth > box.clientWidth);
    new ResizeObserver(fit).observe(table);
    addEventListener("resize", fit);
  });
})();

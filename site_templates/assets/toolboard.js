// Toolboard: the theme; order, search, facets and weights of a ranking, in the address. Every page is complete without it.
(() => {
  const root = document.documentElement;
  const store = { get: k => { try { return localStorage.getItem(k); } catch { return null; } }, set: (k, v) => { try { localStorage.setItem(k, v); } catch { /* private window */ } } };
  const saved = store.get("theme");
  if (saved) root.dataset.theme = saved;

  addEventListener("DOMContentLoaded", () => {
    const toggle = document.querySelector(".theme");
    const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    if (toggle) {
      const name = () => { toggle.textContent = dark() ? "Light" : "Dark"; toggle.setAttribute("aria-label", `Switch to ${dark() ? "light" : "dark"} colours`); };
      toggle.hidden = false;
      name();
      toggle.onclick = () => { root.dataset.theme = dark() ? "light" : "dark"; store.set("theme", root.dataset.theme); name(); };
    }

    const table = document.getElementById("board");
    if (table) board(table);
    const filter = document.getElementById("filter");
    if (filter) answers(filter);
    // a link to an answer opens the folds around it
    const open = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    };
    addEventListener("hashchange", open);
    open();
  });

  const el = (tag, text, name) => Object.assign(document.createElement(tag), { textContent: text }, name && { className: name });

  // what is shown, as a file: one list of texts for each row. Spreadsheets run what begins like a formula, so a quote comes before it.
  const save = (name, rows) => {
    const field = text => `"${(/^[=+\-@\t\r]/.test(text) && isNaN(text) ? "'" : "") + text.replaceAll('"', '""')}"`;
    const url = URL.createObjectURL(new Blob([rows.map(row => row.map(field).join(",") + "\r\n").join("")], { type: "text/csv" }));
    Object.assign(el("a", ""), { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url));
  };

  // ---------- the list of a submission's answers: suite/category/verdict/decider in the address ----------
  const answers = form => {
    const list = document.getElementById("answers"), { q, place, verdict, by } = form.elements;
    const groups = [...list.querySelectorAll(".same")], parts = [...list.querySelectorAll(".in-cat")];
    const read = () => {
      const [, suite = "", category = "", reason = "", decider = ""] = decodeURIComponent(location.hash.slice(1)).split("/");
      place.value = suite && `in/${suite}/${category}`;
      verdict.value = reason;
      by.value = decider;
      for (const select of [place, verdict, by]) select.value ||= "";
    };
    const show = () => {
      const words = q.value.toLowerCase().split(/\s+/).filter(Boolean);
      let found = 0, all = 0;
      for (const part of parts) {
        const here = place.value === part.dataset.p || (place.value.endsWith("/") || !place.value) && part.dataset.p.startsWith(place.value);
        let any = false;
        for (const group of part.querySelectorAll(".same")) {
          const fits = here && (!verdict.value || group.dataset.v.split(" ").includes(verdict.value)) && (!by.value || group.dataset.by === by.value);
          const lines = [...group.querySelectorAll("li")], left = fits ? lines.filter(li => words.every(w => li.textContent.toLowerCase().includes(w))) : [];
          if (words.length || lines.some(li => li.hidden)) lines.forEach(li => { li.hidden = !left.includes(li); });
          group.hidden = !left.length;
          any ||= left.length > 0;
          found += left.length;
          all += lines.length;
        }
        part.hidden = !any;
      }
      for (const section of list.children) section.hidden = !section.querySelector(".in-cat:not([hidden])");
      document.getElementById("found").textContent = found ? `${found.toLocaleString("en")} of ${all.toLocaleString("en")} answers` : "No answer matches. Change the search or the filters.";
    };
    document.getElementById("csv").onclick = () => save("answers.csv", [
      ["place", "case", "question", "outcome", "reason", "decided_by", "address"],
      ...groups.filter(g => !g.hidden).flatMap(g => [...g.querySelectorAll("li:not([hidden])")].filter(li => !li.closest(".in-cat").hidden).map(li => {
        const link = li.querySelector("a"), [outcome, why] = g.dataset.v.split(" ");
        return [li.closest(".in-cat").dataset.p.slice(3), link.textContent, li.textContent.slice(link.textContent.length).trim(), outcome, why, g.dataset.by, link.href];
      })),
    ]);
    form.hidden = false;
    list.classList.add("on");
    form.onsubmit = e => e.preventDefault();
    form.addEventListener("input", e => {
      if (e.target !== q) {
        const [, suite = "", category = ""] = place.value.split("/");
        const address = ["in", suite, category, verdict.value, by.value].join("/").replace(/\/+$/, "");
        history.replaceState(null, "", `#${address}`);
      }
      show();
    });
    addEventListener("hashchange", () => { read(); show(); });
    read();
    show();
  };

  // ---------- the ranking: order, search, facets, columns and weights, all of them in the address ----------
  const board = table => {
    const form = document.getElementById("controls");
    const FIXED = 4; // rank, name, score, interval: every other column is described by its head
    const heads = [...[...table.tHead.rows].at(-1).cells];
    const bodies = [...table.tBodies].filter(b => b.classList.contains("rows"));
    const titles = new Map(bodies.map(b => [b, [...b.rows].filter(r => r.classList.contains("part"))]));
    const mine = new Map(bodies.map(b => [b, [...b.rows].filter(r => !r.classList.contains("part"))]));
    const state = new URLSearchParams(location.search);
    const { rows: shard, root } = table.dataset;
    const size = 100; // rows at a time of a ranking in pages
    let limit = size, every = null, asked = false, by = null, down = false;

    const find = form?.elements.q;
    const boxes = form ? [...form.querySelectorAll("input[type=checkbox][id]")] : [];
    const own = document.getElementById("own");
    const weights = own ? [...own.querySelectorAll("[data-w]")] : [];
    const framework = form?.elements.f;
    const weight = w => Math.max(0, Number(w.value) || 0);
    const places = weights.map(w => heads.findIndex((h, i) => i >= FIXED && h.dataset.k === w.dataset.w));
    const owned = () => weights.some(w => weight(w) !== Number(w.defaultValue));

    const key = (row, i) => {
      if (i === 2 && owned()) return weighed(row);
      const text = (i === 2 ? row.cells[2].querySelector("b") : i === 1 ? row.cells[1].querySelector("a") : row.cells[i]).textContent.trim();
      const plain = text.replace(/,(?=\d)/g, "").replace(/^<1/, "0.5").replace(/^>99/, "99.5");
      return text === "—" || text === "" ? null : /^[\d.]+(e-?\d+)?(\s?%)?$|^\d+–\d+$/.test(plain) ? parseFloat(plain) : text.toLowerCase();
    };
    const names = new WeakMap();
    const name = row => {
      if (!names.has(row)) names.set(row, row.cells[1].textContent.toLowerCase());
      return names.get(row);
    };

    // the mean of the columns by the reader's weights; none where a column that counts has no score
    const weighed = row => {
      let sum = 0, total = 0;
      for (const [i, w] of weights.entries()) {
        const value = row.cells[places[i]].dataset.v, n = weight(w);
        if (!n) continue;
        if (value === undefined) return null;
        sum += n * value;
        total += n;
      }
      return total ? sum / total : null;
    };
    // under a reader's own weights, what belongs to the declared ones is kept to be written again
    const declared = new Map();
    const write = row => {
      const rank = row.cells[0].querySelector("a") ?? row.cells[0], number = row.cells[2].querySelector("b"), dot = row.cells[3].querySelector("circle, svg svg"), x = dot?.localName === "circle" ? "cx" : "x";
      const put = (place, text, score) => { rank.textContent = place; number.textContent = text; dot?.setAttribute(x, score); };
      if (owned()) {
        if (!declared.has(row)) declared.set(row, [rank.textContent, number.textContent, dot?.getAttribute(x)]);
        const value = weighed(row);
        put("", value === null ? "—" : (100 * value).toFixed(1), `${100 * value}%`);
      } else if (declared.has(row)) {
        put(...declared.get(row));
        declared.delete(row);
      }
    };

    // a missing value goes last in both directions: "—" is never best and never worst
    const sorted = list => {
      const i = by ?? (owned() ? 2 : null), turned = by === null || down;
      if (i === null) return list;
      const keyed = list.map(r => [key(r, i), r]);
      keyed.sort(([a], [b]) => a === b ? 0 : a === null ? 1 : b === null ? -1 : (a < b ? -1 : 1) * (turned ? -1 : 1));
      return keyed.map(k => k[1]);
    };

    const wanted = () => {
      const words = (find?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
      const on = boxes.filter(b => b.checked).map(b => b.id);
      const kinds = ["model", "agent"].filter(k => on.includes("f-" + k)).map(k => "k-" + k);
      const open = on.includes("f-open"), whole = on.includes("f-whole"), made = framework?.value;
      return row => words.every(w => name(row).includes(w)) && (row.classList.contains("k-baseline") || (
        (!kinds.length || kinds.some(k => row.classList.contains(k))) && !(open && row.classList.contains("w-closed")) && !(whole && row.classList.contains("a-part")) && (!made || row.dataset.f === made)));
    };

    // those that have not taken the suite are names in a fold: a search opens it at what it finds
    const absent = document.getElementById("absent");
    let sought = "";
    const among = () => {
      const q = (find?.value ?? "").trim().toLowerCase(), words = q.split(/\s+/);
      const names = [...absent?.querySelectorAll("li") ?? []], left = names.filter(li => words.every(w => li.textContent.toLowerCase().includes(w)));
      names.forEach(li => { li.hidden = !left.includes(li); });
      if (absent) absent.hidden = !left.length;
      if (absent && q !== sought) absent.open = Boolean(q && left.length);
      sought = q;
      return q ? left.length : 0;
    };

    const show = () => {
      const as = owned(), fits = wanted();
      const narrowed = as || by !== null || boxes.some(b => b.id.startsWith("f-") && b.checked) || framework?.value || find?.value.trim();
      if (shard && narrowed && !every) return load();
      const lists = narrowed && every ? every : mine;
      let left = shard ? limit : Infinity, found = 0, all = 0, here = 0;
      table.classList.toggle("own", as);
      document.getElementById("owned")?.toggleAttribute("hidden", !as);
      for (const body of bodies) {
        const list = lists.get(body);
        list.forEach(write);
        list.forEach(tick);
        const fit = sorted(list).filter(fits), part = body.classList.contains("base") ? fit : fit.slice(0, left);
        if (part !== fit) left -= part.length;
        const next = [...titles.get(body), ...part];
        if (next.length !== body.rows.length || next.some((row, i) => row !== body.rows[i])) body.replaceChildren(...next);
        body.hidden = titles.get(body).length > 0 && !part.length && (list.length > 0 || Boolean(shard));
        all += list.length; found += fit.length; here += part.length;
      }
      const said = document.getElementById("shown"), others = among();
      if (said) said.textContent = (!found ? `No row matches${others ? "" : ". Change the search or the filters."}` : found < all ? `${found.toLocaleString("en")} of ${all.toLocaleString("en")} rows` : "") + (here < found ? `, ${here} shown` : "") + (others ? `; ${others.toLocaleString("en")} among those not taken, below` : "");
      document.getElementById("more")?.toggleAttribute("hidden", here >= found);
      document.getElementById("pages")?.toggleAttribute("hidden", Boolean(narrowed));
      // charts show the same submissions
      const drawn = new Set(bodies.flatMap(body => lists.get(body).filter(fits)).map(row => nameOf(row).href));
      for (const mark of document.querySelectorAll(".dot")) mark.classList.toggle("out", Boolean(narrowed) && !drawn.has(mark.href.baseVal && new URL(mark.href.baseVal, location).href));
      if (zoom?.checked) stretch();
    };

    // all rows that fit, also those that are not on the page
    const csv = document.getElementById("csv");
    let waiting = false;
    const download = () => {
      if (shard && !every) { waiting = true; return load(); }
      const fits = wanted(), part = (node, css) => node.querySelector(css)?.textContent.trim() ?? "";
      const rows = bodies.flatMap(body => sorted((every ?? mine).get(body)).filter(fits)).map(row => {
        const [low = "", high = ""] = part(row.cells[2], "small:not(.cor, .rem)").split("–"), link = nameOf(row);
        return [row.cells[0].textContent.trim(), link.href.replace(/^.*\/|\.html$/g, ""), link.textContent, [...row.cells[1].querySelectorAll(".sub > span")].map(s => s.textContent).join(", "), part(row.cells[2], "b"), low, high, ...[...row.cells].slice(FIXED).map(c => c.textContent.trim())];
      });
      const head = ["rank", "submission", "name", "notes", "score", "low", "high", ...heads.slice(FIXED).map(h => h.dataset.k)];
      save("ranking.csv", [head, ...rows.map(row => row.map(text => text === "—" ? "" : text))]);
    };
    if (csv) { csv.hidden = false; csv.onclick = download; }

    // the axis from the lowest to the highest interval
    const zoom = document.querySelector("#zoom input"), axis = table.tHead.querySelector("th.iv > svg");
    const ticks = axis && [...axis.querySelectorAll(".ax-t")], flags = axis && [...axis.children].filter(e => !ticks.includes(e));
    const stretch = () => {
      const on = zoom.checked, ends = on ? [...table.querySelectorAll("tbody.rows:not(.base) td.iv .w")].flatMap(l => [parseFloat(l.getAttribute("x1")), parseFloat(l.getAttribute("x2"))]) : [];
      const low = ends.length ? Math.max(0, Math.floor(Math.min(...ends) - 1)) : 0, high = ends.length ? Math.min(100, Math.ceil(Math.max(...ends) + 1)) : 100;
      table.classList.toggle("zoomed", on);
      table.style.setProperty("--low", low / 100);
      table.style.setProperty("--scale", 100 / (high - low));
      ticks.forEach((tick, i) => { tick.textContent = Math.round(10 * (low + (high - low) * i / (ticks.length - 1))) / 10; });
      flags.forEach(flag => flag.toggleAttribute("hidden", on));
      put("zoom", on ? "1" : null);
      keep();
    };
    if (zoom && axis) {
      zoom.parentElement.hidden = false;
      zoom.checked = state.has("zoom");
      zoom.onchange = stretch;
    }

    // two ticked rows lead to their comparison
    const bar = document.getElementById("ticked");
    let two = [];
    const nameOf = row => row.cells[1].querySelector("a");
    const tick = row => {
      if (!bar || row.querySelector(".tick")) return;
      const label = el("label", "", "tick"), box = Object.assign(el("input", ""), { type: "checkbox", ariaLabel: `compare ${nameOf(row).textContent}` });
      label.append(box, "compare");
      (row.cells[1].querySelector(".sub") ?? row.cells[1]).append(label);
    };
    table.addEventListener("change", ({ target: box }) => {
      if (!box.closest(".tick")) return;
      const row = box.closest("tr");
      two = box.checked ? [...two, row].slice(-2) : two.filter(r => r !== row);
      for (const other of table.querySelectorAll(".tick input")) other.checked = two.includes(other.closest("tr"));
      const [a, b] = two.map(r => nameOf(r).href.replace(/^.*\/|\.html$/g, "")), names = two.map(r => nameOf(r).textContent);
      const link = Object.assign(el("a", `Compare ${names.join(" and ")}`), { href: `${table.dataset.compare}&a=${a}&b=${b}` });
      bar.replaceChildren(two.length === 2 ? link : `Tick one more row to compare it with ${names[0]}.`);
      bar.hidden = !two.length;
    });

    // a ranking in pages has all its rows in a file of their own, read when they are first needed
    const load = () => {
      if (asked) return;
      asked = true;
      window.toolboardRows = data => {
        const old = [...mine.values()].flat(), model = old.find(r => r.querySelector("td.iv circle")) ?? old[0];
        const [complete, ...others] = bodies.filter(b => !b.classList.contains("base"));
        every = new Map(mine);
        every.set(complete, data.filter(d => d[0]).map(d => make(model, d)));
        if (others[0]) every.set(others[0], data.filter(d => !d[0]).map(d => make(model, d)));
        choices();
        show();
        if (waiting) download();
        waiting = false;
      };
      document.head.append(Object.assign(document.createElement("script"), { src: shard }));
    };
    const corrected = (value, bounds, said) => {
      const small = Object.assign(el("small", `corrected ${value || "—"}`, "cor"), { title: said });
      if (bounds) small.append(el("span", bounds));
      return small;
    };
    const make = (model, [, [kind, open, made, part], rank, [path, label, notes, unranked], [score, bounds, remark, list, ...judged], mark, cells]) => {
      const row = model.cloneNode(true), c = row.cells, link = c[1].querySelector("a"), line = c[3].querySelector(".w"), dot = c[3].querySelector("circle");
      row.className = `k-${kind} w-${open}${part ? " a-part" : ""}`;
      if (made) row.dataset.f = made; else delete row.dataset.f;
      const to = inside => {
        const a = Object.assign(el("a", "", "q"), { href: root + list });
        a.append(inside);
        return a;
      };
      c[0].replaceChildren(rank && list ? to(rank) : rank);
      link.href = root + path;
      link.textContent = label;
      c[1].querySelector(".tick")?.remove();
      c[1].querySelector(".sub").replaceChildren(...notes.flatMap(n => [el("span", n), " "]));
      c[1].querySelector(".rem")?.remove();
      if (unranked) c[1].append(el("span", unranked, "rem"));
      c[2].replaceChildren(list ? to(el("b", score)) : el("b", score), ...(bounds ? [el("small", bounds)] : []), ...(judged.length ? [corrected(...judged)] : []), ...(remark ? [el("small", remark, "rem")] : []));
      if (mark && dot) {
        line.setAttribute("x1", mark[0]);
        line.setAttribute("x2", mark[1]);
        dot.setAttribute("cx", mark[2]);
      } else [line, dot].forEach(e => e?.remove());
      cells.forEach((cell, i) => {
        const [text, href, best, missing, value, judged] = [].concat(cell), at = c[FIXED + i];
        const inside = href ? el("a", text, missing ? "q pt" : "q") : text === "—" ? el("span", text, "dash") : text;
        if (href) inside.href = root + href;
        if (missing || judged) inside.title = [missing, judged].filter(Boolean).join(". ");
        at.classList.toggle("best", Boolean(best));
        if (value) at.dataset.v = value; else delete at.dataset.v;
        at.replaceChildren(inside);
      });
      return row;
    };

    const choices = () => {
      if (!framework) return;
      const kept = framework.value || state.get("f") || "";
      const made = new Set([...(every ?? mine).values()].flat().map(r => r.dataset.f).filter(Boolean));
      framework.replaceChildren(framework.options[0], ...[...made].sort().map(f => new Option(f, f)));
      framework.value = kept;
    };
    const keep = () => {
      const q = state.toString();
      history.replaceState(null, "", location.pathname + (q ? "?" + q : "") + location.hash);
    };
    const put = (k, value) => { value === null || value === "" ? state.delete(k) : state.set(k, value); };
    const choice = document.getElementById("sort"); // phones have no heads to press
    const mark = () => {
      if (choice) choice.value = `${down || by === null ? "-" : ""}${heads[by ?? 2].dataset.k}`;
      heads.forEach((h, i) => i === by ? h.setAttribute("aria-sort", down ? "descending" : "ascending") : by === null && i === 2 ? h.setAttribute("aria-sort", "descending") : h.removeAttribute("aria-sort"));
    };
    const sortBy = (i, falling) => {
      by = i;
      down = falling;
      put("sort", (down ? "-" : "") + heads[i].dataset.k);
      keep();
      mark();
      show();
    };
    const read = () => {
      put("q", find.value.trim());
      if (framework) put("f", framework.value || (every || !shard ? "" : state.get("f")));
      boxes.forEach(b => put(b.id, b.checked === b.defaultChecked ? null : b.checked ? "1" : "0"));
      weights.forEach(w => put("w." + w.dataset.w, weight(w) === Number(w.defaultValue) ? null : weight(w)));
      keep();
      limit = size;
      show();
    };

    heads.forEach((th, i) => {
      if (th.classList.contains("iv")) return;
      const button = el("button", "");
      button.type = "button";
      const label = [...th.childNodes].filter(node => node.className !== "n0");
      th.prepend(button);
      button.append(...label);
      button.onclick = () => {
        const was = th.getAttribute("aria-sort");
        sortBy(i, was ? was === "ascending" : !("rising" in th.dataset));
      };
    });
    if (choice) {
      const sortable = heads.filter(h => h.dataset.k);
      const options = h => {
        const name = h.querySelector("button").textContent, key = h.dataset.k;
        const pair = [new Option(`${name}, descending`, "-" + key), new Option(`${name}, ascending`, key)];
        return "rising" in h.dataset ? pair.reverse() : pair;
      };
      choice.append(...sortable.flatMap(options));
      choice.parentElement.hidden = false;
      choice.onchange = () => sortBy(heads.findIndex(h => h.dataset.k === choice.value.replace(/^-/, "")), choice.value.startsWith("-"));
    }
    if (form) {
      find.parentElement.hidden = false;
      if (framework) framework.parentElement.hidden = false;
      if (own) {
        own.hidden = false;
        document.getElementById("declared").onclick = () => { weights.forEach(w => { w.value = w.defaultValue; }); read(); };
      }
      find.value = state.get("q") || "";
      boxes.forEach(b => { if (state.has(b.id)) b.checked = state.get(b.id) === "1"; });
      weights.forEach(w => { if (state.has("w." + w.dataset.w)) w.value = state.get("w." + w.dataset.w); });
      choices();
      form.onsubmit = e => e.preventDefault();
      form.addEventListener("input", read);
    }
    const more = document.querySelector("#more button");
    if (more) more.onclick = () => { limit += size; show(); };
    const sort = state.get("sort") || "", column = heads.findIndex(h => h.dataset.k && h.dataset.k === sort.replace(/^-/, ""));
    if (column >= 0) {
      by = column;
      down = sort.startsWith("-");
    }
    mark();
    show();
  };
})();

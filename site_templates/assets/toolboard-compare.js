// Compares any two submissions by their shards, with the tests of `lb compare` (see scoring/statistics.py for the sources).
(() => {
  const Z = 1.959963984540054, { abs, sqrt, min, max, exp, log, LN2, PI } = Math;
  const sum = (list, of) => list.reduce((total, item) => total + of(item), 0);

  // ---------- statistics ----------
  // C(n, k) / 2^n
  const share = (n, k) => {
    let l = -n * LN2;
    for (let i = 1; i <= k; i++) l += log((n - k + i) / i);
    return exp(l);
  };
  // exact McNemar
  const coin = (b, c) => {
    const n = b + c, least = min(b, c);
    if (2 * least === n) return 1;
    let term = 1, tail = 1;
    for (let k = least; k > 0; k--) tail += term *= k / (n - k + 1);
    return min(1, 2 * share(n, least) * tail);
  };
  const normal = z => {
    const x = abs(z) / Math.SQRT2;
    let term = x, erf = x;
    for (let n = 1; n < 300; n++) erf += term *= 2 * x * x / (2 * n + 1);
    return x > 6 ? 0 : max(0, 1 - 2 / sqrt(PI) * exp(-x * x) * erf);
  };
  // Student's t, two-sided, for whole degrees of freedom (Abramowitz & Stegun 26.7.3-4)
  const student = (t, df) => {
    const angle = Math.atan(abs(t) / sqrt(df)), cos = Math.cos(angle), odd = df % 2;
    let term = odd ? cos : 1, series = df === 1 ? 0 : term;
    for (let k = odd ? 3 : 2; k <= df - 2; k += 2) series += term *= (k - 1) / k * cos * cos;
    series *= Math.sin(angle);
    return max(0, 1 - (odd ? 2 / PI * (angle + series) : series));
  };
  const halved = (low, high, rising) => {
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2;
      if (rising(middle)) low = middle; else high = middle;
    }
    return low;
  };
  // Tango's score interval
  const lowest = (b, c, n) => c === n ? -1 : halved(-1, (b - c) / n, d => {
    const q = (2 * n - b + c) * d - b - c, root = sqrt(max(0, q * q + 8 * n * c * d * (1 - d)));
    return b - c - n * d > Z * sqrt(max(0, n * ((root - q) / (2 * n) + d * (1 - d))));
  });
  const limits = (t, one, bounded) => {
    const { n, b, c } = t;
    if (t.binary) return [lowest(b, c, n), -lowest(c, b, n)];
    const spread = n * t.squares - t.total ** 2;
    if (n < 2 || spread <= 0) {
      if (!bounded) return null;
      const p = (t.total / one + n) / 2 / n, s = Z * Z, middle = p + s / 2 / n, half = Z * sqrt(p * (1 - p) / n + s / 4 / n / n);
      return [p > 0 ? max(0, middle - half) / (1 + s / n) : 0, p < 1 ? min(1, (middle + half) / (1 + s / n)) : 1].map(x => 2 * x - 1);
    }
    const half = halved(0, 13, x => student(x, n - 1) > 0.05) * sqrt(spread / (n - 1)) / n / one, mean = t.total / n / one;
    return bounded ? [max(-1, mean - half), min(1, mean + half)] : [mean - half, mean + half];
  };
  const test = t => {
    if (t.binary) return ["exact McNemar", coin(t.b, t.c)];
    const spread = t.n * t.squares - t.total ** 2;
    return ["paired t", !t.total ? 1 : spread <= 0 ? coin(t.n, 0) : student(sqrt(t.total ** 2 * (t.n - 1) / spread), t.n - 1)];
  };
  const flip = parts => {
    const groups = {};
    for (const [v, b, c] of parts) if (b + c) (groups[Number(v.toPrecision(12))] ??= [0, 0]).forEach((_, i, g) => { g[i] += i ? c : b; });
    const list = Object.entries(groups).map(([v, [b, c]]) => [Number(v), b, c]);
    if (list.length < 2) return coin(...(list[0] ?? [0, 0, 0]).slice(1));
    if (list.reduce((n, [, b, c]) => n * (b + c + 1), 1) > 2000) return weighted(list.map(([v, b, c]) => [v, b - c, b + c]));
    let ways = [[0, 1]];
    for (const [v, b, c] of list) ways = ways.flatMap(([d, p]) => [...Array(b + c + 1).keys()].map(h => [d + v * (2 * h - b - c), p * share(b + c, h)]));
    const least = abs(sum(list, ([v, b, c]) => v * (b - c))) - 1e-9 * sum(list, ([v, b, c]) => v * (b + c));
    return least > 0 ? min(1, 2 * sum(ways, ([d, p]) => d >= least ? p : 0)) : 1;
  };
  const weighted = parts => {
    const kept = parts.filter(x => x[2]);
    return kept.length ? normal(sum(kept, ([v, d]) => v * d) / sqrt(sum(kept, ([v, , s]) => v * v * s))) : 1;
  };
  const holm = lines => {
    const tested = lines.filter(l => l.p !== undefined).sort((x, y) => x.p - y.p);
    let most = 0;
    tested.forEach((l, i) => { l.holm = most = max(most, min(1, (tested.length - i) * l.p)); });
  };

  // ---------- a comparison ----------
  const add = (x, y) => ({ n: x.n + y.n, both: x.both + y.both, b: x.b + y.b, c: x.c + y.c, ra: x.ra + y.ra, rb: x.rb + y.rb, sa: x.sa + y.sa, sb: x.sb + y.sb, total: x.total + y.total, squares: x.squares + y.squares, binary: x.binary && y.binary });
  const none = { n: 0, both: 0, b: 0, c: 0, ra: 0, rb: 0, sa: 0, sb: 0, total: 0, squares: 0, binary: true };
  const levels = shard => typeof shard.levels === "string" ? [...shard.levels].map(x => x === "-" ? null : parseInt(x, 36)) : shard.levels;
  const standing = (one, x, y) => x === null || y === null ? "unscored" : x >= one ? y >= one ? "both" : "first" : y >= one ? "second" : "neither";
  const compare = (suite, first, second) => {
    const { scale, bounded } = suite, la = levels(first), lb = levels(second);
    let from = 0;
    const lines = suite.categories.map(([id, label, path, weight, size]) => {
      const part = l => l.slice(from, from + size), a = part(la), b = part(lb);
      from += size;
      const t = a.reduce((t, x, i) => {
        const y = b[i], s = standing(scale, x, y);
        return s === "unscored" ? t : add(t, { n: 1, both: s === "both", b: s === "first", c: s === "second", ra: s === "first" ? y : 0, rb: s === "second" ? x : 0, sa: x, sb: y, total: x - y, squares: (x - y) ** 2, binary: true });
      }, none);
      t.binary = ![...a, ...b].some(x => x !== null && x !== 0 && x !== scale);
      return { id, label, path, weight, size, t };
    });
    const tested = line => {
      const { t } = line;
      if (!t.n) return line;
      const [name, p] = test(t);
      return Object.assign(line, { name, p, first: t.sa / t.n / scale, second: t.sb / t.n / scale, d: t.total / t.n / scale, raw: limits(t, scale, bounded), gap: gap([[1, t]]) });
    };
    const gap = parts => (Z + 0.8416212335729143) * sqrt(sum(parts, ([w, t]) => w * w * t.squares / scale ** 2 / t.n / t.n)) / sum(parts, x => x[0]) || undefined;
    // an interval reaches to 0 where the test, which is exact, does not reject 0
    const ended = line => {
      if (line.raw) [line.low, line.high] = line.p < 0.05 ? line.raw : [min(line.raw[0], 0), max(line.raw[1], 0)];
      line.sure = line.p < 0.05 && (line.low > 0 || line.high < 0);
      return line;
    };
    lines.forEach(tested);
    holm(lines);
    const counted = lines.filter(l => l.weight > 0), t = counted.map(l => l.t).reduce(add, none), weights = sum(counted, l => l.weight);
    const whole = { id: "*", t, size: sum(counted, l => l.size) };
    const mean = key => sum(counted, l => l.weight * l[key]) / weights;
    if (counted.length && counted.every(l => l.t.n)) {
      const alike = (x, y) => abs(x - y) <= 1e-9 * max(abs(x), abs(y));
      if (counted.length === 1 || counted.every(l => alike(l.weight * t.n, l.t.n * weights))) tested(whole);
      else {
        const binary = counted.every(l => l.t.binary), d = mean("d"), off = (i, sign) => sqrt(sum(counted, l => (l.weight * (l.raw[i] - l.d)) ** 2)) / weights * sign + d;
        Object.assign(whole, {
          first: mean("first"), second: mean("second"), d, name: binary ? "weighted sign flip" : "weighted normal",
          p: binary ? flip(counted.map(l => [l.weight / l.t.n, l.t.b, l.t.c])) : weighted(counted.map(l => [l.weight / l.t.n, l.t.total, l.t.squares])),
          gap: gap(counted.map(l => [l.weight, l.t])),
          raw: counted.every(l => l.raw) && [max(min(...counted.map(l => l.raw[0])), off(0, -1)), min(max(...counted.map(l => l.raw[1])), off(1, 1))],
        });
      }
    }
    return { whole: ended(whole), lines: lines.map(ended), levels: [la, lb] };
  };

  // ---------- words and numbers, as everywhere else on the site ----------
  const many = n => n.toLocaleString("en");
  const cases = n => `${many(n)} case${n === 1 ? "" : "s"}`;
  // to the nearest, and what lies halfway to the even digit
  const fixed = (x, digits) => {
    const s = x.toFixed(20), end = s.indexOf(".") + 1 + digits;
    return /^50*$/.test(s.slice(end)) && s[end - 1] % 2 === 0 ? s.slice(0, end) : x.toFixed(digits);
  };
  const points = (x, sign = "") => {
    const s = fixed(abs(100 * x), 1);
    return (s === "0.0" ? "" : x < 0 ? "−" : sign) + s;
  };
  const value = p => p === undefined ? "" : p < 0.001 ? "< 0.001" : fixed(p, p < 0.1 ? 3 : 2);
  const chance = p => (p < 0.001 ? "p " : "p = ") + value(p);
  const told = (w, apart) => {
    const range = sign => w.low === undefined ? "" : ` (${[sign * w.low, sign * w.high].sort((x, y) => x - y).map(x => points(x)).join(" to ")})`;
    if (w.p === undefined) return `A and B cannot be compared: ${w.t.n ? "a category has no case with a score for both" : "no case has a score for both"}`;
    if (apart) return `${w.d > 0 ? "A" : "B"} is ahead by ${points(abs(w.d))} points${range(w.d > 0 ? 1 : -1)}, ${chance(w.p)}`;
    if (!w.gap) return `A and B cannot be told apart: they score the same on each of these ${cases(w.t.n)}`;
    return `A and B cannot be told apart on these ${cases(w.t.n)}; a difference under ${points(w.gap)} points would go unseen (A − B is ${points(w.d, "+")} points${range(1)}, ${chance(w.p)})`;
  };
  // how a case counts that is neither quite right nor quite wrong
  const graded = ({ n, b, c, ra, rb, binary }, scale, trials) => {
    if (!n || trials < 2 && binary) return "";
    const [counts, by, does, of] = trials > 1 ? ["if every scored trial of it passes", "the share of trials that pass", "passes", " of its trials"] : ["with a full score", "part scores too", "scores", ""];
    const side = (one, other, number, rest) => number ? `here ${one} alone is right, ${other} ${does} ${points(rest / number / scale)}\u202f%${of}` : "";
    const sides = [side("A", "B", b, ra), side("B", "A", c, rb)].filter(Boolean).join("; w");
    return `A case counts as passed, or right, only ${counts}; the difference takes ${by}.${sides && ` W${sides}.`}`;
  };
  const weighed = ({ d = 0, t }, scale) => d * t.total < 0 ? `Categories weigh as the suite declares; if all cases weighed the same, A − B would be ${points(t.total / t.n / scale, "+")} points.` : "";
  const answered = shards => {
    const parts = shards.map((s, i) => [s.why.length, s.why.filter(w => s.reasons[w] === "missing_response").length, "AB"[i]]).filter(p => p[1]);
    return parts.length ? `Incomplete: ${parts.map(([all, lack, who]) => `${who} ${many(all - lack)} of ${many(all)} answered`).join(", ")}. An unanswered case counts as wrong.` : "";
  };
  const percent = x => {
    const s = (100 * x).toFixed(0);
    return `${x > 0 && s === "0" ? "<1" : x < 1 && s === "100" ? ">99" : s}\u202f%`;
  };
  const place = x => `${Math.round(1e4 * min(max(x, 0), 1)) / 100}%`;

  // ---------- the page ----------
  addEventListener("DOMContentLoaded", () => {
    const form = document.getElementById("pick"), pair = document.getElementById("pair"), lacking = document.getElementById("lacking");
    const { a, b, suite } = form.elements, { root } = form.dataset;
    const one = (selector, within = pair) => within.querySelector(selector);
    const text = (key, words) => pair.querySelectorAll(`[data-t="${key}"]`).forEach(e => { e.textContent = words; });
    const set = (e, values) => Object.entries(values).forEach(([k, v]) => e.setAttribute(k, v));
    const model = { line: one(".diffs tbody tr"), row: one("#only-a").closest("tbody").rows[1] };
    const seen = new Map();
    window.toolboardPair = data => seen.set(data.file, data);
    const load = path => new Promise((done, failed) => {
      if (seen.has(path)) return done(seen.get(path));
      const script = Object.assign(document.createElement("script"), { src: root + path });
      script.onload = () => seen.has(path) ? done(seen.get(path)) : failed(path);
      script.onerror = () => failed(path);
      document.head.append(script);
    });

    const whisker = (cell, line, extent) => {
      const inner = one("svg svg", cell), x = v => place((v + extent) / 2 / extent);
      if (line.d === undefined) return inner.remove();
      const low = x(line.low ?? line.d), high = x(line.high ?? line.d);
      inner.querySelectorAll("line").forEach((l, i) => set(l, { x1: i === 2 ? high : low, x2: i === 1 ? low : high, class: line.sure ? "w" : "w o" }));
      set(one("svg", inner), { x: x(line.d) });
      set(one("circle", inner), { class: line.sure ? "d" : "d o" });
    };
    const table = (found, title, path) => {
      const lines = [{ ...found.whole, label: `All of ${title}`, path }, ...found.lines];
      const most = max(...lines.flatMap(l => [l.low, l.high, l.d].map(x => abs(x ?? 0)))), extent = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1].find(e => most <= e) ?? 1;
      const half = min(found.whole.gap ?? 0, extent) / extent;
      set(one("#ax .band"), { x: place(0.5 - half / 2), width: place(half) });
      pair.querySelectorAll(".diffs .ax-t").forEach((t, i) => { const v = Number(((i - 2) * 50 * extent).toPrecision(6)); t.textContent = (v < 0 ? "−" : v > 0 ? "+" : "") + abs(v); });
      one(".diffs tbody").replaceChildren(...lines.map((l, i) => {
        const row = model.line.cloneNode(true), c = row.cells;
        row.className = i ? "" : "all";
        Object.assign(one("a", c[0]), { textContent: l.label, href: root + l.path });
        [many(l.t.n), l.d === undefined ? "—" : fixed(100 * l.first, 1), l.d === undefined ? "—" : fixed(100 * l.second, 1), many(l.t.b), many(l.t.c)].forEach((v, k) => { c[k + 1].textContent = v; });
        whisker(c[6], l, extent);
        c[7].classList.toggle("sure", l.sure);
        one("b", c[7]).textContent = l.d === undefined ? "—" : points(l.d, "+");
        c[8].textContent = value(l.p);
        c[9].textContent = value(l.holm);
        return row;
      }));
    };
    const did = (cell, level, shard, i, all) => {
      const sign = level === null ? "u" : level >= all.scale ? "p" : "f", codes = shard.reasons[shard.why[i]], words = codes.split(", ").map(c => all.reasons[c] ?? c.replaceAll("_", " "));
      set(one("svg", cell), { class: `g ${sign}` });
      set(one("use", cell), { href: `#${sign}` });
      one(".vh", cell).textContent = `${{ p: "pass", f: "fail", u: "unscored" }[sign]}: `;
      one(".because", cell).textContent = words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0];
      one(".why", cell).textContent = codes;
    };
    const lists = (all, first, second, [la, lb]) => {
      const labels = all.categories.flatMap(c => Array(c[4]).fill(c[1])), fallen = {};
      all.cases.forEach((_, i) => (fallen[standing(all.scale, la[i], lb[i])] ??= []).push(i));
      for (const [name, anchor] of Object.entries({ first: "only-a", second: "only-b", neither: "both-wrong", both: "both-right", unscored: "unscored" })) {
        const found = fallen[name] ?? [], body = document.getElementById(anchor).closest("tbody"), head = body.rows[0], rest = [...body.rows].at(-1);
        one("span", head).textContent = cases(found.length);
        body.hidden = name === "unscored" && !found.length;
        body.replaceChildren(head, rest);
        const more = () => {
          rest.before(...found.splice(0, 25).map(i => {
            const row = model.row.cloneNode(true), c = row.cells, [id, query, file = id] = all.cases[i];
            Object.assign(one("a", c[0]), { textContent: id, href: `${root}cases/${all.folder}/${file}.html` });
            one(".in", c[0]).textContent = labels[i];
            c[1].textContent = query;
            did(c[2], la[i], first, i, all);
            did(c[3], lb[i], second, i, all);
            return row;
          }));
          rest.hidden = !found.length;
        };
        one("button", rest).onclick = more;
        more();
      }
    };
    const same = (x, y) => {
      let equal = 0, both = 0;
      for (let i = 0; i < x.why.length; i++) for (let t = 0; t < min(x.trials, y.trials); t++) {
        const [m, n] = [x, y].map(s => s.answers.slice(4 * (i * s.trials + t)).slice(0, 4));
        if (m.trim() && n.trim()) { both++; equal += m === n; }
      }
      return `${many(equal)} of ${many(both)}`;
    };
    const show = (all, first, second) => {
      const found = compare(all, first, second), { whole } = found, { t } = whole, neither = t.n - t.both - t.b - t.c;
      for (const [key, shard] of [["a", first], ["b", second]]) Object.assign(one(`[data-h=${key}]`), { textContent: shard.name, href: root + shard.path });
      text("shared", many(t.n));
      text("said", `${told(whole, whole.sure)}.`);
      text("parted", !t.n ? "" : t.b + t.c ? `Of the ${cases(t.n)} with a score for both, ${many(t.b + t.c)} ${t.b + t.c === 1 ? "is" : "are"} passed by only one of them: ${many(t.b)} by A, ${many(t.c)} by B.` : `Of the ${cases(t.n)} with a score for both, none is passed by only one of them.`);
      text("counted", [graded(t, all.scale, max(first.trials, second.trials)), weighed(whole, all.scale)].filter(Boolean).join(" "));
      text("answered", answered([first, second]));
      text("ranked", first.rank && second.rank ? `This is a single test. The ranking tests all pairs together (Holm): there A has rank ${first.rank}, B ${second.rank}.` : "");
      text("fact1", whole.gap ? `${points(whole.gap)} points, at 80\u202f% power` : "—");
      text("fact2", same(first, second));
      text("fact3", first.cost || second.cost ? `A ${first.cost || "—"}, B ${second.cost || "—"}` : "not told");
      text("test", whole.name ?? "");
      text("command", `lb compare ${first.submission} ${second.submission} --suite ${all.suite}`);
      let before = 0;
      Object.entries({ both: t.both, first: t.b, second: t.c, neither }).forEach(([key, n], i) => {
        const part = t.n ? n / t.n : 0, start = t.n ? before / t.n : 0, label = pair.querySelectorAll(".mosaic text")[i];
        text(key, many(n));
        text(`${key}-share`, percent(part));
        set(pair.querySelectorAll(".mosaic rect")[i], { x: place(start), width: place(part) });
        set(label, { x: place(start + part / 2) });
        label.textContent = part >= 0.09 ? many(n) : "";
        before += n;
      });
      table(found, all.title, all.path);
      lists(all, first, second, found.levels);
      pair.hidden = false;
      document.title = `${first.name} and ${second.name} on ${all.title}`;
    };
    const run = async () => {
      const [x, y, on] = [a, b, suite].map(e => e.value), paths = [`data/compare/${on}.js`, `data/compare/${on}/${x}.js`, `data/compare/${on}/${y}.js`];
      pair.hidden = true;
      lacking.hidden = x !== y;
      if (x === y) { lacking.textContent = "A and B are the same submission: choose two."; return; }
      try {
        show(...await Promise.all(paths.map(load)));
      } catch (path) {
        if (path instanceof Error) throw path;
        lacking.textContent = `${path.includes(`/${x}.js`) ? a.selectedOptions[0].text : b.selectedOptions[0].text} has not taken ${suite.selectedOptions[0].text}.`;
        lacking.hidden = false;
      }
    };

    b.append(...[...a.options].map(o => o.cloneNode(true)));
    form.hidden = false;
    document.getElementById("without").hidden = true;
    const read = () => {
      const asked = new URLSearchParams(location.search);
      const unknown = [a, b, suite].map(e => {
        const found = [...e.options].find(o => o.value === asked.get(e.name));
        e.value = (found ?? e.options[e === b && b.length > 1 ? 1 : 0]).value;
        return asked.has(e.name) && !found ? asked.get(e.name) : "";
      }).find(Boolean);
      lacking.hidden = !unknown;
      if (unknown) lacking.textContent = `This board has no ${unknown} to compare.`;
      return !unknown && asked.has("a") && asked.has("b");
    };
    form.onsubmit = e => {
      e.preventDefault();
      history.pushState(null, "", `${location.pathname}?${new URLSearchParams(new FormData(form))}`);
      run();
    };
    addEventListener("popstate", () => { if (read()) run(); });
    if (read()) run().then(() => { if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView(); });
  });
  window.toolboardCompare = compare; // for whoever wants the numbers
})();

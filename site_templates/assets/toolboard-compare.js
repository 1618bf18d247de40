// Compares any two submissions in the browser: who passes which case, the difference of their
// scores, and its 95 % interval.
(() => {
  const { el, number, percentage, placeOf, signed } = window.toolboard;

  // ---------- the comparison ----------

  // A side of a comparison is a list of cases, each with its level and whether it is passed.
  const outcomeOf = (caseA, caseB) => {
    if (caseA.level === null || caseB.level === null) return "unscored";
    if (caseA.passed) return caseB.passed ? "both" : "first";
    return caseB.passed ? "second" : "neither";
  };

  const tally = (sideA, sideB, scale) => {
    const sums = { cases: 0, both: 0, first: 0, second: 0, neither: 0, unscored: 0, scoreA: 0, scoreB: 0, squares: 0 };
    sideA.forEach((caseA, i) => {
      const caseB = sideB[i], outcome = outcomeOf(caseA, caseB);
      sums[outcome] += 1;
      if (outcome === "unscored") return;
      sums.cases += 1;
      sums.scoreA += caseA.level / scale;
      sums.scoreB += caseB.level / scale;
      sums.squares += ((caseA.level - caseB.level) / scale) ** 2;
    });
    return sums;
  };

  // Mean scores, their difference and its adjusted Wald interval (Bonett and Price 2012). The two
  // pseudo-cases, +1 and −1, give it a width also where A and B never differ. Without cases, or
  // with a case that is unscored for one of them: NaN.
  const measure = ({ cases: shared, unscored, scoreA, scoreB, squares }, bounded) => {
    const cases = unscored ? NaN : shared;
    const total = scoreA - scoreB, centre = total / (cases + 2);
    const reach = 1.96 * Math.sqrt(((squares + 2) / (cases + 2) - centre ** 2) / (cases + 2));
    const [lowest, highest] = bounded ? [-1, 1] : [-Infinity, Infinity];
    const low = Math.max(lowest, centre - reach), high = Math.min(highest, centre + reach);
    return { meanA: scoreA / cases, meanB: scoreB / cases, difference: total / cases, low, high };
  };

  // Weighted means. Their interval comes from the limits of the categories (Zou and Donner 2008).
  const combine = (lines, weights) => {
    const mean = key => lines.reduce((sum, line) => sum + line.weight * line[key], 0) / weights;
    const distance = key => Math.hypot(...lines.map(line => line.weight * (line[key] - line.difference))) / weights;
    const difference = mean("difference"), low = difference - distance("low"), high = difference + distance("high");
    return { meanA: mean("meanA"), meanB: mean("meanB"), difference, low, high };
  };

  const compare = (suite, sideA, sideB) => {
    let start = 0;
    const lines = suite.categories.map(([, label, path, weight, size]) => {
      const range = [start, start += size];
      const sums = tally(sideA.slice(...range), sideB.slice(...range), suite.scale);
      return { label, path, weight, ...sums, ...measure(sums, suite.bounded) };
    });
    const total = key => lines.reduce((sum, line) => sum + line[key], 0);
    const sums = tally([], [], suite.scale);
    for (const key in sums) sums[key] = total(key);
    return { whole: { ...sums, ...combine(lines, total("weight")) }, lines };
  };

  // ---------- numbers and words ----------

  const between = (low, high) => `${percentage(low)} to ${percentage(high)}`;

  const caseCount = cases => `${number(cases)} case${cases === 1 ? "" : "s"}`;

  const resultInWords = ({ unscored, difference, low, high }) => {
    if (unscored) return `A and B cannot be compared: ${caseCount(unscored)} without a score for one of them.`;
    if (isNaN(difference)) return "A and B cannot be compared: a category has no case with a score for both.";
    const [ahead, other] = difference < 0 ? ["B", "A"] : ["A", "B"], by = percentage(Math.abs(difference));
    const result = difference ? `${ahead} scores ${by} points more than ${other}.` : "A and B have the same score.";
    return `${result} The approximate 95\u202f% interval of A\u00a0−\u00a0B is ${between(low, high)} points.`;
  };

  // As in leaderboard/results.py.
  const incomplete = (first, second) => {
    const parts = [["A", first], ["B", second]].filter(([, taker]) => taker.answered).map(([name, taker]) => `${name}: ${taker.answered}`);
    return parts.length ? `${parts.join("; ")}. What is not answered counts as a fail.` : "";
  };

  // Each trial of a case has three letters, the number of the answer, or three spaces without one.
  const identicalAnswers = (first, second) => {
    let identical = 0, both = 0;
    first.answers.match(/.{3}/g).forEach((answer, i) => {
      const trial = i % first.trials, start = 3 * ((i - trial) / first.trials * second.trials + trial);
      const other = trial < second.trials ? second.answers.slice(start, start + 3) : "";
      if (!answer.trim() || !other.trim()) return;
      both += 1;
      if (answer === other) identical += 1;
    });
    return `${number(identical)} of ${number(both)}`;
  };

  // One of many bits, four in a digit.
  const bit = (digits, i) => parseInt(digits[i >> 2] || "0", 16) >> (i & 3) & 1;

  // A judge's part in the cases with different scores. `judged` has a bit per case.
  const judgedInWords = (data, takers, sides) => {
    if (!takers.some(taker => taker.judged)) return data.note;
    const differing = [...data.cases.keys()].filter(i => {
      const [a, b] = sides.map(side => side[i].level);
      return a !== null && b !== null && a !== b;
    });
    const decided = differing.filter(i => takers.some(taker => bit(taker.judged, i))).length;
    const cases = caseCount(differing.length);
    if (!decided) return `A judge decided none of the ${cases} with different scores.`;
    const [a, b] = takers.map(({ brief }) => brief || "no judge");
    return `A judge decided ${number(decided)} of the ${cases} with different scores. A: ${a}. B: ${b}. ${data.judge}`;
  };

  // ---------- the page ----------

  // The data are scripts, because a page that is opened from a folder cannot read other files.
  const loaded = new Map();
  window.toolboardPair = data => loaded.set(data.file, data);
  const load = src => new Promise(done => {
    document.head.append(Object.assign(el("script", ""), { src, onload: done, onerror: done }));
  });

  addEventListener("DOMContentLoaded", () => {
    const form = document.getElementById("pick"), { root } = form.dataset, { a, b, suite } = form.elements;
    const pair = document.getElementById("pair"), message = document.getElementById("lacking");
    const find = (selector, within = pair) => within.querySelector(selector);
    const write = (key, words) => pair.querySelectorAll(`[data-t="${key}"]`).forEach(e => { e.textContent = words; });
    const link = (element, words, path) => Object.assign(element, { textContent: words, href: root + path });
    const differences = find("#differences tbody"), groups = pair.querySelectorAll("#cases tbody");
    const blankLine = differences.rows[0], blankCase = groups[0].rows[1];

    const lineRow = line => {
      const row = blankLine.cloneNode(true);
      const interval = isNaN(line.difference) ? "" : between(line.low, line.high);
      const scores = [percentage(line.meanA), percentage(line.meanB)], alone = [number(line.first), number(line.second)];
      const values = [number(line.cases), ...scores, ...alone, signed(line.difference), interval];
      link(find("a", row), line.label, line.path);
      values.forEach((words, i) => { row.cells[i + 1].textContent = words; });
      return row;
    };

    const showAnswer = (cell, { level, passed }, codes, data, text, path) => {
      const sign = level === null ? "u" : passed ? "p" : "f";
      find("svg", cell).setAttribute("class", `g ${sign}`);
      find("use", cell).setAttribute("href", `#${sign}`);
      find(".vh", cell).textContent = { p: "pass: ", f: "fail: ", u: "unscored: " }[sign];
      find(".because", cell).textContent = codes.split(", ").map(code => data.reasons[code] ?? code.replaceAll("_", " ")).join(", ");
      find(".why", cell).textContent = codes;
      const said = find(".val", cell);
      said.hidden = !text;
      link(find("a", said), text, path);
    };

    const showCases = (data, takers, sides, briefs) => {
      const labels = data.categories.flatMap(([, label, , , size]) => Array(size).fill(label));
      const outcomes = data.cases.map((_, i) => outcomeOf(sides[0][i], sides[1][i]));
      const caseRow = i => {
        const row = blankCase.cloneNode(true), [id, query, file = id] = data.cases[i];
        const path = `cases/${data.folder}/${file}.html`;
        link(find("a", row), id, path);
        find(".in", row).textContent = labels[i];
        row.cells[1].textContent = query;
        takers.forEach((taker, n) => {
          const start = 3 * taker.trials * i, number = taker.answers.slice(start, start + 3);
          const text = number.trim() && briefs[i][parseInt(number, 36)], name = taker.path.replace(/^.*\/|\.html$/g, "");
          showAnswer(row.cells[n + 2], sides[n][i], taker.reasons[taker.why[i]], data, text, `${path}#by-${name}`);
        });
        return row;
      };
      groups.forEach((body, group) => {
        const outcome = ["first", "second", "neither", "both", "unscored"][group];
        const head = body.rows[0], rest = [...body.rows].at(-1);
        const found = [...outcomes.keys()].filter(i => outcomes[i] === outcome);
        const showMore = () => {
          rest.before(...found.splice(0, 25).map(caseRow));
          rest.hidden = !found.length;
        };
        find("span", head).textContent = caseCount(found.length);
        body.hidden = outcome === "unscored" && !found.length;
        body.replaceChildren(head, rest);
        find("button", rest).onclick = showMore;
        showMore();
      });
    };

    const show = (data, first, second, { answers }) => {
      // A level is a score times `scale`. Small levels are written as one digit each, in base 36.
      const digits = levels => [...levels].map(digit => digit === "-" ? null : parseInt(digit, 36));
      const sides = [first, second].map(taker => {
        const levels = typeof taker.levels === "string" ? digits(taker.levels) : taker.levels;
        return levels.map((level, i) => ({ level, passed: bit(taker.passed, i) === 1 }));
      });
      const { whole, lines } = compare(data, ...sides);
      link(find("[data-h=a]"), first.name, first.path);
      link(find("[data-h=b]"), second.name, second.path);
      write("shared", number(whole.cases));
      for (const key of ["both", "first", "second", "neither"]) write(key, number(whole[key]));
      write("said", resultInWords(whole));
      write("answered", incomplete(first, second));
      write("ranked", first.rank && second.rank ? `In the ranking A has rank ${first.rank}, B ${second.rank}.` : "");
      write("judged", judgedInWords(data, [first, second], sides));
      write("fact1", identicalAnswers(first, second));
      write("fact2", `A ${first.cost || "—"}, B ${second.cost || "—"}`);
      const cost = find("[data-t=fact2]");
      cost.hidden = cost.previousElementSibling.hidden = !first.cost && !second.cost;
      write("command", `lb compare ${first.submission} ${second.submission} --suite ${data.suite}`);
      const exact = first.pages[b.value] ?? second.pages[a.value];
      find("#tested").hidden = isNaN(whole.difference);
      find("#has-exact").hidden = !exact;
      find("#has-exact a").href = root + exact;
      const all = { ...whole, label: `All of ${data.title}`, path: data.path };
      differences.replaceChildren(...[all, ...lines].map(lineRow));
      showCases(data, [first, second], sides, answers);
      pair.hidden = false;
      document.title = `${first.name} and ${second.name} on ${data.title}`;
    };

    let turns = 0;
    const { title } = document;
    const clear = () => {
      turns += 1; // a pair that is still loading is not shown
      pair.hidden = true;
      document.title = title;
    };
    const tell = words => Object.assign(message, { textContent: words, hidden: !words });
    const run = async () => {
      const files = [suite.value, `${suite.value}/${a.value}`, `${suite.value}/${b.value}`, `${suite.value}~answers`].map(name => `data/compare/${name}.js`);
      clear();
      const turn = turns;
      tell("");
      if (a.value === b.value) return tell("A and B are the same submission: choose two.");
      await Promise.all(files.map(file => loaded.has(file) || load(root + file)));
      if (turn !== turns) return; // another pair was chosen meanwhile
      const [data, first, second, briefs] = files.map(file => loaded.get(file));
      const absent = data && [a, b].find(select => !data.takers.includes(select.value));
      if (absent) tell(`${absent.selectedOptions[0].text} has not taken ${suite.selectedOptions[0].text}.`);
      else if (data && first && second && briefs) show(data, first, second, briefs);
      else tell("The data could not be loaded. Compare again.");
    };

    // The address names the pair: ?a=…&b=…&suite=… Returns whether the board has what it names.
    const readAddress = () => {
      const asked = new URLSearchParams(location.search);
      const unknown = [a, b, suite].map(select => {
        const found = [...select.options].find(option => option.value === asked.get(select.name));
        select.value = found?.value ?? form.dataset[select.name] ?? select.options[0].value;
        return found ? "" : asked.get(select.name);
      }).find(Boolean);
      tell(unknown ? `This board cannot compare “${unknown}”.` : "");
      return !unknown && asked.has("a") && asked.has("b");
    };

    b.append(...[...a.options].map(option => option.cloneNode(true)));
    form.hidden = false;
    document.getElementById("without").hidden = true;
    form.onsubmit = event => {
      event.preventDefault();
      history.pushState(null, "", `${location.pathname}?${new URLSearchParams(new FormData(form))}`);
      run();
    };
    addEventListener("popstate", () => readAddress() ? run() : clear());
    if (readAddress()) run().then(() => document.getElementById(placeOf())?.scrollIntoView());
  });
  window.toolboardCompare = compare; // for the tests, and for readers who want the numbers
})();

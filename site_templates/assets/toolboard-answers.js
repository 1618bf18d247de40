// The list of a submission's answers. The address keeps the filters: ?q=words#in/suite/category/verdict/decider
addEventListener("DOMContentLoaded", () => {
  const { number, placeOf, saveTable, wordsOf } = window.toolboard;
  const form = document.getElementById("filter"), list = document.getElementById("answers");
  const { q: search, place, verdict, by: decider } = form.elements;
  const parts = [...list.querySelectorAll(".in-cat")], groups = [...list.querySelectorAll(".same")];

  const readAddress = () => {
    search.value = new URLSearchParams(location.search).get("q");
    const [, suite = "", category = "", reason = "", by = ""] = placeOf().split("/");
    place.value = suite && `in/${suite}/${category}`;
    verdict.value = reason;
    decider.value = by;
    for (const select of [place, verdict, decider]) select.value ||= ""; // no such choice
  };

  const writeAddress = () => {
    const [, suite = "", category = ""] = place.value.split("/");
    const address = ["in", suite, category, verdict.value, decider.value].join("/").replace(/\/+$/, "");
    const query = search.value && `?q=${encodeURIComponent(search.value)}`;
    history.replaceState(null, "", `${location.pathname}${query}#${address}`);
  };

  // A place ends with "/" if it is a whole suite.
  const isHere = part => {
    const isWhole = !place.value || place.value.endsWith("/");
    return isWhole ? part.dataset.p.startsWith(place.value) : part.dataset.p === place.value;
  };
  const fits = group => {
    const verdicts = group.dataset.v.split(" ");
    return (!verdict.value || verdicts.includes(verdict.value)) && (!decider.value || group.dataset.by === decider.value);
  };

  const show = () => {
    const words = wordsOf(search.value);
    const isFound = line => words.every(word => line.textContent.toLowerCase().includes(word));
    let found = 0, all = 0;
    for (const part of parts) {
      for (const group of part.querySelectorAll(".same")) {
        const lines = [...group.querySelectorAll("li")];
        const left = new Set(isHere(part) && fits(group) ? lines.filter(isFound) : []);
        if (words.length || lines.some(line => line.hidden)) lines.forEach(line => { line.hidden = !left.has(line); });
        group.hidden = !left.size;
        found += left.size;
        all += lines.length;
      }
      part.hidden = !part.querySelector(".same:not([hidden])");
    }
    for (const section of list.children) section.hidden = !section.querySelector(".in-cat:not([hidden])");
    document.getElementById("every").hidden = found === all;
    document.getElementById("found").textContent = found
      ? `${number(found)} of ${number(all)} verdicts`
      : "No verdict matches. Change the search or the filters.";
  };

  const saveShown = () => {
    const head = ["place", "case", "question", "outcome", "reason", "decided_by", "address"];
    const rows = groups.filter(group => !group.hidden && !group.closest(".in-cat").hidden).flatMap(group => {
      const [outcome, reason] = group.dataset.v.split(" "), at = group.closest(".in-cat").dataset.p.slice("in/".length);
      return [...group.querySelectorAll("li:not([hidden])")].map(line => {
        const link = line.querySelector("a"), question = line.textContent.slice(link.textContent.length).trim();
        return [at, link.textContent, question, outcome, reason, group.dataset.by, link.href];
      });
    });
    saveTable("verdicts.csv", [head, ...rows]);
  };

  form.hidden = false;
  list.classList.add("on");
  form.onsubmit = event => event.preventDefault();
  form.addEventListener("input", () => {
    writeAddress();
    show();
  });
  document.getElementById("csv").onclick = saveShown;
  addEventListener("hashchange", () => { readAddress(); show(); });
  readAddress();
  show();
});

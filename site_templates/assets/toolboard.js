// On every page: the theme, folds that a link opens, panels that close, texts to copy. Every page is complete without a script.
window.toolboard = (() => {
  const el = (tag, text, name) => Object.assign(document.createElement(tag), { textContent: text }, name && { className: name });

  // Saves rows of texts as a CSV file. Spreadsheets run formulas, also after a separator: see leaderboard/texts/spreadsheet_formulas.py.
  const saveTable = (name, rows) => {
    const formula = /(^|[;\t\r\n])([ "]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
    const guarded = text => isNaN(text) ? text.replace(formula, "$1'$2") : text;
    const field = text => `"${guarded(text).replaceAll('"', '""')}"`;
    const lines = rows.map(row => row.map(field).join(",") + "\r\n");
    const url = URL.createObjectURL(new Blob(lines, { type: "text/csv" }));
    Object.assign(el("a", ""), { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url));
  };

  const number = count => count.toLocaleString("en");

  // A share of 1 in percent, rounded as in leaderboard/texts/percentages.py.
  const inPercent = signDisplay => {
    const tenths = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false, signDisplay });
    return share => isNaN(share) ? "—" : tenths.format((100 * share).toFixed(10)).replace("-", "−");
  };
  const percentage = inPercent("negative"), signed = inPercent("exceptZero");
  // What the address names after "#". People write addresses by hand, such as #50%.
  const placeOf = () => {
    const place = location.hash.slice(1);
    try { return decodeURIComponent(place); } catch { return place; }
  };
  const wordsOf = text => text.toLowerCase().split(/\s+/).filter(Boolean);

  // ---------- the theme ----------

  const root = document.documentElement;
  // A private window has no storage.
  const kept = {
    get theme() { try { return localStorage.getItem("theme"); } catch { return null; } },
    set theme(name) { try { localStorage.setItem("theme", name); } catch { /* lost with the page */ } },
  };
  if (kept.theme) root.dataset.theme = kept.theme;

  const isDark = () => {
    if (root.dataset.theme) return root.dataset.theme === "dark";
    return matchMedia("(prefers-color-scheme: dark)").matches;
  };

  const startTheme = button => {
    const name = () => {
      button.textContent = isDark() ? "Light" : "Dark";
      button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
    };
    button.hidden = false;
    name();
    button.onclick = () => {
      kept.theme = root.dataset.theme = isDark() ? "light" : "dark";
      name();
    };
  };

  // ---------- folds ----------

  const openFolds = () => {
    const target = document.getElementById(placeOf());
    let fold = target?.closest("details");
    while (fold) {
      fold.open = true;
      fold = fold.parentElement.closest("details");
    }
  };

  // Panels of controls close with Escape, and with a click elsewhere.
  const closePanels = event => {
    for (const panel of document.querySelectorAll(".drop[open]")) {
      const isElsewhere = event.type === "click" && !panel.contains(event.target);
      if (event.key !== "Escape" && !isElsewhere) continue;
      if (panel.contains(document.activeElement)) panel.querySelector("summary").focus();
      panel.open = false;
    }
  };

  // ---------- texts to copy ----------

  const addCopy = text => {
    const button = Object.assign(el("button", "Copy", "copy"), { type: "button" });
    button.onclick = async () => {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    };
    text.before(button);
  };

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector(".theme");
    if (button) startTheme(button);
    addEventListener("hashchange", openFolds);
    openFolds();
    addEventListener("click", closePanels);
    addEventListener("keydown", closePanels);
    // Pages over plain HTTP have no clipboard.
    if (navigator.clipboard) document.querySelectorAll(".to-copy").forEach(addCopy);
  });

  return { el, number, percentage, placeOf, saveTable, signed, wordsOf };
})();

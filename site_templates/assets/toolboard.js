// Toolboard: theme, sorting, search, and the state of both in the address. Every page is complete without it.
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
    if (!table) return;
    const form = document.getElementById("controls");
    const find = form && form.elements.q;
    const heads = [...table.tHead.rows].at(-1).cells;
    const bodies = [...table.tBodies].filter(b => b.classList.contains("rows"));
    const state = new URLSearchParams(location.search);
    const rows = body => [...body.rows].filter(r => !r.classList.contains("part"));
    const order = new Map(bodies.map(b => [b, rows(b)]));
    const key = (row, i) => {
      const text = (i === 2 ? row.cells[2].querySelector("b") : i === 1 ? row.cells[1].querySelector("a") : row.cells[i]).textContent.trim();
      const plain = text.replace(/,(?=\d)/g, "").replace(/^<1/, "0.5").replace(/^>99/, "99.5");
      return text === "—" || text === "" ? null : /^[\d.]+(\s?%)?$|^\d+–\d+$/.test(plain) ? parseFloat(plain) : text.toLowerCase();
    };

    // a missing value goes last in both directions: "—" is never best and never worst
    const sort = (i, down) => {
      [...heads].forEach((h, j) => j === i ? h.setAttribute("aria-sort", down ? "descending" : "ascending") : h.removeAttribute("aria-sort"));
      for (const [body, list] of order) {
        const keyed = list.map(r => [key(r, i), r]);
        keyed.sort(([a], [b]) => a === b ? 0 : a === null ? 1 : b === null ? -1 : (a < b ? -1 : 1) * (down ? -1 : 1));
        body.append(...keyed.map(k => k[1]));
      }
    };

    const search = () => {
      if (!form) return;
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0, all = 0;
      bodies.forEach(body => rows(body).forEach(r => {
        const name = r.querySelector(".nm").textContent.toLowerCase();
        r.hidden = !words.every(w => name.includes(w));
        all += 1;
        shown += r.offsetParent !== null;
      }));
      document.getElementById("shown").textContent = shown < all ? `${shown} of ${all} rows` : "";
    };

    const keep = () => {
      const q = state.toString();
      history.replaceState(null, "", location.pathname + (q ? "?" + q : "") + location.hash);
    };
    const put = (name, value) => { value === null || value === "" ? state.delete(name) : state.set(name, value); keep(); };

    [...heads].forEach((th, i) => {
      if (th.classList.contains("iv")) return;
      const button = document.createElement("button");
      button.type = "button";
      const label = th.firstChild;
      th.replaceChild(button, label);
      button.append(label);
      button.onclick = () => {
        const was = th.getAttribute("aria-sort");
        const down = was ? was === "ascending" : !["rank", "name", "cost", "latency"].includes(th.dataset.k);
        sort(i, down);
        put("sort", (down ? "-" : "") + th.dataset.k);
      };
    });
    if (form) {
      find.parentElement.hidden = false;
      find.value = state.get("q") || "";
      form.onsubmit = e => e.preventDefault();
      form.addEventListener("input", e => {
        const box = e.target;
        if (box === find) put("q", find.value.trim());
        else put(box.id, box.checked === box.defaultChecked ? null : box.checked ? "1" : "0");
        search();
      });
      form.querySelectorAll("input[type=checkbox]").forEach(box => { if (state.has(box.id)) box.checked = state.get(box.id) === "1"; });
    }
    const by = state.get("sort") || "";
    const column = [...heads].findIndex(h => h.dataset.k && h.dataset.k === by.replace(/^-/, ""));
    if (column >= 0) sort(column, by.startsWith("-"));
    search();
  });
})();

"use strict";
(() => {
  // Everything is on the page without this; here it can be sorted, filtered and copied.
  const table = document.querySelector("#failing table");
  if (table) {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    const heads = Array.from(table.tHead.rows[0].cells);
    const keyOf = (row, column) => {
      const cell = row.cells[column];
      const key = cell.dataset.key;
      if (key === undefined) return cell.textContent;
      return key === "-" ? null : Number(key);
    };
    const compare = (one, other) => {
      if (typeof one === "number" && typeof other === "number") return one - other;
      return String(one).localeCompare(String(other), "en", { numeric: true });
    };
    const sort = column => {
      const head = heads[column];
      const descends = head.getAttribute("aria-sort") === "ascending";
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descends ? "descending" : "ascending");
      const keyed = rows.map((row, index) => ({ row, index, key: keyOf(row, column) }));
      keyed.sort((one, other) => {
        // What is not known comes last, whichever way.
        if (one.key === null || other.key === null) {
          return (one.key === null) - (other.key === null) || one.index - other.index;
        }
        const order = compare(one.key, other.key);
        return (descends ? -order : order) || one.index - other.index;
      });
      body.append(...keyed.map(entry => entry.row));
    };
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      button.addEventListener("click", () => sort(column));
      head.replaceChildren(button);
    });

    const form = document.getElementById("filter");
    const policy = document.getElementById("filter-policy");
    const text = document.getElementById("filter-text");
    const count = document.getElementById("filter-count");
    const filter = () => {
      const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach(row => {
        const isOfPolicy = !policy.value || row.cells[0].textContent === policy.value;
        const content = row.textContent.toLowerCase();
        row.hidden = !isOfPolicy || !words.every(word => content.includes(word));
        shown += row.hidden ? 0 : 1;
      });
      count.textContent = `${shown} of ${rows.length} rows`;
    };
    form.addEventListener("submit", event => event.preventDefault());
    form.addEventListener("input", filter);
    form.hidden = false;
    filter();
  }

  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  window.addEventListener("hashchange", open);
  open();

  document.querySelectorAll(".replay code").forEach(code => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy the replay command");
    button.addEventListener("click", async () => {
      const range = document.createRange();
      range.selectNodeContents(code);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Selected: copy it";
      }
    });
    code.after(button);
  });
})();

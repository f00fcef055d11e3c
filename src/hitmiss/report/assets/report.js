"use strict";

// The table of features: search, sort, pages and download. Names are set as text, never as HTML.
(() => {
  const PAGE = 25;
  const table = JSON.parse(document.getElementById("table").textContent);
  const section = document.getElementById("features");
  const body = document.querySelector("#rows tbody");
  const headings = [...document.querySelectorAll("#rows thead th")];
  const search = document.getElementById("search");
  const only = document.getElementById("only");
  const status = document.getElementById("status");
  const previous = document.getElementById("previous");
  const next = document.getElementById("next");

  const nRows = table.columns[0].values.length;
  const rank = { label: "Rank", kind: "number", values: Array.from({ length: nRows }, (_, i) => i + 1) };
  const columns = [rank, ...table.columns];
  const names = table.columns[0].values.map((name) => name.toLowerCase());
  const selected = table.columns.find((column) => column.kind === "flag").values;

  let rows = rank.values.map((_, i) => i);
  let sorted = { column: 0, direction: 1 };
  let page = 0;

  const value = (column, row) => column.values[row] ?? null;

  function shownNumber(number) {
    if (Number.isInteger(number)) return number.toLocaleString("en");
    const size = Math.abs(number);
    return size < 1e-4 || size >= 1e4 ? number.toExponential(3) : String(Number(number.toPrecision(4)));
  }

  function shown(column, row) {
    const found = value(column, row);
    if (column.kind === "flag") return found ? "yes" : "";
    if (found === null) return "–";
    return column.kind === "number" ? shownNumber(found) : found;
  }

  function compare(column, direction) {
    const text = new Intl.Collator("en", { numeric: true }).compare;
    return (a, b) => {
      const [x, y] = [value(column, a), value(column, b)];
      if (x === null || y === null) return (x === null) - (y === null) || a - b;
      return direction * (column.kind === "text" ? text(x, y) : x - y) || a - b;
    };
  }

  function update() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    rows = rank.values.map((_, i) => i).filter(
      (i) => (!only.checked || selected[i]) && words.every((word) => names[i].includes(word)),
    );
    if (sorted.column !== 0 || sorted.direction !== 1) {
      rows.sort(compare(columns[sorted.column], sorted.direction));
    }
    page = 0;
    draw();
  }

  function draw() {
    const first = page * PAGE;
    const visible = rows.slice(first, first + PAGE);
    body.replaceChildren(...visible.map(tableRow));
    const range = rows.length ? `${first + 1}–${first + visible.length} of ` : "";
    status.textContent = `${range}${rows.length.toLocaleString("en")} features`;
    previous.disabled = page === 0;
    next.disabled = first + PAGE >= rows.length;
  }

  function tableRow(row) {
    const line = document.createElement("tr");
    for (const column of columns) {
      const text = document.createElement("bdi");
      text.textContent = shown(column, row);
      const cell = line.insertCell();
      cell.className = column.kind;
      if (column.kind === "text") cell.title = text.textContent;
      cell.append(text);
    }
    return line;
  }

  function sortBy(column) {
    // Numbers are wanted largest first, except the rank.
    const usual = columns[column].kind === "text" || column === 0 ? 1 : -1;
    sorted = { column, direction: sorted.column === column ? -sorted.direction : usual };
    headings.forEach((heading, k) => {
      const direction = sorted.direction === 1 ? "ascending" : "descending";
      heading.setAttribute("aria-sort", k === column ? direction : "none");
    });
    update();
  }

  // A text that a spreadsheet would take for a formula gets an apostrophe in front.
  function quoted(found) {
    if (found === null || typeof found === "number") return found ?? "";
    const safe = /^[=+\-@\t\r\n]/.test(found) ? `'${found}` : found;
    return `"${safe.replaceAll('"', '""')}"`;
  }

  function csv() {
    const lines = [columns.map((column) => quoted(column.label))];
    for (const row of rows) lines.push(columns.map((column) => quoted(value(column, row))));
    return `\ufeff${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
  }

  function download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
    link.download = "features.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function turn(step) {
    page += step;
    draw();
  }

  headings.forEach((heading, k) => {
    heading.querySelector("button").addEventListener("click", () => sortBy(k));
  });
  search.addEventListener("input", update);
  only.addEventListener("change", update);
  previous.addEventListener("click", () => turn(-1));
  next.addEventListener("click", () => turn(1));
  document.getElementById("download").addEventListener("click", download);
  for (const controls of section.querySelectorAll(".controls")) controls.hidden = false;
  draw();
})();

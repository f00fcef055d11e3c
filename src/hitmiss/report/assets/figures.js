"use strict";

// Each figure as a file: SVG by download, PDF by the print dialog.
(() => {
  const SPACE = "http://www.w3.org/2000/svg";
  const LINE = 20; // height of an entry of the legend
  const STYLES = [
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size",
  ];

  // The picture with the styles of the page as attributes, so that it needs no style sheet.
  function painted(element) {
    const copy = element.cloneNode(true);
    const copies = [copy, ...copy.querySelectorAll("*")];
    [element, ...element.querySelectorAll("*")].forEach((original, k) => {
      const style = getComputedStyle(original);
      for (const name of STYLES) copies[k].setAttribute(name, style.getPropertyValue(name));
      copies[k].removeAttribute("class");
    });
    return copy;
  }

  function drawn(name, attributes) {
    const element = document.createElementNS(SPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  // An entry of the legend, which on the page is a list beside the picture.
  function entry(item, left, top) {
    const group = drawn("g", { transform: `translate(${left} ${top})` });
    const text = drawn("text", { x: 28, y: 9 });
    text.textContent = item.querySelector("bdi").textContent;
    for (const name of STYLES) {
      text.setAttribute(name, getComputedStyle(document.querySelector("svg text")).getPropertyValue(name));
    }
    group.append(painted(item.querySelector("svg path")), text);
    return group;
  }

  function standalone(figure) {
    document.documentElement.classList.add("light"); // a file is seen on white paper
    const picture = figure.querySelector("svg[role=img]");
    const copy = painted(picture);
    const { width, height } = picture.viewBox.baseVal;
    const items = [...figure.querySelectorAll(".legend li")];
    items.forEach((item, k) => copy.append(entry(item, 66, height + 4 + LINE * k)));
    document.documentElement.classList.remove("light");
    const total = height + (items.length ? LINE * items.length + 8 : 0);
    copy.setAttribute("xmlns", SPACE);
    copy.setAttribute("viewBox", `0 0 ${width} ${total}`);
    copy.setAttribute("width", width);
    copy.setAttribute("height", total);
    return new XMLSerializer().serializeToString(copy);
  }

  function fileName(figure) {
    const title = figure.querySelector("svg[role=img]").getAttribute("aria-label");
    return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  }

  function download(figure) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([standalone(figure)], { type: "image/svg+xml" }));
    link.download = `${fileName(figure)}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function print(figure) {
    const sheet = figure.cloneNode(true);
    sheet.classList.add("sheet");
    document.body.append(sheet);
    document.body.classList.add("one");
    addEventListener("afterprint", () => {
      sheet.remove();
      document.body.classList.remove("one");
    }, { once: true });
    window.print();
  }

  for (const figure of document.querySelectorAll("figure")) {
    const buttons = figure.querySelector(".save");
    if (!buttons || !figure.querySelector("svg[role=img]")) continue;
    const [svg, pdf] = buttons.querySelectorAll("button");
    svg.addEventListener("click", () => download(figure));
    pdf.addEventListener("click", () => print(figure));
    buttons.hidden = false;
  }
})();

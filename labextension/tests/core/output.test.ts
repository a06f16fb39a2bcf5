// What a sandbox sends to be shown: text, tables, images, HTML and SVG, each of which may be made to harm.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { sanitizeHtml, svgAsImage } from "../../src/core/html-frame";
import { TYPESET } from "../../src/core/formula";
import { imageFault, imageSize, MAX_IMAGE_CHARS } from "../../src/core/image";
import { TABLE, tableOf } from "../../src/core/table";
import { images } from "../contract";
import { asked, observed, Page, proposal } from "../page";

beforeEach(() => void vi.spyOn(document, "hasFocus").mockReturnValue(true));

function shown(data: Record<string, string>): HTMLElement {
  const page = new Page();
  page.push(asked, proposal(1, "x"), observed({ outputs: [{ data }] }));
  return page.el;
}

const PNG = images[0]!.data;

describe("an image", () => {
  it.each(images.map((one) => [one.name, one] as const))("is drawn if it is what it claims to be, and small enough: %s", (_name, one) => {
    expect(imageSize(one.mime, one.data)).toEqual(one.size);
    expect(imageFault(one.mime, one.data)).toBe(one.fault);
    expect(shown({ [one.mime]: one.data, "text/plain": "x" }).querySelectorAll("img, video")).toHaveLength(one.fault === "" ? 1 : 0);
  });

  it("that is not drawn is replaced by a note and its text", () => {
    const bomb = images.find(({ name }) => name.includes("900"))!;
    expect(shown({ "image/png": bomb.data, "text/plain": "<Figure>" }).textContent).toContain("An image is not shown: 30000 by 30000 pixels.<Figure>");
    expect(imageFault("image/png", PNG.padEnd(MAX_IMAGE_CHARS + 1))).toBe("larger than 5 MB");
  });

  it("that the kernel refused is replaced by a note with the reason", () => {
    const refused = JSON.stringify({ "image/png": "30 by 3 pixels\u202e", "text/html": "longer than 9 characters", "application/x": "of a type that is not shown" });
    const el = shown({ "application/vnd.smolcell.refused+json": refused, "text/plain": "<Figure>" });
    const notes = [...el.querySelectorAll(".smolcell-step .smolcell-note")].map((node) => node.textContent);
    expect(notes).toEqual(["An image is not shown: 30 by 3 pixels\\u{202e}.", "HTML is not shown: longer than 9 characters."]);
    expect(shown({ "application/vnd.smolcell.refused+json": refused.replace("image/png", "text/x") }).textContent).toContain("HTML is not shown");
  });

  it.each(["[", "7", "null", '"x"', '{"image/png": {"a": 1}}'])("with an invalid note about a refusal does no harm: %s", (refused) => {
    expect(shown({ "application/vnd.smolcell.refused+json": refused, "text/plain": "text" }).textContent).toContain("text");
  });
});

describe("Markdown and LaTeX", () => {
  it("becomes nodes, without links and images", () => {
    const el = shown({ "text/markdown": "# Title\n\n**a** [b](//evil.test) <b>c</b>", "text/plain": "x" }).querySelector(".smolcell-prose")!;
    expect(el.innerHTML).toBe(
      '<h5 class="smolcell-heading">Title</h5><p class="smolcell-paragraph"><strong>a</strong> <span class="smolcell-address">b (//evil.test)</span> &lt;b&gt;c&lt;/b&gt;</p>',
    );
  });

  const formula = (source: string): string => {
    vi.stubGlobal("ResizeObserver", class { constructor(private readonly seen: () => void) {} observe(node: Element) { Object.defineProperty(node, "clientWidth", { value: 9 }); setTimeout(() => this.seen()); } disconnect() {} });
    vi.useFakeTimers();
    const heard: string[] = [];
    const hear = (event: Event): void => { heard.push((event.target as Element).textContent ?? ""); event.preventDefault(); };
    document.addEventListener(TYPESET, hear);
    const el = shown({ "text/latex": source, "text/plain": "plain" });
    vi.runOnlyPendingTimers();
    document.removeEventListener(TYPESET, hear);
    vi.useRealTimers();
    vi.unstubAllGlobals();
    return el.querySelector(".smolcell-result")?.textContent ?? `typeset: ${heard.join()}`;
  };

  it("is typeset if the page does that", () => {
    expect(formula("$\\frac{x}{\\text{a}} \\left(\\operatorname{erf}\\right)$")).toBe("typeset: $\\frac{x}{\\text{a}} \\left(\\operatorname{erf}\\right)$");
    expect(shown({ "text/latex": "$x$", "text/plain": "plain" }).querySelector(".smolcell-result")?.textContent).toBe("plain");
  });

  it.each(["\\href{javascript:x}{y}", "\\def\\a{\\b}", "\\style{position:fixed}{x}", "\\require{html}", "\\class{a}{b}", "\\let\\a\\b", "^^5chref{a}{b}", "\\unicode{x41}", "x".repeat(20_001)])(
    "is text where it is more than a formula: %s",
    (source) => expect(formula(source)).toBe("plain"),
  );
});

describe("HTML", () => {
  it("is drawn in a frame without permissions, once it is opened", () => {
    const el = shown({ "text/html": "<b>bold</b>", "text/plain": "plain" });
    const place = [...el.querySelectorAll("details")].at(-1)!;
    expect([place.textContent, place.open, el.querySelectorAll("iframe").length]).toEqual(["As HTML, without scripts and network", false, 0]);
    place.open = true;
    place.dispatchEvent(new Event("toggle"));
    const frame = el.querySelector("iframe")!;
    expect([frame.getAttribute("sandbox"), frame.getAttribute("referrerpolicy"), frame.hasAttribute("src")]).toEqual(["", "no-referrer", false]);
    expect(frame.srcdoc).toContain(`content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`);
    expect(frame.srcdoc.endsWith("<body><b>bold</b>")).toBe(true);
  });

  it("is open if its text is useless", () => {
    expect(shown({ "text/html": "<b>bold</b>", "text/plain": "<IPython.core.display.HTML object>" }).querySelectorAll("iframe")).toHaveLength(1);
  });

  it.each([
    ["<p class=a style='color:red' onclick=x>a<script>b</script></p>", '<p class="a" style="color:red">a</p>'],
    ["<a href='https://x.example' ping=//y target=_top>link</a>", "<a>link</a>"],
    ["<a href=# data-commandlinker-command=terminal:create-new>plot</a>", "<a>plot</a>"],
    ["<p style='position:fixed;inset:0'>a</p><p style='background:URL(//x)'>b</p><p style='p\\6fsition:fixed'>c</p>", "<p>a</p><p>b</p><p>c</p>"],
    ["<img src=//x.example/a.png>text", "text"],
    ["<img src='data:image/svg+xml;base64,PHN2Zz4='>text", "text"],
    [`<img alt=a onerror=x src='data:image/png;base64,${PNG}'>`, `<img alt="a" src="data:image/png;base64,${PNG}">`],
    ["<meta http-equiv=refresh content='0;url=//x'><base href=//x><link rel=stylesheet href=//x>text", "text"],
    ["<form action=//x><input name=a><button>send</button></form>", "send"],
    ["<svg><style><img src=x onerror=y></style></svg><math><mtext></mtext></math>text", "text"],
    ["text<noscript><p title='</noscript><img src=x onerror=y>'></noscript>", "text"],
    ["<style>b{color:red}</style><b>x</b>", "<style>b{color:red}</style><b>x</b>"],
    ["<iframe srcdoc='<script>x</script>'></iframe><template><b>t</b></template>", ""],
    ["<table><tr><td colspan=2 background=//x>x</table>", '<table><tbody><tr><td colspan="2">x</td></tr></tbody></table>'],
    ["<scr\u0000ipt>alert(1)</scr\u0000ipt>", "alert(1)"],
  ])("is written anew: %s", (html, written) => {
    expect(sanitizeHtml(html)).toBe(written);
  });

  it("is limited in length, number and depth", () => {
    expect(sanitizeHtml("x".repeat(1_000_001))).toBe("");
    expect(sanitizeHtml("<b>x</b>".repeat(11_000)).length).toBe(10_000 * "<b>x</b>".length);
    expect(sanitizeHtml("<div>".repeat(400) + "x").length).toBeLessThan(2000);
  });
});

describe("SVG", () => {
  const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inside}</svg>`;

  it("is an image in the frame", () => {
    expect(svgAsImage(svg("<path d='M0 0'/>"))).toMatch(/^<img alt="" src="data:image\/svg\+xml;base64,[A-Za-z0-9+/=]+">$/);
    expect(shown({ "image/svg+xml": svg("") }).querySelectorAll("svg")).toHaveLength(0);
  });

  it("with reused glyphs is drawn", () => {
    expect(svgAsImage(svg('<defs><path id="g" d="M0 0"/></defs><g clip-path="url(#c)"><use xlink:href="#g"/><use href="#g"/></g>'))).not.toBe("");
  });

  it.each([
    ["entities", '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["images", svg('<image href="data:image/png;base64,AAAA"/>')],
    ["things that use what uses", svg('<g id="a"><path/></g><g id="b"><use href="#a"/></g><use href="#b"/>')],
    ["patterns of patterns", svg('<pattern id="a"><rect fill="url(#b)"/></pattern>')],
    ["styles that refer", svg("<style>rect{fill:url(#b)}</style>")],
    ["what is no SVG", "<svg><"],
  ])("with %s is not drawn", (_name, text) => {
    expect(svgAsImage(text)).toBe("");
  });
});

describe("a table", () => {
  const grid = { columns: ["a", "b\u202e"], index: ["0", "1"], rows: [["1", "<b>"], ["2", "y"]], numeric: [true, false], shape: [9, 2], gap: [1, 0] };

  it("is rows and cells with headings", () => {
    const el = shown({ [TABLE]: JSON.stringify(grid), "text/plain": "text", "text/html": "<b>" });
    const rows = [...el.querySelectorAll("tr")].map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows).toEqual([["", "a", "b\\u{202e}"], ["0", "1", "<b>"], ["\u2026", "\u2026", "\u2026"], ["1", "2", "y"]]);
    expect([...el.querySelectorAll("th[scope=col]")].map((cell) => cell.className)).toEqual(["smolcell-numeric", ""]);
    expect(el.querySelector(".smolcell-table-part p")?.textContent).toBe("9 rows \u00d7 2 columns");
    expect(el.querySelectorAll("iframe, pre.smolcell-result")).toHaveLength(0);
  });

  it("that is the answer is drawn as one", () => {
    const page = new Page();
    const outputs = [{ data: { [TABLE]: JSON.stringify(grid), "text/plain": "text" } }];
    page.push(asked, proposal(1, "x"), observed({ result: "text", outputs, is_final_answer: true }), { event: "Answered", run: "r", step: 1, text: "text" });
    expect(page.el.querySelectorAll("table")).toHaveLength(1);
    expect(page.el.querySelectorAll(".smolcell-answer table")).toHaveLength(1);
  });

  it.each([
    ["no JSON", "{"],
    ["nothing", "null"],
    ["a text", '"x"'],
    ["rows of another number", JSON.stringify({ ...grid, rows: [["1", "2"]] })],
    ["cells of another number", JSON.stringify({ ...grid, rows: [["1"], ["2"]] })],
    ["cells that are no text", JSON.stringify({ ...grid, rows: [[1, 2], [3, 4]] })],
    ["too many rows", JSON.stringify({ ...grid, index: Array(201).fill("x"), rows: Array(201).fill(["1", "2"]) })],
    ["a shape that is none", JSON.stringify({ ...grid, shape: [-1, 2] })],
    ["a cell that is too long", JSON.stringify({ ...grid, columns: ["a", "b".repeat(1001)] })],
  ])("is not drawn of %s", (_name, text) => {
    expect(tableOf(text)).toBe(null);
    expect(shown({ [TABLE]: text, "text/plain": "the text" }).querySelector(".smolcell-result")?.textContent).toBe("the text");
  });
});

describe("while a step runs", () => {
  it("displays are shown, updated, and become part of the observation, never as markup", () => {
    const page = new Page();
    const code = proposal(1, "x");
    page.push(asked, code, { event: "Allowed", run: "r", step: 1, text: "x", sha256: "", by: "person", kind: "code", edited: false, scope: "step", comment: "" });
    const show = (at: number, count: number, text: string | null): void =>
      page.stream({ channel: "display", step: 1, text: JSON.stringify({ at, count, data: text === null ? null : { "text/plain": text } }) });
    const seen = (): (string | null)[] => [...page.el.querySelectorAll(".smolcell-result")].map((node) => node.textContent);
    show(0, 1, "<img src=x>");
    show(1, 2, "2 of 9");
    show(1, 2, "3 of 9");
    expect([seen(), page.el.querySelector("img")]).toEqual([["<img src=x>", "3 of 9"], null]);
    show(0, 0, null);
    expect(seen()).toEqual([]);
    show(0, 1, "last");
    page.push(observed({ outputs: [{ data: { "text/plain": "last" } }] }));
    expect(seen()).toEqual(["last"]);
  });

  it("an output stands where it was displayed, among the printed text", () => {
    const page = new Page();
    page.push(asked, proposal(1, "x"));
    const outputs = ["first", "second", "third"].map((text) => ({ data: { "text/plain": text } }));
    page.push(observed({ stdout: "a\nb\nc", outputs, places: [1, 1, 2] }));
    expect([...page.el.querySelectorAll<HTMLElement>("pre")].filter(({ hidden }) => !hidden).map(({ textContent }) => textContent).slice(-6)).toEqual(["a\n", "first", "second", "b\n", "third", "c"]);
  });

  it("a progress bar is one line that changes", () => {
    const page = new Page();
    page.push(asked, proposal(1, "x"));
    for (const text of ["begun\n 10%", "\r 20%", "\r 30%\r", "\r100%\n"]) page.stream({ channel: "output", step: 1, text });
    expect(page.el.querySelector(".smolcell-printed")?.textContent).toBe("begun\n100%\n");
  });
});

// Shows HTML and SVG from a sandbox in a frame without scripts, origin, network or links.
//
// Four independent defenses, each of which stops all attacks known today:
// * The HTML is rebuilt from an allowlist of elements and attributes, without URLs.
// * The frame has the attribute `sandbox` without any permission.
// * The frame's Content-Security-Policy forbids every load except embedded images.
// * SVG is shown as an image: browsers run no scripts in images.

import { fold, h } from "./dom";
import { imageFault } from "./image";

const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const STYLE = "html{background:#fff;color:#1f2328;font:13px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}table{border-collapse:collapse}td,th{padding:2px 8px;text-align:right}img{max-width:100%}";
const MAX_CHARS = 1_000_000;
const MAX_NODES = 20_000;
const MAX_DEPTH = 100;

const ELEMENTS = new Set(
  (
    "A ABBR ARTICLE B BLOCKQUOTE BR CAPTION CODE COL COLGROUP DD DEL DETAILS DIV DL DT EM FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 " +
    "HEADER HR I IMG INS KBD LI MAIN MARK OL P PRE Q S SAMP SECTION SMALL SPAN STRONG STYLE SUB SUMMARY SUP TABLE TBODY TD TFOOT TH " +
    "THEAD TIME TR U UL VAR"
  ).split(" "),
);
/** Elements that are dropped with their content. Of other unknown elements the content is kept. */
const DROPPED = new Set("SCRIPT TEMPLATE NOSCRIPT IFRAME OBJECT EMBED APPLET FRAME FRAMESET PORTAL TITLE TEXTAREA SELECT SVG MATH".split(" "));
const ATTRIBUTES = new Set("align alt class colspan dir height id lang open rowspan scope span start style title valign width".split(" "));
const EMBEDDED_IMAGE = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;

/**
 * Returns a fold that draws the HTML, or else the SVG, in a frame when it is opened; null if neither can be shown.
 *
 * @param open whether the fold is open from the start.
 */
export function foldWithFrame(html: string | undefined, svg: string | undefined, open: boolean): HTMLElement | null {
  const body = html !== undefined ? sanitizeHtml(html) : svg !== undefined ? svgAsImage(svg) : "";
  if (body === "") return null;
  const kind = html !== undefined ? "HTML" : "SVG";
  const node = fold(`As ${kind}, without scripts and network`);
  const draw = (): void => {
    if (node.open && node.querySelector("iframe") === null) node.append(frame(body, kind));
  };
  node.addEventListener("toggle", draw);
  node.open = open;
  draw();
  return node;
}

function frame(body: string, kind: string): HTMLIFrameElement {
  const node = h("iframe", "frame");
  node.setAttribute("sandbox", ""); // set before there is anything to load
  node.setAttribute("referrerpolicy", "no-referrer");
  node.setAttribute("allow", "");
  node.title = `${kind} that the code made`;
  node.style.height = `${height(body)}em`; // an estimate: the page cannot measure the content; the user can resize the frame
  node.srcdoc = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><style>${STYLE}</style><body>${body}`;
  return node;
}

function height(body: string): number {
  const shown = body.replace(/<style[^]*?<\/style>/g, "");
  const preformatted = shown.match(/<pre[^]*?<\/pre>/g)?.join("") ?? "";
  const lines = count(shown, /<(?:tr|p|h\d|li|br|pre|div|dt|dd)\b/g) + count(preformatted, /\n/g);
  return Math.min(30, 4 + 1.8 * lines + (body.includes("<img") ? 20 : 0));
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}

// --- HTML -----------------------------------------------------------------------------------------------------------------

/** Rebuilds HTML from the allowed elements and attributes; "" if nothing is left. */
export function sanitizeHtml(html: string): string {
  if (html.length > MAX_CHARS) return "";
  // Neither document is part of a page, so nothing in them is loaded or run.
  const source = new DOMParser().parseFromString(html, "text/html");
  const clean = document.implementation.createHTMLDocument("");
  const budget = { nodes: MAX_NODES };
  for (const part of [source.head, source.body]) copyInto(clean.body, part, budget, 0);
  return clean.body.textContent?.trim() === "" && clean.body.querySelector("img, hr") === null ? "" : clean.body.innerHTML;
}

function copyInto(to: Element, from: Node, budget: { nodes: number }, depth: number): void {
  if (depth > MAX_DEPTH) return;
  for (const child of from.childNodes) {
    if (budget.nodes-- <= 0) return;
    if (child.nodeType === Node.TEXT_NODE) to.append(child.nodeValue ?? "");
    if (!(child instanceof Element)) continue;
    const tag = child.tagName.toUpperCase();
    if (DROPPED.has(tag)) continue;
    const copy = ELEMENTS.has(tag) ? copyElement(to.ownerDocument, child, tag) : to;
    if (copy === null) continue;
    if (copy !== to) to.append(copy);
    copyInto(copy, child, budget, depth + 1);
  }
}

/** Copies an element without its children; null if it must be dropped. */
function copyElement(into: Document, element: Element, tag: string): Element | null {
  const copy = into.createElement(tag);
  for (const { name, value } of element.attributes) {
    if (ATTRIBUTES.has(name) && !(name === "style" && /position|url\s*\(|\\/i.test(value))) copy.setAttribute(name, value);
  }
  if (tag !== "IMG") return copy;
  const source = EMBEDDED_IMAGE.exec(element.getAttribute("src") ?? "");
  if (source === null || imageFault(source[1] as string, source[2] as string) !== "") return null;
  copy.setAttribute("src", source[0]);
  return copy;
}

// --- SVG ------------------------------------------------------------------------------------------------------------------

/** Returns SVG as the markup of an `img` element; "" if it could expand to a huge drawing. */
export function svgAsImage(svg: string): string {
  if (svg.length > MAX_CHARS || /<!ENTITY|<!DOCTYPE[^>]*\[|<(?:\w+:)?(?:fe)?image\b/i.test(svg) || repeatsNested(svg)) return "";
  const bytes = new TextEncoder().encode(svg);
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `<img alt="" src="data:image/svg+xml;base64,${btoa(text)}">`;
}

/** Whether a repeated element contains repeated elements: ten nested levels of ten repetitions would draw ten billion elements. */
function repeatsNested(svg: string): boolean {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  if (parsed.querySelector("parsererror") !== null) return true;
  const all = [...parsed.querySelectorAll("*")];
  if (all.some((node) => node.localName === "style" && (node.textContent ?? "").includes("url("))) return true;
  const uses = all.filter((node) => node.localName === "use");
  const used = new Set(uses.flatMap((node) => [...node.attributes].filter(({ localName }) => localName === "href").map(({ value }) => value.replace(/^#/, ""))));
  if (uses.some((node) => within(node, ({ id }) => used.has(id)))) return true;
  const referring = all.filter((node) => [...node.attributes].some(({ value }) => value.includes("url(")));
  return referring.some((node) => within(node, ({ localName }) => REPEATED.has(localName)));
}

const REPEATED = new Set(["pattern", "marker", "mask", "clipPath"]);

function within(node: Element, is: (element: Element) => boolean): boolean {
  for (let up: Element | null = node; up !== null; up = up.parentElement) if (is(up)) return true;
  return false;
}

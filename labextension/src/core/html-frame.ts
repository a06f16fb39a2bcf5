// HTML and SVG from a sandbox, in a frame that can do nothing: no scripts, no origin, no network, no links.
//
// Four walls, of which each would do for what is known today. The HTML is written anew from elements and attributes
// that were reviewed, without addresses; what is framed is sandboxed with nothing allowed; its own policy forbids every
// load but of images that it brings along; SVG is shown as an image, in which browsers run no script.

import { fold, h } from "./dom";
import { imageFault } from "./image";

const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const LOOK = "html{background:#fff;color:#1f2328;font:13px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}table{border-collapse:collapse}td,th{padding:2px 8px;text-align:right}img{max-width:100%}";
const MOST_TEXT = 1_000_000; // characters
const MOST_NODES = 20_000;
const MOST_DEPTH = 100;

const ELEMENTS = new Set(
  (
    "A ABBR ARTICLE B BLOCKQUOTE BR CAPTION CODE COL COLGROUP DD DEL DETAILS DIV DL DT EM FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 " +
    "HEADER HR I IMG INS KBD LI MAIN MARK OL P PRE Q S SAMP SECTION SMALL SPAN STRONG STYLE SUB SUMMARY SUP TABLE TBODY TD TFOOT TH " +
    "THEAD TIME TR U UL VAR"
  ).split(" "),
);
/** What is left out with all that is in it; of others the text stays. */
const DROPPED = new Set("SCRIPT TEMPLATE NOSCRIPT IFRAME OBJECT EMBED APPLET FRAME FRAMESET PORTAL TITLE TEXTAREA SELECT SVG MATH".split(" "));
const ATTRIBUTES = new Set("align alt class colspan dir height id lang open rowspan scope span start style title valign width".split(" "));
const OWN_IMAGE = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;

/** A place to open, in which the HTML, else the SVG, is drawn once it is open; null where neither can be. */
export function framed(html: string | undefined, svg: string | undefined, open: boolean): HTMLElement | null {
  const body = html !== undefined ? htmlBody(html) : svg !== undefined ? svgBody(svg) : "";
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
  node.setAttribute("sandbox", ""); // before it has anything to load
  node.setAttribute("referrerpolicy", "no-referrer");
  node.setAttribute("allow", "");
  node.title = `${kind} that the code made`;
  node.style.height = `${height(body)}em`; // nobody outside can measure it; the person can pull at its corner
  node.srcdoc = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><style>${LOOK}</style><body>${body}`;
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

/** The HTML, written anew; "" where nothing is left of it. */
export function htmlBody(html: string): string {
  if (html.length > MOST_TEXT) return "";
  // Neither document is on a page: what is in them loads nothing and runs nothing.
  const given = new DOMParser().parseFromString(html, "text/html");
  const made = document.implementation.createHTMLDocument("");
  const left = { nodes: MOST_NODES };
  for (const part of [given.head, given.body]) copyInto(made.body, part, left, 0);
  return made.body.textContent?.trim() === "" && made.body.querySelector("img, hr") === null ? "" : made.body.innerHTML;
}

function copyInto(to: Element, from: Node, left: { nodes: number }, depth: number): void {
  if (depth > MOST_DEPTH) return;
  for (const child of from.childNodes) {
    if (left.nodes-- <= 0) return;
    if (child.nodeType === Node.TEXT_NODE) to.append(child.nodeValue ?? "");
    if (!(child instanceof Element)) continue;
    const tag = child.tagName.toUpperCase();
    if (DROPPED.has(tag)) continue;
    const copy = ELEMENTS.has(tag) ? copied(to.ownerDocument, child, tag) : to;
    if (copy === null) continue;
    if (copy !== to) to.append(copy);
    copyInto(copy, child, left, depth + 1);
  }
}

/** The element without its children; null where it must not be there. */
function copied(into: Document, element: Element, tag: string): Element | null {
  const copy = into.createElement(tag);
  for (const { name, value } of element.attributes) {
    if (ATTRIBUTES.has(name) && !(name === "style" && /position|url\s*\(|\\/i.test(value))) copy.setAttribute(name, value);
  }
  if (tag !== "IMG") return copy;
  const own = OWN_IMAGE.exec(element.getAttribute("src") ?? "");
  if (own === null || imageFault(own[1] as string, own[2] as string) !== "") return null;
  copy.setAttribute("src", own[0]);
  return copy;
}

// --- SVG ------------------------------------------------------------------------------------------------------------------

/** The SVG as an image; "" where it could unpack to more than it is. */
export function svgBody(svg: string): string {
  if (svg.length > MOST_TEXT || /<!ENTITY|<!DOCTYPE[^>]*\[|<(?:\w+:)?(?:fe)?image\b/i.test(svg) || multiplies(svg)) return "";
  const bytes = new TextEncoder().encode(svg);
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `<img alt="" src="data:image/svg+xml;base64,${btoa(text)}">`;
}

/** Does something that is drawn many times draw something many times? Ten such levels of ten are ten thousand million. */
function multiplies(svg: string): boolean {
  const given = new DOMParser().parseFromString(svg, "image/svg+xml");
  if (given.querySelector("parsererror") !== null) return true;
  const all = [...given.querySelectorAll("*")];
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

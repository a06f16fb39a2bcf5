// Draws charts from specifications that come from a sandbox, in isolated frames.
//
// * The sandbox supplies data, never a script: JSON that is parsed here, limited in size, without anything that loads or links.
// * The libraries that draw are files of the kernel. They run in a frame with an opaque origin, whose policy allows no loads except
//   embedded images, and no code made from text.
// * That frame is inside another one with the same policy. A policy cannot keep a document from navigating away, but it can
//   restrict the frames inside: they show only what they were given.
// * Every message from a frame is treated as hostile: a height within limits, and one picture, which is checked like any image.

import { button, type Child, fold, h, whenLaidOut } from "./dom";
import { isStepWaiting, whenNoneWaits } from "./held";
import { imageFault, imageNode } from "./image";
import { type Library, LIBRARY, type LibraryRequest } from "./library";
import { readable } from "./text";

/** Bubbling DOM event of a drawn chart. Detail: index among the step's outputs, picture (PNG, base64). */
export const PICTURE = "smolcell-picture";
export interface Picture {
  output: number;
  data: string;
}

const MAX_SPEC_CHARS = 3_000_000;
const MAX_FRAMES = 8; // of a card; each has its own copy of a library
const MAX_MESSAGES = 20; // of a frame
const HEIGHT = { initial: 450, min: 60, max: 2000 }; // pixels
const BELOW = 32; // pixels for "As text" below a chart

/**
 * Returns the chart of a bundle; null if it has none that can be drawn.
 *
 * @param output the index of the bundle among the step's outputs.
 * @param text the same as text, shown until the chart is drawn.
 */
export function chartOf(data: Record<string, string>, output: number, text: () => readonly Child[]): HTMLElement | null {
  for (const [mime, content] of Object.entries(data)) {
    const library = libraryOf(mime);
    const spec = library === undefined ? null : readSpecification(library, content);
    if (library !== undefined && spec !== null) return new Chart(library, spec, output, data, text()).el;
  }
  return null;
}

/** The library that draws this MIME type. */
export function libraryOf(mime: string): Library | undefined {
  const found = /^application\/vnd\.(plotly\.v1|vega\.v\d|vegalite\.v\d)\+json$/.exec(mime)?.[1];
  return found === undefined ? undefined : found.startsWith("plotly") ? "plotly" : "vega";
}

class Chart {
  readonly el = h("div", "chart");
  private readonly description: string;
  private frame: HTMLIFrameElement | null = null;
  private picture = "";
  private messages = 0;

  constructor(
    private readonly library: Library,
    private readonly spec: string,
    private readonly output: number,
    data: Record<string, string>,
    private readonly text: readonly Child[],
  ) {
    this.description = readable(data["text/plain"] ?? "").slice(0, 200) || "A chart the code made";
    const before = data["image/png"] ?? "";
    if (imageFault("image/png", before) === "") this.picture = before;
    this.put(...this.still());
    whenLaidOut(this.el, () => this.draw());
  }

  private draw(): void {
    const take = (code: string): void => {
      this.frame = createFrame(frameDocument(code, this.spec), this.description);
      this.messages = 0;
      show(this);
      this.put(this.frame, fold("As text", ...this.text));
    };
    this.reserve(HEIGHT.initial + BELOW);
    if (!this.emit<LibraryRequest>(LIBRARY, { name: this.library, take })) this.release(); // nothing here draws it
  }

  /** Handles a message, if it comes from this chart's frame. */
  receive({ source, data }: MessageEvent<unknown>): void {
    const from = (source as Window | null)?.parent; // the frame around it
    if (this.frame === null || !from || from !== this.frame.contentWindow || typeof data !== "object" || data === null || ++this.messages > MAX_MESSAGES) return;
    const { height, picture, fault } = data as Record<string, unknown>;
    if (typeof height === "number" && Number.isFinite(height)) this.fit(this.frame, Math.min(HEIGHT.max, Math.max(HEIGHT.min, height)));
    if (typeof fault === "string") this.fail(fault);
    if (typeof picture !== "string" || this.picture !== "" || imageFault("image/png", picture) !== "") return;
    this.picture = picture;
    this.emit<Picture>(PICTURE, { output: this.output, data: picture });
  }

  /** Replaces the frame by the picture, to free memory. */
  replaceByPicture(): void {
    this.frame = null;
    this.put(...this.still(), button("Interactive", "quiet", () => this.draw()));
  }

  /** The chart without its frame. */
  private still(): readonly Child[] {
    if (this.picture === "") return this.text;
    return [imageNode("image/png", this.picture, this.description), fold("As text", ...this.text)];
  }

  private fail(why: string): void {
    this.frame = null; // further messages are ignored
    this.put(h("p", "note", `The chart is not drawn: ${readable(why.slice(0, 300))}`), ...this.text);
  }

  private put(...children: readonly Child[]): void {
    if (isStepWaiting(this.el) && this.el.offsetHeight > 0) this.reserve(this.el.offsetHeight);
    this.el.replaceChildren(...children.filter((child): child is Node | string => child !== null && child !== false));
    this.release();
  }

  /** Makes the frame as high as the chart. While a step waits, the chart scrolls within its frame. */
  private fit(frame: HTMLIFrameElement, height: number): void {
    whenNoneWaits(this.el, () => (frame.style.height = `${height}px`));
  }

  /** Keeps the height at this number of pixels; what is longer scrolls. */
  private reserve(height: number): void {
    this.el.style.height = `${height}px`;
  }

  private release(): void {
    whenNoneWaits(this.el, () => (this.el.style.height = ""));
  }

  /** Returns whether a card takes the event. */
  private emit<T>(name: string, detail: T): boolean {
    return !this.el.dispatchEvent(new CustomEvent<T>(name, { bubbles: true, composed: true, cancelable: true, detail }));
  }
}

/** Sends the pictures of a card's charts to the kernel. */
export function forwardPictures(el: HTMLElement, post: (picture: Place & Picture) => void, signal: AbortSignal): void {
  const take = ({ target, detail }: CustomEvent<Picture>): void => {
    const place = placeOf(target as HTMLElement);
    if (place !== null) post({ ...place, ...detail });
  };
  el.addEventListener(PICTURE, take as (event: Event) => void, { signal });
}

/** The step that a chart belongs to. */
export interface Place {
  run: string;
  step: number;
  call: number;
}

function placeOf(chart: HTMLElement): Place | null {
  const step = chart.closest<HTMLElement>("[data-step]");
  const run = step?.closest<HTMLElement>("[data-run]")?.dataset["run"];
  return step === null || run === undefined ? null : { run, step: Number(step.dataset["step"]), call: Number(step.dataset["call"]) };
}

// --- the frames that are shown --------------------------------------------------------------------------------------------

const live: Chart[] = []; // oldest first

function show(chart: Chart): void {
  if (live.length === 0) window.addEventListener("message", dispatch);
  live.splice(0, live.length, ...live.filter((other) => other !== chart && other.el.isConnected), chart);
  if (live.length > MAX_FRAMES) live.shift()?.replaceByPicture();
}

function dispatch(event: MessageEvent<unknown>): void {
  for (const chart of [...live]) chart.receive(event);
}

function createFrame(content: string, title: string): HTMLIFrameElement {
  const node = h("iframe", "frame");
  node.setAttribute("sandbox", "allow-scripts"); // set before there is anything to load
  node.setAttribute("referrerpolicy", "no-referrer");
  node.setAttribute("allow", "");
  node.title = title;
  node.style.height = `${HEIGHT.initial}px`;
  node.srcdoc = content;
  return node;
}

/** The document of the frame around a chart's frame. `code` draws the specification, JSON without "<"; a nonce permits it to run. */
export function frameDocument(code: string, spec: string): string {
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join("");
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'`;
  const inlineOnly = "script-src 'unsafe-inline'"; // a second policy: under the first alone, import() takes the nonce along to any address
  const head = `<!doctype html><meta charset="utf-8">${[policy, inlineOnly].map((one) => `<meta http-equiv="Content-Security-Policy" content="${one}">`).join("")}`;
  const script = code.replace(/<(?=\/script|script|!--)/gi, "\\x3c"); // only occurs in string literals
  const inner = `${head}<style>html{background:#fff}body{margin:0}</style><div id="chart"></div><script type="application/json" id="spec">${spec}</script><script nonce="${nonce}">${script}</script>`;
  const escapedInner = inner.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `${head}<style>html,body{margin:0;height:100%}iframe{display:block;border:0;width:100%;height:100%}</style><iframe sandbox="allow-scripts" referrerpolicy="no-referrer" allow="" srcdoc="${escapedInner}"></iframe>`;
}

// --- specifications -------------------------------------------------------------------------------------------------------

type Json = Record<string, unknown>;

/** Validates a specification. Returns JSON that can be embedded in a document; null if there is nothing to draw. */
export function readSpecification(library: Library, text: string): string | null {
  if (text.length > MAX_SPEC_CHARS) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    const spec = isObject(parsed) ? (library === "plotly" ? cleanFigure(parsed) : parsed) : null;
    return spec === null ? null : JSON.stringify(spec).replaceAll("<", "\\u003c");
  } catch {
    return null;
  }
}

/** Traces on maps: their outlines and tiles would be loaded. */
const ON_MAPS = /^choropleth|geo$|^(?:scatter|density)map(?:box)?$/;

/** Removes from a Plotly figure the configuration (it can name servers), links, and images with URLs. */
function cleanFigure({ data, layout, frames }: Json): Json | null {
  if (!Array.isArray(data) || data.length === 0 || !data.every(isObject) || data.some(({ type }) => ON_MAPS.test(String(type)))) return null;
  return cleanValue({ data, layout: isObject(layout) ? layout : {}, frames: Array.isArray(frames) ? frames : [] }) as Json;
}

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/<\/?a\b[^>]*>/gi, "");
  if (Array.isArray(value)) return value.map(cleanValue);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !/^map(?:box)?\d*$/.test(name));
  return Object.fromEntries(entries.map(([name, part]) => [name, cleanValue(name === "images" && Array.isArray(part) ? part.filter(isEmbedded) : part)]));
}

function isEmbedded(image: unknown): boolean {
  return isObject(image) && /^data:image\/(?:png|jpeg|gif|webp);base64,/.test(String(image["source"]));
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

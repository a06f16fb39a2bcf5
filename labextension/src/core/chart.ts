// Charts of a sandbox, drawn from their specifications in frames that reach nothing.
//
// The rules this file exists to keep:
// * The sandbox gives data, never a script: JSON that is read here, bounded, and without what would load or link.
// * The libraries that draw are the kernel's own files. They run in a frame of an opaque origin, whose policy allows no load but
//   of images that it brings along, and no code made from text.
// * That frame lies in another one with the same policy. A policy cannot keep a document from going elsewhere itself, but it
//   decides what the frames within it may show: nothing but what they were given.
// * Whatever comes out of a frame is hostile: a height in bounds, and one picture, which is checked as every image is.

import { button, type Child, fold, h, whenLaidOut } from "./dom";
import { imageFault } from "./image";
import { type Library, LIBRARY, type Wanted } from "./library";
import { readable } from "./text";

/** Goes up from a chart that was drawn: its place among the step's outputs, and its picture as PNG in base64. */
export const PICTURE = "smolcell-picture";
export interface Picture {
  output: number;
  data: string;
}

const MOST_TEXT = 3_000_000; // characters
const MOST_FRAMES = 8; // of a card; each has its own copy of a library
const MOST_MESSAGES = 20; // of a frame
const HEIGHT = { first: 450, least: 60, most: 2000 }; // pixels

/** The chart of a bundle, which stands at place `output` of the step's; null where it has none that can be drawn. `text` says the same. */
export function chartOf(data: Record<string, string>, output: number, text: () => readonly Child[]): HTMLElement | null {
  for (const [mime, content] of Object.entries(data)) {
    const library = libraryOf(mime);
    const spec = library === undefined ? null : specification(library, content);
    if (library !== undefined && spec !== null) return new Chart(library, spec, output, data, text()).el;
  }
  return null;
}

/** What draws this type. */
export function libraryOf(mime: string): Library | undefined {
  const found = /^application\/vnd\.(plotly\.v1|vega\.v\d|vegalite\.v\d)\+json$/.exec(mime)?.[1];
  return found === undefined ? undefined : found.startsWith("plotly") ? "plotly" : "vega";
}

class Chart {
  readonly el = h("div", "chart");
  private readonly about: string;
  private frame: HTMLIFrameElement | null = null;
  private picture = "";
  private heard = 0;

  constructor(
    private readonly library: Library,
    private readonly spec: string,
    private readonly output: number,
    data: Record<string, string>,
    private readonly text: readonly Child[],
  ) {
    this.about = readable(data["text/plain"] ?? "").slice(0, 200) || "A chart the code made";
    const before = data["image/png"] ?? "";
    if (imageFault("image/png", before) === "") this.picture = before;
    this.put(...this.still());
    whenLaidOut(this.el, () => this.draw());
  }

  private draw(): void {
    const take = (code: string): void => {
      this.frame = framed(frameDocument(code, this.spec), this.about);
      this.heard = 0;
      show(this);
      this.put(this.frame, fold("As text", ...this.text));
    };
    this.say<Wanted>(LIBRARY, { name: this.library, take });
  }

  /** Takes a message, if it is of this chart's frame. */
  hear({ source, data }: MessageEvent<unknown>): void {
    const from = (source as Window | null)?.parent; // the frame around it
    if (this.frame === null || !from || from !== this.frame.contentWindow || typeof data !== "object" || data === null || ++this.heard > MOST_MESSAGES) return;
    const { height, picture, fault } = data as Record<string, unknown>;
    if (typeof height === "number" && Number.isFinite(height)) this.frame.style.height = `${Math.min(HEIGHT.most, Math.max(HEIGHT.least, height))}px`;
    if (typeof fault === "string") this.fail(fault);
    if (typeof picture !== "string" || this.picture !== "" || imageFault("image/png", picture) !== "") return;
    this.picture = picture;
    this.say<Picture>(PICTURE, { output: this.output, data: picture });
  }

  /** Shows the picture in place of the frame, which takes memory. */
  rest(): void {
    this.frame = null;
    this.put(...this.still(), button("Interactive", "quiet", () => this.draw()));
  }

  /** The chart without its frame. */
  private still(): readonly Child[] {
    if (this.picture === "") return this.text;
    const image = h("img", "image");
    image.alt = this.about;
    image.src = `data:image/png;base64,${this.picture}`;
    return [image, fold("As text", ...this.text)];
  }

  private fail(why: string): void {
    this.frame = null; // its messages count no more
    this.put(h("p", "note", `The chart is not drawn: ${readable(why.slice(0, 300))}`), ...this.text);
  }

  private put(...children: readonly Child[]): void {
    this.el.replaceChildren(...children.filter((child): child is Node | string => child !== null && child !== false));
  }

  private say<T>(name: string, detail: T): void {
    this.el.dispatchEvent(new CustomEvent<T>(name, { bubbles: true, composed: true, detail }));
  }
}

/** What a card does for its charts: hands the kernel their pictures. */
export function takePictures(el: HTMLElement, post: (picture: Place & Picture) => void, signal: AbortSignal): void {
  const take = ({ target, detail }: CustomEvent<Picture>): void => {
    const place = placeOf(target as HTMLElement);
    if (place !== null) post({ ...place, ...detail });
  };
  el.addEventListener(PICTURE, take as (event: Event) => void, { signal });
}

/** Which step's output it is. */
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

const live: Chart[] = []; // the oldest first

function show(chart: Chart): void {
  if (live.length === 0) window.addEventListener("message", hear);
  live.splice(0, live.length, ...live.filter((other) => other !== chart && other.el.isConnected), chart);
  if (live.length > MOST_FRAMES) live.shift()?.rest();
}

function hear(event: MessageEvent<unknown>): void {
  for (const chart of [...live]) chart.hear(event);
}

function framed(content: string, title: string): HTMLIFrameElement {
  const node = h("iframe", "frame");
  node.setAttribute("sandbox", "allow-scripts"); // before it has anything to load
  node.setAttribute("referrerpolicy", "no-referrer");
  node.setAttribute("allow", "");
  node.title = title;
  node.style.height = `${HEIGHT.first}px`;
  node.srcdoc = content;
  return node;
}

/** The document of the frame around a chart's frame. `code` draws the specification, JSON without "<", and is run by its nonce. */
export function frameDocument(code: string, spec: string): string {
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join("");
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'`;
  const inlineOnly = "script-src 'unsafe-inline'"; // a second policy: under the first alone, import() takes the nonce along to any address
  const head = `<!doctype html><meta charset="utf-8">${[policy, inlineOnly].map((one) => `<meta http-equiv="Content-Security-Policy" content="${one}">`).join("")}`;
  const script = code.replace(/<(?=\/script|script|!--)/gi, "\\x3c"); // within its texts
  const inner = `${head}<style>html{background:#fff}body{margin:0;overflow-y:hidden}</style><div id="chart"></div><script type="application/json" id="spec">${spec}</script><script nonce="${nonce}">${script}</script>`;
  const held = inner.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `${head}<style>html,body{margin:0;height:100%}iframe{display:block;border:0;width:100%;height:100%}</style><iframe sandbox="allow-scripts" referrerpolicy="no-referrer" allow="" srcdoc="${held}"></iframe>`;
}

// --- specifications -------------------------------------------------------------------------------------------------------

type Json = Record<string, unknown>;

/** What the library is given, as JSON that can stand in a document; null where there is nothing to draw. */
export function specification(library: Library, text: string): string | null {
  if (text.length > MOST_TEXT) return null;
  try {
    const given: unknown = JSON.parse(text);
    const spec = isObject(given) ? (library === "plotly" ? figure(given) : given) : null;
    return spec === null ? null : JSON.stringify(spec).replaceAll("<", "\\u003c");
  } catch {
    return null;
  }
}

/** Traces on maps, whose outlines and tiles would be loaded. */
const ON_MAPS = /^choropleth|geo$|^(?:scatter|density)map(?:box)?$/;

/** A figure of Plotly: without settings, which name servers; without links, and without images from elsewhere. */
function figure({ data, layout, frames }: Json): Json | null {
  if (!Array.isArray(data) || data.length === 0 || !data.every(isObject) || data.some(({ type }) => ON_MAPS.test(String(type)))) return null;
  return cleaned({ data, layout: isObject(layout) ? layout : {}, frames: Array.isArray(frames) ? frames : [] }) as Json;
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/<\/?a\b[^>]*>/gi, "");
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !/^map(?:box)?\d*$/.test(name));
  return Object.fromEntries(entries.map(([name, part]) => [name, cleaned(name === "images" && Array.isArray(part) ? part.filter(isOwn) : part)]));
}

function isOwn(image: unknown): boolean {
  return isObject(image) && /^data:image\/(?:png|jpeg|gif|webp);base64,/.test(String(image["source"]));
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

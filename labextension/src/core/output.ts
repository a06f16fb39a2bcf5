// The outputs of a step: text, tables, images, errors. All of it comes from the sandbox, so it is shown as text, except a few
// kinds of images and videos in base64. HTML and SVG are never put into the page: their plain text is, and they are shown in a
// frame without any rights. Markdown is rendered like a model's prose.

import { Printed } from "./ansi";
import { chartOf, libraryOf } from "./chart";
import { type Child, fold, h } from "./dom";
import type { Bundle, Fault, File } from "./events";
import type { Observation } from "./fold";
import { formulaBlock } from "./formula";
import { whenNoneWaits } from "./held";
import { foldWithFrame } from "./html-frame";
import { IMAGES, imageFault, imageNode, VIDEOS } from "./image";
import { Prose } from "./markdown";
import { TABLE, tableOf } from "./table";
import { count, filesText, readable } from "./text";

/** The nodes of an observation, without its printed text, which has a box of its own if all outputs come after it. */
export function observation(seen: Observation, ran: string): Child[] {
  const answered = isAnswer(seen); // the card shows the answer itself
  const result = answered || isRepeated(seen) ? "" : seen.result;
  const outputs = answered ? seen.outputs.filter((bundle) => isChart(bundle) || !says(bundle, seen.result)) : seen.outputs;
  return [
    ...notes(seen).map((note) => h("p", "note", note)),
    ...(seen.places.length > 0 ? inOrder(seen) : seen.outputs).flatMap((part) =>
      typeof part === "string" ? [printedText(part)] : outputs.includes(part) ? output(part, seen.outputs.indexOf(part)) : [],
    ),
    result !== "" && labelled("Result", text("result", readable(result))),
    seen.error !== null && fault(seen.error, ran),
    seen.changed.length > 0 && wrote(seen.changed),
    seen.files.length > 0 && files(seen.files),
  ];
}

/** The printed text in pieces, with each output where it was displayed. The same as `in_order` in `views/outputs.py`. */
function inOrder({ stdout, places, outputs }: Observation): (string | Bundle)[] {
  const lines = stdout.match(/[^\n]*\n|[^\n]+/g) ?? [];
  let done = 0;
  const upTo = (place: number): string[] => {
    const piece = lines.slice(done, place).join("");
    done = Math.max(done, place);
    return piece === "" ? [] : [piece];
  };
  const parts = outputs.flatMap((bundle, at): (string | Bundle)[] => [...upTo(places[at] ?? lines.length), bundle]);
  return [...parts, ...upTo(lines.length)];
}

function printedText(content: string): HTMLElement {
  const printed = new Printed(printedBox());
  printed.set(content);
  return printed.el;
}

/** The names that the step wrote; more than `MAX_OPEN_NAMES` are folded. */
function wrote(changed: readonly string[]): HTMLElement {
  if (changed.length <= MAX_OPEN_NAMES) return h("p", "changed", "Wrote ", ...names(changed));
  return fold(`Wrote ${count(changed.length, "name")}`, h("p", "changed", ...names(changed)));
}

const MAX_OPEN_NAMES = 20;

function files(written: readonly File[]): HTMLElement {
  const note = h("span", "quiet", " \u00b7 keep with: %agent files keep NAME");
  return h("p", "files", `Files written: ${filesText(written)}`, note);
}

/** The box for printed text. It scrolls, so it takes the keyboard focus. */
export function printedBox(): HTMLElement {
  return text("printed", "");
}

/** Whether an output already shows the result's text. */
function isRepeated(seen: Observation): boolean {
  return seen.outputs.some((bundle) => says(bundle, seen.result));
}

function says(bundle: Bundle, result: string): boolean {
  return bundle.data["text/plain"] === result;
}

function imageOf(bundle: Bundle, kinds = IMAGES): string | undefined {
  return kinds.find((mime) => bundle.data[mime] !== undefined && imageFault(mime, bundle.data[mime]) === "");
}

function isAnswer(seen: Observation): boolean {
  return seen.is_final_answer && seen.error === null;
}

/** A chart is drawn in its step even if its text is the answer. */
function isChart(bundle: Bundle): boolean {
  return Object.keys(bundle.data).some(libraryOf);
}

/** The answer as a table, image, video or formula, if its step displayed it as one; nothing if it is only text. */
export function answerOutput(seen: Observation): Child[] {
  const bundle = isAnswer(seen) ? seen.outputs.find((each) => says(each, seen.result) && !isChart(each)) : undefined;
  if (bundle === undefined) return [];
  const { [TABLE]: grid, [LATEX]: formula } = bundle.data;
  const drawn = imageOf(bundle, [...IMAGES, ...VIDEOS]) !== undefined || formula !== undefined || (grid !== undefined && tableOf(grid) !== null);
  return drawn ? drawnOrText(bundle) : [];
}

function notes(seen: Observation): string[] {
  const found: string[] = [];
  if (seen.dropped > 0) found.push(`${count(seen.dropped, "character")} of output left out.`);
  if (seen.rolled_back) found.push("Its changes were undone: variables and files are as they were before it.");
  if (seen.state_lost) found.push("The sandbox was restarted: variables of earlier steps are gone.");
  return found;
}

const LATEX = "text/latex";

/** The nodes of an output, which is number `at` of the step's outputs. */
export function output(bundle: Bundle, at = 0): Child[] {
  const chart = chartOf(bundle.data, at, () => textParts(bundle));
  return chart === null ? drawnOrText(bundle) : [chart];
}

function drawnOrText(bundle: Bundle): Child[] {
  const [mime, film] = [imageOf(bundle), imageOf(bundle, VIDEOS)];
  const { [TABLE]: grid, "text/plain": plain, "text/html": html, "text/markdown": markdown, [LATEX]: formula } = bundle.data;
  if (mime !== undefined) return [image(mime, bundle.data[mime] as string, plain ?? "")];
  if (film !== undefined) return [video(film, bundle.data[film] as string, plain ?? "")];
  const table = grid === undefined ? null : tableOf(grid);
  if (table !== null) return [table];
  // HTML is preferred to LaTeX, as in Jupyter: if there are both (a statsmodels summary), the LaTeX is meant for a document.
  if (formula !== undefined && html === undefined) return [formulaBlock(formula, text("result", readable(plain ?? formula)))];
  if (markdown !== undefined && html === undefined) return [prose(markdown)];
  const parts = textParts(bundle);
  if (parts.some((part) => part)) return parts;
  const kinds = [...Object.keys(bundle.data).filter((kind) => kind !== REFUSED), ...Object.keys(refusedOf(bundle))];
  return [h("p", "note", `Not shown: ${readable(kinds.join(", ")) || "an empty output"}`)];
}

/** Notes about refused parts, the text, and HTML or SVG in a frame. */
function textParts(bundle: Bundle): Child[] {
  const { "text/plain": plain, "text/html": html, "image/svg+xml": svg } = bundle.data;
  const says = plain !== undefined && !/^<.*>$/s.test(plain.trim()); // false for "<Report object at 0x7f…>"
  const frame = foldWithFrame(html, svg, !says);
  return [...refusals(bundle), plain !== undefined && (says || frame === null) && text("result", readable(plain)), frame];
}

/** The types that the kernel did not send, each with the reason. `smolcell/views/outputs.py` writes it. */
const REFUSED = "application/vnd.smolcell.refused+json";
const REPORTED = [...IMAGES, ...VIDEOS, "image/svg+xml", "text/html", TABLE];

function refusals(bundle: Bundle): Child[] {
  const here = IMAGES.map((kind): [string, unknown] => [kind, bundle.data[kind] === undefined ? "" : imageFault(kind, bundle.data[kind])]);
  const all = [...here, ...Object.entries(refusedOf(bundle)).filter(([kind]) => REPORTED.includes(kind) || libraryOf(kind) !== undefined)];
  return all.filter(([, why]) => why !== "").map(([kind, why]) => h("p", "note", `${WHAT[kind] ?? (libraryOf(kind) === undefined ? "An image" : "A chart")} is not shown: ${readable(String(why))}.`));
}

const WHAT: Record<string, string> = { "video/mp4": "A video", "video/webm": "A video", "text/html": "HTML", "image/svg+xml": "An SVG image", [TABLE]: "A table" };

function refusedOf(bundle: Bundle): Record<string, unknown> {
  try {
    const refused: unknown = JSON.parse(bundle.data[REFUSED] ?? "{}");
    return typeof refused === "object" && refused !== null ? { ...refused } : {};
  } catch {
    return {};
  }
}

function image(mime: string, data: string, description: string): HTMLElement {
  return imageNode(mime, data, readable(description).slice(0, 200) || "An image the code made");
}

function video(mime: string, data: string, description: string): HTMLElement {
  const node = h("video", "image video");
  [node.controls, node.loop, node.muted, node.preload] = [true, true, true, "metadata"];
  node.setAttribute("aria-label", readable(description).slice(0, 200) || "A video the code made");
  node.src = `data:${mime};base64,${data.replace(/\s/g, "")}`;
  const place = h("div", "", node);
  const fail = (): void => place.replaceChildren(h("p", "note", `This browser cannot play the video (${mime}).`), text("result", readable(description)));
  node.addEventListener("error", () => whenNoneWaits(place, fail));
  return place;
}

function prose(markdown: string): HTMLElement {
  const node = h("div", "prose");
  new Prose(node).set(markdown);
  return node;
}

function fault(error: Fault, ran: string): HTMLElement {
  const line = error.line > 0 ? ran.split("\n")[error.line - 1] : undefined;
  const trace = new Printed(text("traceback", ""));
  trace.set(error.traceback);
  return h(
    "div",
    "fault",
    h("p", "fault-title", h("strong", "", readable(error.type) || "Error"), error.message === "" ? null : `: ${readable(error.message)}`),
    h("p", "fault-kind", CAUSES[error.kind] ?? ""),
    line !== undefined && h("div", "fault-line", h("span", "", `line ${error.line}`), h("code", "", readable(line).trim())),
    error.hint !== undefined && error.hint !== "" && h("p", "fault-hint", readable(error.hint)),
    error.traceback !== "" && trace.el,
  );
}

const CAUSES: Record<string, string> = {
  forbidden: "The guard refused this: it is not allowed in the sandbox.",
  limit: "A limit ended this step.",
  sandbox: "The sandbox ended.",
  stopped: "The step was stopped.",
};

function labelled(label: string, node: HTMLElement): HTMLElement {
  node.setAttribute("aria-label", label);
  return node;
}

function text(look: string, content: string): HTMLElement {
  const node = h("pre", look, content);
  node.tabIndex = 0;
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", look === "printed" ? "Printed output" : "Output");
  return node;
}

function names(all: readonly string[]): Child[] {
  return all.flatMap((name, at): Child[] => [at > 0 ? ", " : null, h("code", "", readable(name))]);
}

// Validates and draws a saved run. Anyone may have written it into a notebook: it is accepted if it has the structure of a run and
// is not too large, else rejected as a whole. Its texts stay untrusted and are shown only as text.

import type { StepActions } from "../core/controls";
import { h, Slot } from "../core/dom";
import type { RunEvent } from "../core/events";
import { fold } from "../core/fold";
import { answerPart, footParts, headParts, taskParts } from "../core/head";
import { StepList } from "../core/step-list";
import { readable } from "../core/text";

/** Limits for a saved run. Runs that smolcell saves are far below them. */
export const MAX = { events: 5000, runs: 100, values: 200_000, characters: 8_000_000, lines: 40_000 };

export class BadRunError extends Error {}

type Shape = "text" | "number" | "flag" | "any" | { list: Shape } | { map: Shape } | { or: [null, Shape] } | Fields;
interface Fields {
  fields: Record<string, Shape>;
  /** Missing in runs that an older version saved. */
  later?: Record<string, Shape>;
}

const usage: Shape = { fields: { input_tokens: "number", output_tokens: "number", cost: { or: [null, "number"] } } };
const file: Shape = { fields: { name: "text", size: "number" } };
const finding: Shape = { fields: { kind: "text", text: "text", line: "number", risk: "text" } };
const fault: Shape = { fields: { kind: "text", type: "text", message: "text", line: "number", traceback: "text" }, later: { hint: "text" } };
const wall: Shape = { fields: { name: "text", stands: "flag", detail: "text" } };
const variable: Shape = { fields: { name: "text", type: "text", text: "text" } };
const piece: Shape = {
  fields: { kind: "text", name: "text", text: "text", size: "number", sha256: "text", used: "flag" },
  later: { by: "text", note: "text" },
};
const boundary: Shape = {
  fields: { sandbox: "text", where: "text", isolated: "flag", walls: { list: wall }, limits: { map: "any" }, imports: { list: "text" }, hosts: { list: "text" } },
  later: { python: "text", python_reason: "text", libraries: { list: "text" }, warning: "text" },
};

const receipt: Shape = {
  fields: {},
  later: {
    imports: { list: "text" },
    packages: { list: "text" },
    hosts: { list: "text" },
    files: { list: "text" },
    grants: { list: "text" },
    errors_by_type: { map: "number" },
    tools_called: { map: "number" },
    timings: { map: "number" },
    record: { map: "text" },
  },
};

const STEP = { run: "text", step: "number" } as const;

const EVENTS: { [K in RunEvent["event"]]: Fields } = {
  Asked: {
    fields: { run: "text", task: "text", variables: { list: variable }, images: { list: "text" }, model: "text", sandbox: "text", approve: "text", session: "text" },
    later: { resumes: "text", files: { list: file }, tools: { list: "text" }, lost: { list: "text" }, locks: { list: "text" }, agent: "text", parent: "text", parent_step: "number", parent_call: "number" },
  },
  Sent: { fields: { run: "text", pieces: { list: piece } } },
  Opened: { fields: { run: "text", boundary } },
  Replied: { fields: { ...STEP, text: "text", reasoning: "text", usage, model: "text", duration: "number" }, later: { note: "text", window: "number" } },
  Unparsed: { fields: { ...STEP, reason: "text" }, later: { dropped: "flag" } },
  Trimmed: { fields: { ...STEP, steps: { list: "number" } } },
  Proposed: { fields: { ...STEP, text: "text", kind: "text", thought: "text", findings: { list: finding }, fingerprint: "text" }, later: { call: "number" } },
  Installed: { fields: { ...STEP, packages: { list: { fields: { name: "text", version: "text", sha256: "text" } } }, index: "text" } },
  Granted: { fields: { ...STEP, grants: { list: { fields: { kind: "text", name: "text", scope: "text" } } } }, later: { revoked: "flag" } },
  Allowed: { fields: { ...STEP, text: "text", sha256: "text", by: "text", kind: "text", edited: "flag", scope: "text", comment: "text" }, later: { call: "number", offer: "text", who: "text" } },
  Refused: { fields: { ...STEP, reason: "text", by: "text", then: "text" }, later: { call: "number", who: "text" } },
  Called: { fields: { ...STEP, call: "number", name: "text", text: "text", result: "text", error: "text", duration: "number", times: "number" } },
  Connected: {
    fields: { ...STEP, host: "text", port: "number", sent: "number", received: "number", duration: "number", times: "number" },
    later: { refused: "text", credentials: { list: "text" } },
  },
  Checked: { fields: { ...STEP, at: "text", check: "text", found: { map: "number" }, action: "text", why: "text", to: "text" } },
  Observed: {
    fields: {
      ...STEP,
      stdout: "text",
      result: "text",
      outputs: { list: { fields: { data: { map: "text" } } } },
      error: { or: [null, fault] },
      changed: { list: "text" },
      is_final_answer: "flag",
      dropped: "number",
      state_lost: "flag",
      duration: "number",
    },
    later: { files: { list: file }, call: "number", rolled_back: "flag", places: { list: "number" } },
  },
  Answered: { fields: { ...STEP, text: "text" }, later: { is_text: "flag", uncomputed: "flag" } },
  Ended: { fields: { run: "text", state: "text", steps: "number", usage, duration: "number", error: "text", cut: "text" }, later: { receipt } },
  Branched: { fields: { ...STEP, asked: "number", usage, duration: "number" } },
  Undone: { fields: { ...STEP, how: "text", differs: { list: "number" }, uncovered: "text", stays: { list: "text" } } },
};

/** Validates a saved run and returns its events.
 *
 * @throws BadRunError if it is not a run, or is too large to be shown.
 */
export function readEvents(saved: unknown): RunEvent[] {
  if (!isRecord(saved) || !Array.isArray(saved["events"])) throw new BadRunError("it contains no events");
  const events: unknown[] = saved["events"];
  if (events.length > MAX.events) throw new BadRunError(`it has ${events.length} events`);
  const validator = new Validator();
  const known = events.filter((event): event is RunEvent => validator.isEvent(event));
  if (known[0]?.event !== "Asked") throw new BadRunError("it does not begin with a task");
  return known;
}

/** Merges a record with its output's metadata: a notebook that was run without a page stores there whatever differs in each run. */
export function mergeRecord(data: unknown, metadata: unknown, depth = 8): unknown {
  if (!isRecord(metadata) || depth === 0) return metadata;
  const merge = (key: string, value: unknown): unknown => (Object.hasOwn(metadata, key) ? mergeRecord(value, metadata[key], depth - 1) : value);
  if (Array.isArray(data)) return data.map((value, index) => merge(String(index), value));
  if (!isRecord(data)) return metadata;
  return Object.fromEntries([...Object.keys(data), ...Object.keys(metadata)].map((name) => [name, merge(name, data[name])]));
}

class Validator {
  private values = 0;
  private characters = 0;
  private lines = 0;
  private runs = 0;

  /** Whether this is an event of a known kind. Events of unknown kinds are from a later version and are left out. */
  isEvent(event: unknown): event is RunEvent {
    const kind = isRecord(event) ? event["event"] : undefined;
    if (typeof kind !== "string") throw new BadRunError("it contains an entry that is not an event");
    if (!Object.hasOwn(EVENTS, kind)) return false;
    if (kind === "Asked" && ++this.runs > MAX.runs) throw new BadRunError(`it has more than ${MAX.runs} runs`);
    if (!this.fits(event, EVENTS[kind as RunEvent["event"]])) throw new BadRunError(`its event ${kind} has an unexpected structure`);
    return true;
  }

  private fits(value: unknown, shape: Shape): boolean {
    if (++this.values > MAX.values) throw new BadRunError("it contains too many values");
    if (shape === "text") return typeof value === "string" && this.countText(value);
    if (shape === "number") return typeof value === "number" && Number.isFinite(value);
    if (shape === "flag") return typeof value === "boolean";
    if (shape === "any") return this.fits(value, "text") || value === null || ["number", "boolean"].includes(typeof value) || this.fits(value, { list: "any" });
    if ("or" in shape) return value === null || this.fits(value, shape.or[1]);
    if ("list" in shape) return Array.isArray(value) && value.every((item) => this.fits(item, shape.list));
    if (!isRecord(value)) return false;
    if ("map" in shape) return Object.entries(value).every(([name, item]) => this.countText(name) && this.fits(item, shape.map));
    return this.hasFields(value, shape);
  }

  private hasFields(value: Record<string, unknown>, { fields, later = {} }: Fields): boolean {
    const has = (name: string): boolean => Object.hasOwn(value, name);
    const needed = Object.entries(fields).every(([name, shape]) => has(name) && this.fits(value[name], shape));
    return needed && Object.entries(later).every(([name, shape]) => !has(name) || this.fits(value[name], shape));
  }

  /** Counts a text towards the limits; true unless one is exceeded. */
  private countText(text: string): boolean {
    this.characters += text.length;
    if (this.characters > MAX.characters) throw new BadRunError("it contains too much text");
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.lines++;
    if (this.lines > MAX.lines) throw new BadRunError("it has too many lines");
    return true;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// --- the card ------------------------------------------------------------------------------------------------------------
//
// Draws a saved run like its card. It needs no kernel, and nothing on it can be answered.

/** A saved run has no controls, so there is nothing to send. */
const NO_ACTIONS: StepActions = { answer: () => "", clickCounts: () => false, back: null };

/** The class of the saved output of a run; a live card of the run hides it. */
export function runClass(run: string): string {
  return `smolcell-run-${run.replace(/[^A-Za-z0-9-]/g, "")}`;
}

export function renderSavedCard(events: readonly RunEvent[]): HTMLElement {
  const state = fold(events);
  const steps = new StepList(NO_ACTIONS);
  steps.update(state, null);
  const unfinished = state.ended === null && h("p", "note", "This run was saved before it was over.");
  const card = h(
    "div",
    "card",
    h("div", "head", h("div", "head-text", part("task-part", taskParts(state)), part("head-parts", headParts(state)))),
    steps.el,
    part("notices", state.notices.map((notice) => h("p", "note", readable(notice.text)))),
    unfinished,
    part("answer", answerPart(state)),
    part("foot", footParts(state)),
  );
  card.dataset["link"] = "saved";
  card.dataset["run"] = state.run;
  card.setAttribute("role", "region");
  card.setAttribute("aria-label", "Saved agent run");
  return card;
}

function part(classes: string, children: ReturnType<typeof headParts>): HTMLElement {
  const place = new Slot(h("div", classes));
  place.draw([], () => children);
  return place.el;
}

// The head of a card (the task and where code runs) and its foot (the answer and the receipt).

import { sentPart } from "./context-pieces";
import { button, type Child, fold, h } from "./dom";
import type { Boundary, Receipt, Variable } from "./events";
import type { RunState } from "./fold";
import { Prose } from "./markdown";
import { answerOutput } from "./output";
import { cost, count, filesText, joinParts, readable, seconds, tokens } from "./text";

const LONG_TASK_CHARS = 160; // about two lines; used if the browser cannot measure the text

export function headParts(state: RunState): Child[] {
  const facts = [state.model, state.sandbox, state.approve && `approve: ${state.approve}`, state.session && `session: ${state.session}`, state.resumes && "resumed"];
  const mounted = state.files.filter((file) => file.read_only);
  const copied = state.files.filter((file) => !file.read_only);
  return [
    h("ul", "facts-line", ...facts.filter((fact) => fact !== "").map((fact) => h("li", "chip", readable(fact)))),
    state.boundary !== null && boundaryPart(state.boundary),
    state.boundary?.warning !== undefined && h("p", "note", `Warning: ${readable(state.boundary.warning)}.`),
    state.locks.length > 0 && locksPart(state.locks),
    state.variables.length > 0 && variablesPart(state.variables),
    copied.length > 0 && h("p", "quiet", `Files passed as copies: ${filesText(copied)}`),
    mounted.length > 0 && h("p", "quiet", `Mounted read-only: ${readable(mounted.map(({ name }) => name).join(", "))}`),
    sentPart(state.sent),
    state.tools.length > 0 && h("p", "quiet", `Tools it may call, outside the sandbox: ${readable(state.tools.join(", "))}`),
    state.lost.length > 0 && h("p", "note", `Lost with the previous sandbox: ${readable(state.lost.join(", "))}`),
    state.images > 0 && h("p", "quiet", `With ${count(state.images, "image")}.`),
  ];
}

/** The task: two lines, and a button that shows the rest. */
export function taskParts(state: RunState): Child[] {
  const text = readable(state.task);
  const shown = h("div", "task clamped", text);
  const more = button("Show the whole task", "more", () => open(!shown.classList.toggle("smolcell-clamped")));
  const open = (on: boolean): void => {
    more.textContent = on ? "Show less of the task" : "Show the whole task";
    more.setAttribute("aria-expanded", String(on));
  };
  open(false);
  more.hidden = text.length <= LONG_TASK_CHARS && text.trimEnd().split("\n").length <= 2;
  if (typeof ResizeObserver !== "undefined") new ResizeObserver(() => measure(shown, more)).observe(shown);
  return [shown, more];
}

function measure(shown: HTMLElement, more: HTMLElement): void {
  if (shown.clientHeight === 0 || !shown.classList.contains("smolcell-clamped")) return;
  more.hidden = shown.scrollHeight <= shown.clientHeight + 1;
}

function boundaryPart(boundary: Boundary): HTMLElement {
  const badge = h("span", boundary.isolated ? "badge safe" : "badge open", boundary.isolated ? "isolated" : "walls missing");
  const limits = Object.entries(boundary.limits).map(([name, value]) => `${name} ${String(value)}`);
  const node = fold(
    h("span", "", "Code runs in ", readable(boundary.where), " ", badge, boundary.python ? ` Python: ${readable(boundary.python)}; ${readable(boundary.python_reason ?? "")}` : null),
    boundary.walls.length > 0 && h("ul", "walls", ...boundary.walls.map(wall)),
    fact("Limits", limits),
    !boundary.python?.startsWith("full") && fact("Imports allowed", boundary.imports),
    fact("Hosts open", boundary.hosts.length > 0 ? boundary.hosts : ["none"]),
  );
  node.classList.add("smolcell-boundary");
  return node;
}

/** The rules of the policy, each with its file and line. */
function locksPart(all: readonly string[]): HTMLElement {
  return fold(`Policy: ${count(all.length, "rule")} you cannot change here`, h("ul", "walls", ...all.map((lock) => h("li", "wall", readable(lock)))));
}

function wall({ name, stands, detail }: Boundary["walls"][number]): HTMLElement {
  const mark = h("span", stands ? "stands" : "missing", stands ? "stands" : "missing");
  return h("li", "wall", mark, " ", h("strong", "", readable(name)), detail === "" ? null : `: ${readable(detail)}`);
}

function fact(label: string, values: readonly string[]): Child {
  return values.length > 0 && h("p", "quiet", `${label}: ${readable(values.join(", "))}`);
}

function variablesPart(all: readonly Variable[]): HTMLElement {
  const names = all.map(({ name, type }) => `${name} (${type})`).join(", ");
  const rows = all.map(({ name, type, text }) => h("li", "", h("code", "", readable(name)), ` ${readable(type)}`, h("pre", "about", readable(text))));
  return fold(`Goes in as a copy: ${readable(names)}`, h("ul", "variables", ...rows));
}

export const STATES: Record<string, string> = {
  success: "Done",
  max_steps_error: "Stopped at the step limit",
  refused: "Ended without approval",
  stopped: "Stopped",
  error: "Failed",
};

/** The receipt: what ran, who approved it, time and cost. */
export function footParts(state: RunState): Child[] {
  const end = state.ended;
  if (end === null) return [];
  const ran = state.steps.filter((step) => step.observation !== null && step.sha256 !== "");
  const calls = toolCounts(state);
  const line = joinParts(count(end.steps, "step"), seconds(end.duration), tokens(end.usage), cost(end.usage));
  return [
    h("div", `receipt ${end.state}`, h("strong", "", STATES[end.state] ?? end.state), h("span", "figures", line)),
    end.error !== "" && h("p", "fault-title", readable(end.error)),
    calls !== "" && h("p", "quiet", `Tools called: ${readable(calls)}`),
    details(end.receipt, calls === ""),
    ran.length > 0 &&
      fold(
        `What ran: ${count(ran.length, "step")}`,
        h("ul", "hashes", ...ran.map((step) => h("li", "", `Step ${step.n}${step.call === 0 ? "" : `, call ${step.call}`}, allowed by ${readable(step.by)}${step.who === "" ? "" : ` (${readable(step.who)})`}, SHA-256 `, h("code", "", readable(step.sha256))))),
      ),
  ];
}

/** A closed fold with what the run used; nothing if that is empty. `tools`: list the called tools, too. */
function details(used: Receipt, tools: boolean): Child {
  const { imports = [], packages = [], hosts = [], files = [], grants = [], errors_by_type = {}, tools_called = {}, timings = {}, record = {} } = used;
  const spent = Object.entries(timings).map(([name, value]) => `${SPENT[name] ?? name} ${seconds(value)}`);
  const facts = [
    fact("Errors", counted(errors_by_type)),
    fact("Packages", packages),
    fact("Standard library", imports.filter((name) => !packages.includes(name))),
    fact("Hosts", hosts),
    fact("Files", files),
    fact("Allowed by you", grants),
    tools && fact("Tools called", counted(tools_called)),
    fact("Time", spent),
    Object.keys(record).length > 0 && h("ul", "hashes", ...Object.entries(record).map(recorded)),
  ].filter((each) => each !== false);
  return facts.length > 0 && fold("Details", ...facts);
}

/** A digest, or the journal's name. `smolcell verify` checks them. */
function recorded([name, value]: [string, string]): HTMLElement {
  return h("li", "", `${RECORDED[name] ?? readable(name)} `, h("code", "", readable(value)));
}

const RECORDED: Record<string, string> = {
  journal: "Journal",
  chain: "Hash chain of the journal (SHA-256)",
  code: "Approved code, SHA-256",
  answer: "Answer, SHA-256",
  outputs: "Outputs, SHA-256",
};

const SPENT: Record<string, string> = { model: "model", waiting: "waiting for you", code: "code" };

function counted(times: Record<string, number>): string[] {
  return Object.entries(times).map(([name, n]) => (n === 1 ? name : `${name} ${n}\u00d7`));
}

/** Each tool that code called, how often and for how long. Calls that needed an approval are listed under "What ran". */
function toolCounts(state: RunState): string {
  const names = new Map<string, { times: number; duration: number; failed: boolean }>();
  for (const { name, times, duration, error } of state.steps.flatMap((step) => step.tools)) {
    const before = names.get(name) ?? { times: 0, duration: 0, failed: false };
    names.set(name, { times: before.times + times, duration: before.duration + duration, failed: before.failed || error !== "" });
  }
  const describe = ([name, { times, duration, failed }]: [string, { times: number; duration: number; failed: boolean }]): string =>
    `${name} ${times}\u00d7, ${seconds(duration)}${failed ? ", with errors" : ""}`;
  return [...names].map(describe).join("; ");
}

export function answerPart(state: RunState): Child[] {
  if (state.answer === null) return [];
  const { text, is_text, uncomputed } = state.answer;
  const seen = state.steps.at(-1)?.observation ?? null;
  const drawn = seen === null ? [] : answerOutput(seen);
  return [h("h4", "answer-title", uncomputed === true ? "Answer (not computed by any step)" : "Answer"), ...(drawn.length > 0 ? drawn : [is_text && isProse(text) ? prose(text) : plain(readable(text))])];
}

function prose(text: string): HTMLElement {
  const node = h("div", "prose answer-prose");
  new Prose(node, true).set(text);
  for (const sample of node.querySelectorAll<HTMLElement>(".smolcell-sample")) {
    const box = h("div", "copied");
    sample.replaceWith(box);
    box.append(...[sample, copyButton(sample)].filter((part) => part !== null));
  }
  return node;
}

/** A button that copies the sample; null if the page has no access to the clipboard. */
function copyButton(sample: HTMLElement): HTMLElement | null {
  const copy = button("Copy", "copy", () => {
    void navigator.clipboard.writeText(sample.textContent ?? "").then(
      () => show("Copied"),
      () => show("Not copied"),
    );
  });
  copy.setAttribute("aria-live", "polite");
  const show = (text: string): void => {
    copy.textContent = text;
    setTimeout(() => (copy.textContent = "Copy"), 2000);
  };
  return typeof navigator.clipboard === "undefined" ? null : copy;
}

function plain(text: string): HTMLElement {
  return isTabular(text) ? table(text) : h("div", "answer-text", text);
}

/** Whether a text can be shown as Markdown without breaking its columns. The same as in `smolcell/views/transcript.py`. */
export function isProse(text: string): boolean {
  return !isTabular(text) || text.split("\n").some((line) => RULED.test(line));
}

/** The line below the head of a Markdown table. */
const RULED = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/;

function table(text: string): HTMLElement {
  const node = h("pre", "answer-table", text);
  node.tabIndex = 0; // it scrolls if it is wider than the card
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", "Answer");
  return node;
}

const LIST_ITEM = /^\s*([-*+\u2022]|\d+[.)])\s/;
/** Spaces that align columns; not two spaces after a sentence. */
const ALIGNED = /(^|[^\s.!?:]) {2,}\S/;

/** Whether a text is a table, or otherwise needs a monospaced font. The same as in `smolcell/views/transcript.py`. */
export function isTabular(text: string): boolean {
  const lines = text.split("\n").filter((line) => trimmed(line) !== "");
  return lines.length > 1 && 3 * lines.filter(aligned).length >= lines.length;
}

function aligned(line: string): boolean {
  const bare = trimmed(line);
  const row = bare.length > 1 && bare.startsWith("|") && bare.endsWith("|");
  return row || (!LIST_ITEM.test(line) && ALIGNED.test(line));
}

function trimmed(line: string): string {
  let [start, end] = [0, line.length];
  while (start < end && line[start] === " ") start++;
  while (end > start && line[end - 1] === " ") end--;
  return line.slice(start, end);
}

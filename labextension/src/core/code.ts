// A program for review: every character is visible, with line numbers and the findings of the policy.

import { type Child, h } from "./dom";
import type { Finding, Kind, Risk } from "./events";
import { type Token, tokenizeLines } from "./highlight";
import { escapeChar, splitHidden, TAB } from "./text";

const RANK: Record<Risk, number> = { none: 0, low: 1, high: 2 };

/** The code, line by line. Long lines are wrapped, so that nothing is hidden to the right. */
export function codeBlock(code: string, kind: Kind, findings: readonly Finding[] = [], errorLine = 0): HTMLElement {
  const rows = kind === "code" ? tokenizeLines(code) : code.split("\n").map((text): Token[] => [{ kind: "plain", text }]);
  const block = h("div", "code");
  block.dataset["kind"] = kind;
  block.setAttribute("role", "group");
  block.setAttribute("aria-label", `${rows.length} ${rows.length === 1 ? "line" : "lines"} of ${kind}`);
  block.style.setProperty("--smolcell-digits", String(String(rows.length).length));
  rows.forEach((row, at) => block.append(line(row, at + 1, risk(findings, at + 1), at + 1 === errorLine)));
  return block;
}

function line(row: readonly Token[], n: number, level: Risk, error: boolean): HTMLElement {
  const marks = (level === "none" ? "" : ` ${level}`) + (error ? " error-line" : "");
  const number = h("span", "number");
  number.dataset["n"] = String(n);
  const source = h("code", "source");
  for (const token of row) source.append(...tokenNodes(token));
  return h("div", `line${marks}`, number, source);
}

/** A single line of code. */
export function codeLine(text: string): HTMLElement {
  return h("code", "source", ...(tokenizeLines(text)[0] ?? []).flatMap(tokenNodes));
}

function tokenNodes(token: Token): Node[] {
  return splitHidden(token.text).flatMap((piece): Node[] => {
    if (piece.hidden) return [hidden(piece.text)];
    if (token.kind === "plain" || token.kind === "name") return markForeign(piece.text);
    return [h("span", token.kind === "number" ? "number-literal" : token.kind, ...(TEXTUAL.has(token.kind) ? [piece.text] : markForeign(piece.text)))];
  });
}

/** Tokens in which letters beyond ASCII are ordinary. */
const TEXTUAL: ReadonlySet<Token["kind"]> = new Set(["string", "comment"]);

/** Marks letters beyond ASCII in names and signs, because they may look like ASCII letters. */
function markForeign(text: string): Node[] {
  return text.split(/([^\x00-\x7f]+)/).flatMap((part, at): Node[] => {
    if (part === "") return [];
    return [at % 2 === 0 ? document.createTextNode(part) : foreign(part)];
  });
}

function foreign(letters: string): HTMLElement {
  const node = h("span", "foreign-char", letters);
  node.title = `letters beyond ASCII: ${[...letters].map(escapeChar).join(" ")}`;
  return node;
}

function hidden(escape: string): HTMLElement {
  const node = h("span", "hidden-char", escape);
  node.title = escape === TAB ? "a tab" : "an invisible character";
  return node;
}

function risk(findings: readonly Finding[], n: number): Risk {
  return findings.filter((finding) => finding.line === n).reduce<Risk>((worst, { risk }) => (RANK[risk] > RANK[worst] ? risk : worst), "none");
}

/** The findings of the policy: warnings first, each with its line. */
export function findingList(findings: readonly Finding[]): HTMLElement | null {
  if (findings.length === 0) return null;
  const sorted = [...findings].sort((a, b) => RANK[b.risk] - RANK[a.risk] || a.line - b.line);
  const warnings = sorted.filter((finding) => finding.risk !== "none");
  const facts = sorted.filter((finding) => finding.risk === "none");
  const list = h("ul", "findings", ...warnings.map(warning), facts.length > 0 && h("li", "facts", ...byKind(facts)));
  list.setAttribute("aria-label", "Findings in the code");
  return list;
}

function warning(finding: Finding): HTMLElement {
  const mark = h("span", "mark", finding.risk === "high" ? "Warning" : "Note");
  return h("li", `finding ${finding.risk}`, mark, " ", ...findingText(finding.kind, [finding.text]), lineOf(finding));
}

/** The words before a finding's text, by kind; other kinds need none. `terminal_render.py` has the same table. */
const PREFIXES: Record<string, string> = {
  import: "imports ",
  file: "may read or write a file: ",
  network: "reaches into the network: ",
  process: "may start a process or run other code: ",
  install: "asks to install: ",
  dunder: "reaches into Python itself: ",
  tool: "calls ",
};
/** Texts that already start with such words. */
const PREFIXED = /^((?:reads|writes|reads or writes|deletes) a file: |starts a process: )(.*)$/s;

function findingText(kind: string, texts: readonly string[]): Child[] {
  const match = PREFIXED.exec(texts.length === 1 ? (texts[0] ?? "") : "");
  if (match !== null) return [match[1] ?? "", codeNode(match[2] ?? "")];
  const names = kind === "name" ? texts.flatMap((text) => text.split(", ")) : texts;
  const lead = kind === "name" ? `changes the ${names.length === 1 ? "variable" : "variables"} ` : PREFIXES[kind];
  if (lead === undefined) return visibleNodes(texts.join(", "));
  return [lead, ...names.flatMap((text, at) => (at > 0 ? [", ", codeNode(text)] : [codeNode(text)]))];
}

/** Findings without a risk, grouped by kind: `imports math, json`. */
function byKind(facts: readonly Finding[]): HTMLElement[] {
  const kinds = [...new Set(facts.map((fact) => fact.kind))];
  return kinds.map((kind) => {
    const texts = [...new Set(facts.filter((fact) => fact.kind === kind).map((fact) => fact.text))];
    return h("span", "fact", ...findingText(kind, texts));
  });
}

function codeNode(text: string): HTMLElement {
  return h("code", "", ...visibleNodes(text));
}

function visibleNodes(text: string): Child[] {
  return splitHidden(text).map((piece) => (piece.hidden ? hidden(piece.text) : piece.text));
}

function lineOf(finding: Finding): string {
  return finding.line > 0 ? ` (line ${finding.line})` : "";
}

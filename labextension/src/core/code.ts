// A program as a person reviews it: every character, with line numbers and what the policy found beside the lines.

import { type Child, h } from "./dom";
import type { Finding, Kind, Risk } from "./events";
import { lines, type Token } from "./highlight";
import { escaped, pieces, TAB } from "./text";

const RANK: Record<Risk, number> = { none: 0, low: 1, high: 2 };

/** The code, line by line. Long lines are broken, never cut: nothing is out of sight to the right. */
export function codeBlock(code: string, kind: Kind, findings: readonly Finding[] = [], errorLine = 0): HTMLElement {
  const rows = kind === "code" ? lines(code) : code.split("\n").map((text): Token[] => [{ kind: "plain", text }]);
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
  for (const token of row) source.append(...drawn(token));
  return h("div", `line${marks}`, number, source);
}

/** One line by itself. */
export function codeLine(text: string): HTMLElement {
  return h("code", "source", ...(lines(text)[0] ?? []).flatMap(drawn));
}

function drawn(token: Token): Node[] {
  return pieces(token.text).flatMap((piece): Node[] => {
    if (piece.hidden) return [hidden(piece.text)];
    if (token.kind === "plain" || token.kind === "name") return named(piece.text);
    return [h("span", token.kind === "number" ? "number-literal" : token.kind, ...(TEXTUAL.has(token.kind) ? [piece.text] : named(piece.text)))];
  });
}

/** Where any letter is ordinary. */
const TEXTUAL: ReadonlySet<Token["kind"]> = new Set(["string", "comment"]);

/** Names and signs: a letter beyond ASCII may look like one within, and is marked. */
function named(text: string): Node[] {
  return text.split(/([^\x00-\x7f]+)/).flatMap((part, at): Node[] => {
    if (part === "") return [];
    return [at % 2 === 0 ? document.createTextNode(part) : foreign(part)];
  });
}

function foreign(letters: string): HTMLElement {
  const node = h("span", "foreign-char", letters);
  node.title = `letters beyond ASCII: ${[...letters].map(escaped).join(" ")}`;
  return node;
}

function hidden(escape: string): HTMLElement {
  const node = h("span", "hidden-char", escape);
  node.title = escape === TAB ? "a tab" : "a character that cannot be seen";
  return node;
}

function risk(findings: readonly Finding[], n: number): Risk {
  return findings.filter((finding) => finding.line === n).reduce<Risk>((worst, { risk }) => (RANK[risk] > RANK[worst] ? risk : worst), "none");
}

/** What the policy read off the code: warnings first, each with its line. */
export function findingList(findings: readonly Finding[]): HTMLElement | null {
  if (findings.length === 0) return null;
  const sorted = [...findings].sort((a, b) => RANK[b.risk] - RANK[a.risk] || a.line - b.line);
  const warnings = sorted.filter((finding) => finding.risk !== "none");
  const facts = sorted.filter((finding) => finding.risk === "none");
  const list = h("ul", "findings", ...warnings.map(warning), facts.length > 0 && h("li", "facts", ...byKind(facts)));
  list.setAttribute("aria-label", "What was found in the code");
  return list;
}

function warning(finding: Finding): HTMLElement {
  const mark = h("span", "mark", finding.risk === "high" ? "Warning" : "Note");
  return h("li", `finding ${finding.risk}`, mark, " ", ...said(finding.kind, [finding.text]), where(finding));
}

/** The words before a finding's text, by kind; kinds that are missing here need none. The same table is in `terminal_render.py`. */
const SAYS: Record<string, string> = {
  import: "imports ",
  file: "may read or write a file: ",
  network: "reaches into the network: ",
  process: "may start a process or run other code: ",
  install: "asks to install: ",
  dunder: "reaches into Python itself: ",
  tool: "calls ",
};
/** Texts that bring their own words. */
const SAID = /^((?:reads|writes|reads or writes|deletes) a file: |starts a process: )(.*)$/s;

function said(kind: string, texts: readonly string[]): Child[] {
  const own = SAID.exec(texts.length === 1 ? (texts[0] ?? "") : "");
  if (own !== null) return [own[1] ?? "", shown(own[2] ?? "")];
  const names = kind === "name" ? texts.flatMap((text) => text.split(", ")) : texts;
  const lead = kind === "name" ? `changes the ${names.length === 1 ? "variable" : "variables"} ` : SAYS[kind];
  if (lead === undefined) return visibly(texts.join(", "));
  return [lead, ...names.flatMap((text, at) => (at > 0 ? [", ", shown(text)] : [shown(text)]))];
}

/** Plain facts, each kind once: `imports math, json`. */
function byKind(facts: readonly Finding[]): HTMLElement[] {
  const kinds = [...new Set(facts.map((fact) => fact.kind))];
  return kinds.map((kind) => {
    const texts = [...new Set(facts.filter((fact) => fact.kind === kind).map((fact) => fact.text))];
    return h("span", "fact", ...said(kind, texts));
  });
}

function shown(text: string): HTMLElement {
  return h("code", "", ...visibly(text));
}

function visibly(text: string): Child[] {
  return pieces(text).map((piece) => (piece.hidden ? hidden(piece.text) : piece.text));
}

function where(finding: Finding): string {
  return finding.line > 0 ? ` (line ${finding.line})` : "";
}

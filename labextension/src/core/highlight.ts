// A very small Python tokenizer for syntax colours. Nothing is decided by it, and it never changes a character.

export type TokenKind = "comment" | "string" | "expression" | "number" | "keyword" | "builtin" | "decorator" | "name" | "plain";

export interface Token {
  kind: TokenKind;
  text: string;
}

const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield match case"
  ).split(" "),
);

const BUILTINS = new Set(
  (
    "abs all any bool bytes dict enumerate filter float format frozenset getattr hasattr int isinstance iter len list map " +
    "max min next object open print range repr reversed round set setattr sorted str sum super tuple type zip eval exec " +
    "compile final_answer"
  ).split(" "),
);

// Every alternative takes at least one character and none can backtrack further than its own start.
const TOKEN = new RegExp(
  [
    /(?<comment>#[^\r\n]*)/,
    /(?<string>[rRbBuUfFtT]{0,2}(?:"""(?:\\[\s\S]|[^\\])*?(?:"""|$)|'''(?:\\[\s\S]|[^\\])*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\r\n])*"?|'(?:\\[\s\S]|[^'\\\r\n])*'?))/,
    /(?<number>(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?[jJ]?))/,
    /(?<decorator>@[\p{L}_][\p{L}\p{N}_.]*)/u,
    /(?<word>[\p{L}_][\p{L}\p{N}_]*)/u,
    /(?<plain>[\s\S])/,
  ]
    .map((part) => part.source)
    .join("|"),
  "gu",
);

/** Longer programs are not highlighted. */
export const MAX_HIGHLIGHTED_CHARS = 100_000;

/** Splits a program into tokens; their joined texts are the program. */
export function tokenize(code: string): Token[] {
  if (code.length > MAX_HIGHLIGHTED_CHARS) return [{ kind: "plain", text: code }];
  const found: Token[] = [];
  let before = "";
  for (const match of code.matchAll(TOKEN)) {
    const attribute = before === ".";
    before = match[0];
    for (const token of classify(match)) push(found, attribute && token.kind === "builtin" ? { ...token, kind: "name" } : token);
  }
  return found;
}

function classify(match: RegExpMatchArray): Token[] {
  const text = match[0];
  const groups = match.groups ?? {};
  if (groups["string"] !== undefined) return /^[^"']*[fFtT]/.test(text) ? splitFString(text) : [{ kind: "string", text }];
  if (groups["word"] !== undefined) return [{ kind: word(text), text }];
  for (const kind of ["comment", "number", "decorator"] as const) if (groups[kind] !== undefined) return [{ kind, text }];
  return [{ kind: "plain", text }];
}

function word(text: string): TokenKind {
  if (KEYWORDS.has(text)) return "keyword";
  return BUILTINS.has(text) ? "builtin" : "name";
}

/** Splits an f-string: its expressions are code and must not look like text. */
function splitFString(text: string): Token[] {
  return text
    .split(/(\{\{|\}\}|\{[^{}]*\})/)
    .filter((part) => part !== "")
    .map((part) => ({ kind: /^\{[^{]/.test(part) ? "expression" : "string", text: part }));
}

function push(found: Token[], token: Token): void {
  const last = found.at(-1);
  if (last !== undefined && last.kind === token.kind) last.text += token.text;
  else found.push(token);
}

/** The line ends of Python. A carriage return stays visible at the end of its line. */
const LINE_END = /\n|(?<=\r)(?!\n)/;

/** Splits a program into lines of tokens. */
export function tokenizeLines(code: string): Token[][] {
  const rows: Token[][] = [[]];
  let before = "";
  for (const { kind, text } of tokenize(code)) {
    if (before.endsWith("\r") && !text.startsWith("\n")) rows.push([]);
    before = text;
    text.split(LINE_END).forEach((part, at) => {
      if (at > 0) rows.push([]);
      if (part !== "") rows.at(-1)?.push({ kind, text: part });
    });
  }
  return rows;
}

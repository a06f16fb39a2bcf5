// Parses and completes the option line of `%%agent` like the kernel: split as by a shell, with the table of options that
// `scripts/write_options.py` writes. `smolcell/notebook/completion.py` completes in the same way.

import table from "./options.json";

export interface Option {
  flags: string[];
  /** The name of its value; "" if it takes none. */
  value: string;
  kind: string;
  choices: string[];
  /** Whether only `choices` are allowed. */
  only: boolean;
  /** Whether one word can contain several values, separated by commas. */
  list: boolean;
  help: string;
}

/** A part of the line; `why` is the reason if it is wrong. */
export interface Part {
  from: number;
  to: number;
  kind: "magic" | "option" | "value" | "wrong";
  why: string;
}

export interface Candidate {
  text: string;
  help: string;
}

export const OPTIONS: readonly Option[] = table;

const MAGIC = /^%%agent(?=[ \t]|$)/;
const BY_FLAG = new Map(OPTIONS.flatMap((option) => option.flags.map((flag) => [flag, option] as const)));

/** Whether a cell with this text is an agent cell. */
export function isAgentCell(text: string): boolean {
  return /^%%agent(?=\s|$)/.test(text);
}

// --- words ------------------------------------------------------------------------------------------------------------

interface Word {
  from: number;
  to: number;
  text: string;
  /** Whether its quotes are closed. */
  whole: boolean;
}

/** The words after the magic. Quotes can contain spaces, and a backslash escapes the next character. */
function wordsOf(line: string): Word[] {
  const found: Word[] = [];
  let at = MAGIC.exec(line)?.[0].length ?? line.length;
  while (at < line.length) {
    if (isSpace(line[at])) at++;
    else at = found[found.push(wordAt(line, at)) - 1]?.to ?? line.length;
  }
  return found;
}

function isSpace(char: string | undefined): boolean {
  return char === " " || char === "\t" || char === "\r";
}

function wordAt(line: string, from: number): Word {
  let [at, text, quote] = [from, "", ""];
  for (; at < line.length && (quote !== "" || !isSpace(line[at])); at++) {
    const char = line[at] as string;
    if (char === "\\" && quote !== "'") text += line[++at] ?? "";
    else if (quote === "" && (char === "'" || char === '"')) quote = char;
    else if (char === quote) quote = "";
    else text += char;
  }
  return { from, to: Math.min(at, line.length), text, whole: quote === "" };
}

// --- parts of the line -----------------------------------------------------------------------------------------------

/** Parses an option line into its parts; none if it is not an option line. */
export function parseLine(line: string): Part[] {
  const magic = MAGIC.exec(line);
  if (magic === null) return [];
  const found: Part[] = [{ from: 0, to: magic[0].length, kind: "magic", why: "" }];
  let awaited: { option: Option; part: Part } | null = null;
  for (const word of wordsOf(line)) {
    if (awaited !== null && !looksLikeOption(word.text)) {
      found.push(valuePart(awaited.option, word, word.from));
      awaited = null;
      continue;
    }
    markMissingValue(awaited);
    const [part, ...more] = optionParts(word);
    const option = BY_FLAG.get(word.text);
    awaited = part !== undefined && option !== undefined && option.value !== "" ? { option, part } : null;
    if (part !== undefined) found.push(part, ...more);
  }
  markMissingValue(awaited);
  return found;
}

/** Options that pass something in or reset the session; not repeated, because they have taken effect. */
const ONCE: ReadonlySet<string> = new Set(["--in", "--file", "--read-only", "--new"]);

/** The option line of the session's next cell: this one without options that are needed only once. */
export function followUpLine(line: string): string {
  const kept: string[] = [];
  let option: Option | undefined;
  for (const { kind, from, to } of parseLine(line)) {
    const text = line.slice(from, to);
    if (kind === "option") option = BY_FLAG.get(text);
    const glued = kind === "value" && from > 0 && !isSpace(line[from - 1]); // --name=value, -nvalue
    if (option !== undefined && kind !== "magic" && option.flags.some((flag) => ONCE.has(flag))) continue;
    if (glued) kept.push(`${kept.pop() ?? ""}${line[from - 1] === "=" ? "=" : ""}${text}`);
    else kept.push(text);
  }
  return kept.join(" ");
}

function markMissingValue(awaited: { option: Option; part: Part } | null): void {
  if (awaited !== null) Object.assign(awaited.part, { kind: "wrong", why: `${awaited.option.flags.at(-1)} needs a value: ${awaited.option.value}` });
}

function looksLikeOption(text: string): boolean {
  return text.startsWith("-") && text.length > 1 && !/^-\d|\s/.test(text);
}

/** `--name`, `--name=value`, `-n` or `-nvalue`. */
function optionParts(word: Word): Part[] {
  const { from, to, text } = word;
  if (BY_FLAG.has(text)) return [{ from, to, kind: "option", why: "" }];
  if (!looksLikeOption(text)) return [wrong(word, "Options only: the task begins on the next line")];
  const long = text.startsWith("--");
  const flag = long ? (text.split("=", 1)[0] as string) : text.slice(0, 2);
  const option = BY_FLAG.get(flag);
  if (option === undefined || (long && flag === text)) return [wrong(word, `There is no option ${flag}`)];
  if (option.value === "") return [wrong(word, `${flag} takes no value`)];
  const middle = from + flag.length;
  const start = middle + (text[flag.length] === "=" ? 1 : 0);
  return [{ from, to: middle, kind: "option", why: "" }, valuePart(option, { ...word, text: text.slice(start - from) }, start)];
}

function valuePart({ choices, only, flags }: Option, word: Word, from: number): Part {
  const known = !only || /[{$]/.test(word.text) || choices.includes(word.text.split(":", 1)[0] as string); // IPython fills in {…} and $…
  if (!word.whole) return wrong({ ...word, from }, "The quotes are not closed");
  return known ? { from, to: word.to, kind: "value", why: "" } : wrong({ ...word, from }, `${flags.at(-1)} is one of: ${choices.join(", ")}`);
}

function wrong({ from, to }: Word, why: string): Part {
  return { from, to, kind: "wrong", why };
}

// --- completion -------------------------------------------------------------------------------------------------------

/** Candidates for the end of `before`; they replace its part from `from` on. Names of the notebook are left to the kernel. */
export function completeOptions(before: string): { from: number; candidates: Candidate[] } {
  const words = wordsOf(before);
  const begun = MAGIC.test(before) && isSpace(before.at(-1)) ? null : (words.pop() ?? null);
  const nothing = { from: before.length, candidates: [] };
  if (!MAGIC.test(before) || words.some(({ whole }) => !whole) || (begun === null && !isSpace(before.at(-1)))) return nothing;
  const text = begun === null ? "" : before.slice(begun.from);
  if (/["'\\]/.test(text)) return nothing;
  const equals = text.indexOf("=");
  const option = equals < 0 ? awaitedBy(words) : BY_FLAG.get(text.slice(0, equals));
  if (option !== undefined) return values(option, text.slice(equals + 1), before.length);
  if (equals >= 0 || !/^(-|$)/.test(text)) return nothing;
  return { from: before.length - text.length, candidates: flagsFrom(text) };
}

function awaitedBy(words: readonly Word[]): Option | undefined {
  let awaited: Option | undefined;
  for (const { text } of words) {
    const option = awaited === undefined ? BY_FLAG.get(text) : undefined;
    awaited = option?.value === "" ? undefined : option;
  }
  return awaited;
}

function flagsFrom(typed: string): Candidate[] {
  const all = OPTIONS.flatMap((option) => (typed === "" ? option.flags.slice(-1) : option.flags).map((text) => ({ text, help: helpOf(option) })));
  return all.filter(({ text }) => text.startsWith(typed));
}

function helpOf({ flags, value, help }: Option): string {
  return `${flags.join(", ")}${value === "" ? "" : ` ${value}`}\n\n${help}`;
}

function values(option: Option, typed: string, end: number): { from: number; candidates: Candidate[] } {
  const last = option.list ? typed.slice(typed.lastIndexOf(",") + 1) : typed;
  const candidates = option.choices.filter((text) => text.startsWith(last)).map((text) => ({ text, help: helpOf(option) }));
  return { from: end - last.length, candidates };
}

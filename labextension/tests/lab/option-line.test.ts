// The option line as the kernel reads it.

import { describe, expect, it } from "vitest";
import { completeOptions, isAgentCell, followUpLine, OPTIONS, parseLine } from "../../src/lab/option-line";

/** The parts as `kind:text`, with what is wrong. */
function read(line: string): string[] {
  return parseLine(line).map(({ from, to, kind, why }) => `${kind}:${line.slice(from, to)}${why === "" ? "" : ` (${why})`}`);
}

describe("the parts of an option line", () => {
  it.each([
    ["%%agent", ["magic:%%agent"]],
    ["%%agent -m openai/x --new", ["magic:%%agent", "option:-m", "value:openai/x", "option:--new"]],
    ["%%agent --approve=risky -iname", ["magic:%%agent", "option:--approve", "value:risky", "option:-i", "value:name"]],
    ["%%agent --mcp 'uvx a b' ", ["magic:%%agent", "option:--mcp", "value:'uvx a b'"]],
    ['%%agent -f "a b\\" c"', ["magic:%%agent", "option:-f", 'value:"a b\\" c"']],
    ["%%agent --timeout -1", ["magic:%%agent", "option:--timeout", "value:-1"]],
    ["%%agent -a $mode", ["magic:%%agent", "option:-a", "value:$mode"]],
    ["%%agent --aprove ask", ["magic:%%agent", "wrong:--aprove (There is no option --aprove)", "wrong:ask (Options only: the task begins on the next line)"]],
    ["%%agent -a maybe", ["magic:%%agent", "option:-a", "wrong:maybe (--approve is one of: ask, risky, auto, deny)"]],
    ["%%agent --approve=maybe", ["magic:%%agent", "option:--approve", "wrong:maybe (--approve is one of: ask, risky, auto, deny)"]],
    ["%%agent -m --new", ["magic:%%agent", "wrong:-m (--model needs a value: NAME)", "option:--new"]],
    ["%%agent -o", ["magic:%%agent", "wrong:-o (--out needs a value: NAME)"]],
    ["%%agent --new=yes", ["magic:%%agent", "wrong:--new=yes (--new takes no value)"]],
    ["%%agent -f 'a", ["magic:%%agent", "option:-f", "wrong:'a (The quotes are not closed)"]],
    ["%%agents -m x", []],
    ["%agent -m x", []],
    [" %%agent", []],
  ])("%s", (line, parts) => expect(read(line)).toEqual(parts));

  it("knows every option of the table, short and long", () => {
    for (const { flags, value, choices } of OPTIONS)
      for (const flag of flags) expect(parseLine(`%%agent ${flag} ${value && (choices[0] ?? "1")}`).map(({ kind }) => kind)).not.toContain("wrong");
  });
});

describe("completion", () => {
  const texts = (before: string): [number, string[]] => {
    const { from, candidates } = completeOptions(before);
    return [from, candidates.map(({ text }) => text)];
  };

  it.each([
    ["%%agent --max", 8, ["--max-steps", "--max-output"]],
    ["%%agent -m x --appr", 13, ["--approve"]],
    ["%%agent --approve ", 18, ["ask", "risky", "auto", "deny"]],
    ["%%agent --approve=r", 18, ["risky"]],
    ["%%agent -s lo", 11, ["local"]],
    ["%%agent -i sa", 11, []],
    ["%%agent -i a,sa", 13, []],
    ["%%agent --nothing=", 18, []],
    ["%%agent word", 12, []],
    ["%%agent -f 'a", 13, []],
    ["%%agent", 7, []],
    ["%%agents --max", 14, []],
    ["x = 1", 5, []],
  ])("%s", (before, from, found) => expect(texts(before)).toEqual([from, found]));

  it("offers every option between two words", () => expect(texts("%%agent --new ")[1]).toEqual(OPTIONS.map(({ flags }) => flags.at(-1))));

  it("shows the help of an option", () =>
    expect(completeOptions("%%agent --mem").candidates).toEqual([{ text: "--memory", help: "--memory MB\n\nmemory of the sandbox (default: 2048)" }]));
});

it("tells agent cells from others", () => {
  const agent = ["%%agent", "%%agent -m x\ntask", "%%agent\ntask"].map(isAgentCell);
  const others = ["%%agents", "\n%%agent", "x\n%%agent", "%agent status", "%%agent?", ""].map(isAgentCell);
  expect([agent, others]).toEqual([[true, true, true], [false, false, false, false, false, false]]);
});

it.each([
  ["%%agent", "%%agent"],
  ["%%agent -i a,b --new --session mine -m openai/x", "%%agent --session mine -m openai/x"],
  ["%%agent --in=a -ib --approve=risky -onext", "%%agent --approve=risky -onext"],
  ["%%agent -f 'a b' --read-only --budget '$0.50' --file c", "%%agent --budget '$0.50'"],
])("the session's next cell has the options of %s but what was handed in", (line, next) => expect(followUpLine(line)).toBe(next));

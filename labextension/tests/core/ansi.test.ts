// Printed text with its colours, what a person changed, and how much is drawn again.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { Printed } from "../../src/core/ansi";
import { diffLines } from "../../src/core/diff";
import { asked, observed, Page, proposal } from "../page";

beforeEach(() => void vi.spyOn(document, "hasFocus").mockReturnValue(true));

function drawn(...texts: string[]): HTMLElement {
  const box = new Printed(document.createElement("pre"));
  for (const text of texts) box.set(text);
  return box.el;
}

const looks = (el: HTMLElement) => [...el.querySelectorAll("span")].map((span) => [span.textContent, span.className.replaceAll("smolcell-", "")]);

describe("printed text", () => {
  it.each([
    ["\u001b[31mred\u001b[0m", "red"],
    ["10%\r50%\r100%\ndone\r\n", "100%\ndone\n"],
    ["safe\b\b\b\bEVIL", "safe\\u{8}\\u{8}\\u{8}\\u{8}EVIL"],
    ["\u001b]8;;http://x\u0007", "\\u{1b}]8;;http://x\\u{7}"],
    ["\u001b[2J\u001b[6n", "\\u{1b}[2J\\u{1b}[6n"],
    ["\u009b31mx", "\\u{9b}31mx"],
    ["a\u001b[3", "a"],
  ])("%j reads %j", (text, read) => {
    expect(drawn(text).textContent).toBe(read);
  });

  it.each<[string, [string, string][]]>([
    ["a\u001b[31mb\u001b[0mc", [["b", "ansi-1"]]],
    ["\u001b[1;4;92mb", [["b", "ansi-2 ansi-bold ansi-underline"]]],
    ["\u001b[41;31mb", [["b", "on-1"]]],
    ["\u001b[38;5;16;48;5;16mtext", [["text", "on-0"]]],
    ["\u001b[8;30;40mtext", [["text", "on-0"]]],
    ["\u001b[7mb", [["b", "on-text"]]],
    ["\u001b[7;32mb\u001b[27mc", [["b", "on-2"], ["c", "ansi-2"]]],
    ["\u001b[38;2;250;10;10mb\u001b[38:5:21mc", [["b", "ansi-1"], ["c", "ansi-4"]]],
    ["\u001b[38;5;244mb\u001b[39mc", [["b", "ansi-7"]]],
    ["\u001b[33mone\ntwo\u001b[m\nthree", [["one", "ansi-3"], ["two", "ansi-3"]]],
    ["\u001b[32m10%\r\u001b[31m100%", [["100%", "ansi-1"]]],
    ["\u001b[99999999999999999999;;31mb", [["b", "ansi-1"]]],
  ])("%j looks like %j", (text, wanted) => {
    expect(looks(drawn(text))).toEqual(wanted);
  });

  it("looks the same however it is split", () => {
    const text = "a\u001b[31mb\nc\u001b[0m\r\nd 10%\rd 99%\u001b[44m!\n\u001b[1mend";
    const whole = drawn(text);
    const steps = Array.from({ length: text.length }, (_, at) => text.slice(0, at + 1));
    expect(drawn(...steps).textContent).toBe(whole.textContent);
    expect(looks(drawn(...steps))).toEqual(looks(whole));
    expect(drawn("another", text).textContent).toBe(whole.textContent);
  });

  it("does not change complete lines", () => {
    const box = new Printed(document.createElement("pre"));
    box.set("one\n\u001b[31mtwo\n");
    const nodes = [...box.el.childNodes];
    box.set("one\n\u001b[31mtwo\nthree");
    box.set("one\n\u001b[31mtwo\nthree\nfour");
    expect([...box.el.childNodes].slice(0, nodes.length)).toEqual(nodes);
    expect(nodes.every((node, at) => node === box.el.childNodes[at])).toBe(true);
  });

  it("in ten thousand pieces makes few nodes", () => {
    const box = new Printed(document.createElement("pre"));
    let text = "";
    for (let n = 0; n < 10_000; n++) box.set((text += `${n}\n`));
    expect([box.el.textContent === text, box.el.childNodes.length < 50]).toEqual([true, true]);
  });

  it("has a limited number of styled pieces", () => {
    const el = drawn("\u001b[31mx\u001b[0my".repeat(20_000));
    expect([el.querySelectorAll("span").length, el.textContent?.length]).toEqual([5000, 40_000]);
  });
});

describe("a difference", () => {
  it.each([
    ["a\nb\nc", "a\nB\nc", " a|-b|+B| c"],
    ["a", "a\nb", " a|+b"],
    ["a\nb\nc\nd", "a\nd", " a|-b|-c| d"],
    ["", "x", "-|+x"],
    ["x\ny\nz", "y\nx\nz", "-x| y|+x| z"],
  ])("of %j and %j is %j", (before, after, wanted) => {
    expect(diffLines(before, after).map(({ sign, text }) => sign + text).join("|")).toBe(wanted);
  });

  it("is exact for any texts, also for long ones", () => {
    const many = (n: number, from: number) => Array.from({ length: n }, (_, at) => `x${(at * from) % 7}`).join("\n");
    for (const [before, after] of [[many(50, 3), many(40, 5)], [many(3000, 3), many(2500, 5)]] as const) {
      const changes = diffLines(before, after);
      expect(changes.filter(({ sign }) => sign !== "+").map(({ text }) => text).join("\n")).toBe(before);
      expect(changes.filter(({ sign }) => sign !== "-").map(({ text }) => text).join("\n")).toBe(after);
    }
  });

  it("is shown with the lines around it", () => {
    const page = new Page();
    const code = Array.from({ length: 9 }, (_, at) => `x${at}`);
    const edited = code.with(4, "y\u200b4").join("\n");
    page.push(asked, proposal(1, code.join("\n")));
    page.push({ event: "Allowed", run: "r", step: 1, text: edited, sha256: "s", by: "person", kind: "code", edited: true, scope: "step", comment: "" });
    const rows = [...page.el.querySelectorAll(".smolcell-diff .smolcell-line")].map((row) => row.textContent);
    expect(rows).toEqual(["\u2026", " x2", " x3", "\u2212removed: x4", "+added: y\\u{200b}4", " x5", " x6", "\u2026"]);
  });
});

describe("a long run", () => {
  const FOLDING: (string | null)[] = ["data-collapsed", "aria-expanded"]; // of one step at each, in a long run

  /** How many changes of the page each of so many steps took, and how many of them were to earlier steps. */
  function counted(steps: number): { each: number[]; earlier: number } {
    const page = new Page();
    page.push(asked);
    const each: number[] = [];
    let earlier = 0;
    for (let n = 1; n <= steps; n++) {
      const before = [...page.el.querySelectorAll(".smolcell-step")];
      const watcher = new MutationObserver(() => undefined);
      watcher.observe(page.el, { subtree: true, childList: true, characterData: true, attributes: true });
      page.stream({ channel: "reply", step: n, text: "I think" }, { channel: "reply", step: n, text: " so." });
      page.push(proposal(n, `print(${n % 10})`), { event: "Allowed", run: "r", step: n, text: "x", sha256: "s", by: "auto", kind: "code", edited: false, scope: "step", comment: "" });
      page.stream({ channel: "output", step: n, text: "out\n" });
      page.push(observed({ step: n, stdout: "out\n" } as never));
      const records = watcher.takeRecords().filter(({ attributeName }) => !FOLDING.includes(attributeName));
      watcher.disconnect();
      each.push(records.length);
      earlier += records.filter(({ target }) => before.some((step) => step.contains(target))).length;
    }
    return { each, earlier };
  }

  it("does not redraw earlier steps, and needs as much work for the twentieth as for the second", () => {
    const { each, earlier } = counted(20);
    expect(earlier).toBe(0);
    expect(each[19]).toBe(each[1]);
  });
});

describe("a step", () => {
  it("is collapsed to its first line and opened again, and stays so while more arrives", () => {
    const page = new Page();
    page.push(asked, proposal(1, "x"), observed(), proposal(2, "y"));
    const [first] = page.el.querySelectorAll<HTMLElement>(".smolcell-step");
    expect([first!.dataset["collapsed"], page.button("Step 1").ariaExpanded]).toEqual(["false", "true"]);
    page.button("Step 1").click();
    page.push(observed({ step: 2 } as never));
    expect([first!.dataset["collapsed"], page.button("Step 1").ariaExpanded]).toEqual(["true", "false"]);
    page.button("Step 1").click();
    expect(first!.dataset["collapsed"]).toBe("false");
  });

  it("of a long run is collapsed once three follow, and stays open if the user opens it again", () => {
    const page = new Page();
    page.push(asked);
    const folded = (): string[] => [...page.el.querySelectorAll<HTMLElement>('.smolcell-step[data-collapsed="true"]')].map((step) => step.dataset["step"]!);
    for (let n = 1; n <= 8; n++) page.push(proposal(n, "x"), observed({ step: n } as never));
    expect(folded()).toEqual(["1", "2", "3", "4", "5"]);
    page.button("Step 2").click();
    page.push(proposal(9, "x"));
    expect(folded()).toEqual(["1", "3", "4", "5", "6"]);
  });

  it("with a waiting step below it is open", () => {
    const page = new Page();
    page.push(asked, proposal(1, "ask()"), { ...asked, run: "r-1", agent: "helper", parent: "r", parent_step: 1, parent_call: 0 } as typeof asked);
    page.button("Step 1").click();
    const step = page.el.querySelector<HTMLElement>(".smolcell-step")!;
    expect(step.dataset["collapsed"]).toBe("true");
    page.push({ ...proposal(1, "x"), run: "r-1" });
    page.pend({ run: "r-1", step: 1, fingerprint: "f1" });
    expect(step.dataset["collapsed"]).toBe("false");
    page.button("Step 1").click();
    expect(step.dataset["collapsed"]).toBe("false");
  });

  it("that waits is open", () => {
    const page = new Page();
    page.push(asked, proposal(1, "x"));
    page.button("Step 1").click();
    page.pend({ run: "r", step: 1, fingerprint: "f1" });
    page.button("Step 1").click();
    expect(page.el.querySelector<HTMLElement>(".smolcell-step")!.dataset["collapsed"]).toBe("false");
  });
});

// What of a program was on the screen, and what a yes to more than one step is offered for.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Finding } from "../src/events";
import { Reading, unreadText } from "../src/reading";
import { asked, Page, proposal } from "./page";

type Told = (entries: object[]) => void;

let screens: { tell: Told; watched: Set<Element> }[] = [];

/** Tells every observer of these lines that this part of each, from 0 to 1 of its height, is in view. */
function view(lines: readonly Element[], from = 0, to = 1): void {
  const entry = (target: Element) => ({ target, isIntersecting: true, boundingClientRect: { top: 0, height: 100 }, intersectionRect: { top: from * 100, bottom: to * 100 } });
  for (const { tell, watched } of [...screens]) {
    const seen = lines.filter((line) => watched.has(line));
    if (seen.length > 0) tell(seen.map(entry));
  }
}

beforeEach(() => {
  screens = [];
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  vi.spyOn(document, "hasFocus").mockReturnValue(true);
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      readonly watched = new Set<Element>();
      constructor(tell: Told) {
        screens.push({ tell, watched: this.watched });
      }
      observe(target: Element): void {
        this.watched.add(target);
      }
      unobserve(target: Element): void {
        this.watched.delete(target);
      }
      disconnect(): void {
        this.watched.clear();
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const lines = (count: number) => Array.from({ length: count }, () => document.createElement("div"));

describe("a line", () => {
  it.each<[string, [number, number][], boolean]>([
    ["whole at once", [[0, 1]], true],
    ["piece after piece", [[0, 0.4], [0.35, 0.8], [0.75, 1]], true],
    ["from below", [[0.6, 1], [0.2, 0.7], [0, 0.3]], true],
    ["but for its end", [[0, 0.5], [0.4, 0.9]], false],
    ["but for its middle", [[0, 0.4], [0.6, 1]], false],
    ["never", [], false],
  ])("seen %s", (_how, parts, whole) => {
    const line = document.createElement("div");
    const reading = new Reading([line], () => undefined);
    for (const [from, to] of parts) view([line], from, to);
    expect(reading.unread).toEqual(whole ? [] : [1]);
  });

  it("is unseen where the browser cannot tell", () => {
    vi.stubGlobal("IntersectionObserver", undefined);
    expect(new Reading(lines(2), () => undefined).unread).toEqual([1, 2]);
  });
});

describe("what was not seen", () => {
  it.each<[number[], number, string]>([
    [[], 9, ""],
    [[1], 1, "The code has not been whole on your screen."],
    [[1, 2, 3], 3, "None of the 3 lines has been whole on your screen."],
    [[4], 9, "Line 4 of 9 has not been on your screen."],
    [[1, 2, 4, 7, 8, 9], 9, "Lines 1\u20132, 4, 7\u20139 of 9 have not been on your screen."],
    [[1, 3, 5, 7, 9], 10, "Lines 1, 3, 5, 7 and others of 10 have not been on your screen."],
  ])("%j of %d is told as %j", (unread, total, text) => {
    expect(unreadText(unread, total)).toBe(text);
  });

  it("stands above the buttons until it was seen, and describes them", () => {
    const page = new Page();
    page.push(asked);
    page.wait(proposal(1, "a\nb\nc"));
    const code = [...page.el.querySelectorAll(".smolcell-line")];
    const note = page.el.querySelector<HTMLElement>(".smolcell-unread")!;
    view(code.slice(0, 2));
    expect([note.hidden, note.textContent]).toEqual([false, "Line 3 of 3 has not been on your screen. Show it"]);
    expect(page.button("Approve").getAttribute("aria-describedby")).toBe(note.id);
    view(code);
    expect([note.hidden, note.textContent]).toEqual([true, ""]);
  });
});

describe("a yes to the kind", () => {
  const kind = "Approve code without warnings, in this session";
  const finding = (kind: string, risk: Finding["risk"] = "low"): Finding => ({ kind, text: "x", line: 1, risk });

  function offered(page: Page): string[] {
    return page.buttons().filter((name) => name.endsWith("session"));
  }

  it.each<[string, Finding[], string[]]>([
    ["no warnings", [finding("import", "none")], [kind]],
    ["warnings, by their names", [finding("network"), finding("file", "high"), finding("file")], ["Approve code with no other warnings than file, network, in this session"]],
    ["characters that cannot be seen", [finding("hidden", "high")], []],
    ["an over-long line", [finding("long-line")], []],
    ["code that was not understood", [finding("syntax")], []],
  ])("with %s", (_name, findings, names) => {
    const page = new Page();
    page.push(asked);
    page.wait(proposal(1, "print(1)", { findings }));
    expect(offered(page)).toEqual([]);
    view([...page.el.querySelectorAll(".smolcell-line")]);
    expect(offered(page)).toEqual(names);
  });

  it("is not offered for a call", () => {
    const page = new Page();
    page.push(asked);
    page.wait(proposal(1, "f()", { kind: "call" }));
    view([...page.el.querySelectorAll(".smolcell-line")]);
    expect(offered(page)).toEqual([]);
  });

  it("is sent, once, and comes back after a cancelled edit", () => {
    const page = new Page();
    page.push(asked);
    page.wait(proposal(1, "print(1)"));
    view([...page.el.querySelectorAll(".smolcell-line")]);
    page.button("Edit").click();
    expect(offered(page)).toEqual([]);
    page.button("Cancel").click();
    page.button(kind).click();
    page.button(kind).click();
    expect(page.answers().map(({ choice }) => choice)).toEqual(["approve_kind"]);
  });
});

describe("letters beyond ASCII", () => {
  it("are marked in names, and left alone in texts and comments", () => {
    const page = new Page();
    page.push(asked, proposal(1, "\u043epen('\u043a\u043e\u0442')  # \u043a\u043e\u0442\nf'{\u0430}'"));
    const marked = [...page.el.querySelectorAll<HTMLElement>(".smolcell-foreign-char")].map((node) => [node.textContent, node.title]);
    expect(marked).toEqual([
      ["\u043e", "letters beyond ASCII: \\u{43e}"],
      ["\u0430", "letters beyond ASCII: \\u{430}"],
    ]);
  });
});

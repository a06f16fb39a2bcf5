// What of a program was on the screen, and what a yes to more than one step is offered for.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Kind } from "../../src/core/events";
import type { Pending } from "../../src/core/feed";
import { ReadProgress, unreadText } from "../../src/core/read-progress";
import { asked, Page, proposal } from "../page";

type ObserverCallback = (entries: object[]) => void;

let screens: { tell: ObserverCallback; watched: Set<Element> }[] = [];

/** Tells every observer of these lines that this part of each, from 0 to 1 of its height, is in view, and whether uncovered. */
function view(lines: readonly Element[], from = 0, to = 1, isVisible: boolean | null = true): void {
  const seen = { top: from * 100, bottom: to * 100, height: (to - from) * 100, left: 0, right: 40 };
  const entry = (target: Element) => ({ target, isIntersecting: true, isVisible: isVisible ?? undefined, intersectionRatio: to - from, boundingClientRect: { top: 0, height: 100 }, intersectionRect: seen });
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
      constructor(tell: ObserverCallback) {
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
    const reading = new ReadProgress([line], () => undefined);
    for (const [from, to] of parts) view([line], from, to);
    expect(reading.unread).toEqual(whole ? [] : [1]);
  });

  it("is unseen if the browser does not report it", () => {
    vi.stubGlobal("IntersectionObserver", undefined);
    expect(new ReadProgress(lines(2), () => undefined).unread).toEqual([1, 2]);
  });
});

describe("a line below something else", () => {
  afterEach(() => void Reflect.deleteProperty(document, "elementFromPoint"));

  it("is unseen until the cover is removed", () => {
    const line = document.createElement("div");
    const reading = new ReadProgress([line], () => undefined);
    const observe = vi.spyOn(screens[0]!.watched, "add");
    view([line], 0, 1, false);
    view([line], 0, 1, false);
    vi.advanceTimersByTime(300);
    expect([reading.unread, observe.mock.calls]).toEqual([[1], [[line]]]);
    view([line], 0, 1, true);
    expect(reading.unread).toEqual([]);
  });

  it.each<[string, boolean | null, [number, number][]]>([
    ["the browser does not say", null, [[0, 1]]],
    ["it sticks out of the window", false, [[0, 0.6], [0.5, 1]]],
  ])("is found by points if %s", (_why, isVisible, parts) => {
    const [line, cover] = [document.createElement("div"), document.createElement("div")];
    document.body.replaceChildren(line);
    const reading = new ReadProgress([line], () => undefined);
    let found = cover;
    document.elementFromPoint = () => found;
    for (const [from, to] of parts) view([line], from, to, isVisible);
    expect(reading.unread).toEqual([1]);
    found = line;
    for (const [from, to] of parts) view([line], from, to, isVisible);
    expect(reading.unread).toEqual([]);
  });

  it("is not observed again on a removed card", () => {
    const line = document.createElement("div");
    const reading = new ReadProgress([line], () => undefined);
    view([line], 0, 1, false);
    reading.close();
    vi.advanceTimersByTime(300);
    expect(screens[0]!.watched.size).toBe(0);
  });
});

describe("the note about unseen lines", () => {
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

  it("is shown with the buttons until all was seen, and describes them", () => {
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

describe("approving the rest of the run", () => {
  it.each<[Kind, string]>([
    ["code", "Approve the rest of this run"],
    ["call", "Approve the rest of this run"],
    ["plan", "Approve every plan of this run"],
  ])("about %s is offered once all of it was seen, and sent once", (kind, name) => {
    const page = new Page();
    page.push(asked);
    page.wait(proposal(1, "a\nb", { kind, findings: [{ kind: "syntax", text: "x", line: 1, risk: "low" }] }), { session: false });
    const code = [...page.el.querySelectorAll(".smolcell-line")];
    view(code.slice(1));
    expect(page.buttons()).toEqual(["Approve", "Edit", "Refuse", "Stop"]);
    view(code);
    expect(page.buttons()).toEqual(["Approve", "Edit", "Refuse", "Stop", name]);
    page.button(name).click();
    page.button(name).click();
    expect(page.answers().map(({ choice }) => choice)).toEqual(["approve_run"]);
  });
});

describe("approving the session's code", () => {
  const kind = "Approve code while the sandbox is isolated, in this session";

  function offered(page: Page): string[] {
    return page.buttons().filter((name) => name.endsWith("session"));
  }

  it.each<[string, Partial<Pending>, string[]]>([
    ["may be given, whatever was found", { session: true }, [kind]],
    ["may not be given", { session: false }, []],
  ])("that %s", (_name, pending, names) => {
    const page = new Page();
    page.push(asked);
    page.wait(proposal(1, "print(1)", { findings: [{ kind: "file", text: "x", line: 1, risk: "high" }] }), pending);
    expect(offered(page)).toEqual([]);
    view([...page.el.querySelectorAll(".smolcell-line")]);
    expect(offered(page)).toEqual(names);
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
  it("are marked in names, but not in strings and comments", () => {
    const page = new Page();
    page.push(asked, proposal(1, "\u043epen('\u043a\u043e\u0442')  # \u043a\u043e\u0442\nf'{\u0430}'"));
    const marked = [...page.el.querySelectorAll<HTMLElement>(".smolcell-foreign-char")].map((node) => [node.textContent, node.title]);
    expect(marked).toEqual([
      ["\u043e", "letters beyond ASCII: \\u{43e}"],
      ["\u0430", "letters beyond ASCII: \\u{430}"],
    ]);
  });
});

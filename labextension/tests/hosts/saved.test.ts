// Saved runs: the same card without a kernel, and whatever else a notebook's file may hold in their place.

import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/core/events";
import { BadRunError, readEvents, MAX, runClass, renderSavedCard, mergeRecord } from "../../src/hosts/saved";
import { runs } from "../contract";
import { asked, observed, Page, proposal } from "../page";

const saved = (events: unknown): unknown => JSON.parse(JSON.stringify({ version: 1, events }));
const ENDED = runs.filter(({ events }) => events.at(-1)?.event === "Ended");
const KNOWN = new Set("DIV SECTION SPAN P PRE CODE UL LI H4 STRONG DETAILS SUMMARY BUTTON IMG IFRAME TABLE THEAD TBODY TR TH TD CAPTION Q DEL INS".split(" "));

function text(node: Element, selector: string): string[] {
  return [...node.querySelectorAll(selector)].map((found) => found.textContent ?? "");
}

describe("a saved run", () => {
  it.each(ENDED.map((one) => [one.name, one] as const))("shows the same as its card: %s", (_name, { events }) => {
    const page = new Page();
    page.push(...events);
    const card = renderSavedCard(readEvents(saved(events)));
    for (const part of page.card.querySelectorAll(".smolcell-back")) part.remove(); // without a kernel there is no way back
    for (const part of [".smolcell-task", ".smolcell-step", ".smolcell-answer", ".smolcell-foot"]) expect(text(card, part)).toEqual(text(page.card, part));
    expect(card.querySelectorAll(".smolcell-controls, style, input, textarea")).toHaveLength(0);
    page.leave();
  });

  it("has no controls if it was saved while a step waited", () => {
    const card = renderSavedCard(readEvents(saved([asked, proposal(1, "x = 1")])));
    expect(text(card, ".smolcell-note")).toEqual(["This run was saved before it was over."]);
    expect(text(card, "button").filter((label) => /approve|refuse|edit|stop/i.test(label))).toEqual([]);
  });

  it("leaves out events of a later version", () => {
    const events = [asked, { event: "Remembered", run: "r", what: {} }, proposal(1, "x = 1")];
    expect(readEvents(saved(events)).map(({ event }) => event)).toEqual(["Asked", "Proposed"]);
  });

  it("is merged with its metadata if it was run without a page", () => {
    const same = { version: 1, events: [{ ...asked, run: "run-1" }, { event: "Opened", deep: [{ where: "local" }] }] };
    const differs = { chain: ["c"], events: { "0": { run: "abc" }, "1": { deep: { "0": { where: "pid 7" } } } } };
    const events = [{ ...asked, run: "abc" }, { event: "Opened", deep: [{ where: "pid 7" }] }];
    expect(mergeRecord(same, differs)).toEqual({ version: 1, events, chain: ["c"] });
    expect(mergeRecord(same, {})).toEqual(same);
  });

  it("has a class that consists of safe characters only", () => expect(runClass('a1"-} * { x')).toBe("smolcell-run-a1-x"));
});

describe("an invalid saved run", () => {
  it.each([
    [null, "it contains no events"],
    [[], "it contains no events"],
    [{ events: {} }, "it contains no events"],
    [{ events: [] }, "it does not begin with a task"],
    [{ events: ["Asked"] }, "it contains an entry that is not an event"],
    [{ events: [proposal(1, "x")] }, "it does not begin with a task"],
    [{ events: [{ ...asked, task: { toString: "x" } }] }, "its event Asked has an unexpected structure"],
    [{ events: [asked, observed({ outputs: [{ data: { "text/html": ["<b>"] } }] } as never)] }, "its event Observed has an unexpected structure"],
    [{ events: [asked, { ...proposal(1, "x"), step: "1" }] }, "its event Proposed has an unexpected structure"],
    [{ events: Array.from({ length: MAX.events + 1 }, () => asked) }, `it has ${MAX.events + 1} events`],
    [{ events: Array.from({ length: MAX.runs + 1 }, () => asked) }, `it has more than ${MAX.runs} runs`],
    [{ events: [asked, proposal(1, "\n".repeat(MAX.lines + 1))] }, "it has too many lines"],
    [{ events: [asked, observed({ stdout: "x".repeat(MAX.characters) })] }, "it contains too much text"],
    [{ events: [{ ...asked, variables: undefined }] }, "its event Asked has an unexpected structure"],
    [{ events: [asked, { ...proposal(1, "x"), findings: Array.from({ length: MAX.values }, () => null) }] }, "its event Proposed has an unexpected structure"],
  ])("is said to be none (%#)", (json, why) => {
    expect(() => readEvents(json)).toThrow(BadRunError);
    expect(() => readEvents(json)).toThrow(why);
  });

  it("cannot use inherited property names as events", () => {
    const events = JSON.parse('[{"event": "constructor"}, {"event": "__proto__"}]') as RunEvent[];
    expect(() => readEvents({ events })).toThrow("it does not begin with a task");
  });
});

describe("three hundred damaged runs", () => {
  const values: unknown[] = [null, "", "<img src=x onerror=alert(1)>", -1, 1e300, true, [], {}, [[]], { data: { "text/html": "<script>alert(1)</script>" } }, "\u202e\ud800", "r"];

  it("are drawn with known elements without handlers, or rejected", () => {
    const random = generator(7);
    const drawn = new Map<boolean, number>();
    for (let round = 0; round < 300; round++) {
      const events = JSON.parse(JSON.stringify(ENDED[round % ENDED.length]!.events)) as RunEvent[];
      for (let change = 0; change <= round % 3; change++) damage(events, random);
      const card = cardOrNull({ version: 1, events });
      drawn.set(card !== null, (drawn.get(card !== null) ?? 0) + 1);
      const nodes = card === null ? [] : [...card.querySelectorAll("*")];
      expect(nodes.filter(({ tagName }) => !KNOWN.has(tagName)).map(({ tagName }) => tagName)).toEqual([]);
      expect(nodes.flatMap((node) => node.getAttributeNames()).filter((name) => name.startsWith("on") || name === "href")).toEqual([]);
    }
    expect([...drawn.values()].every((count) => count > 20)).toBe(true);
  });

  function cardOrNull(json: unknown): HTMLElement | null {
    try {
      return renderSavedCard(readEvents(json));
    } catch (error) {
      expect(error).toBeInstanceOf(BadRunError);
      return null;
    }
  }

  /** Puts another value somewhere into the tree. */
  function damage(tree: unknown, random: () => number): void {
    let at = tree as Record<string, unknown>;
    for (;;) {
      const keys = Object.keys(at);
      const key = keys[Math.floor(random() * keys.length)];
      if (key === undefined) return;
      const next = at[key];
      if (typeof next === "object" && next !== null && random() < 0.8) at = next as Record<string, unknown>;
      else return void (at[key] = values[Math.floor(random() * values.length)]);
    }
  }

  /** Park and Miller's numbers, the same in every run. */
  function generator(seed: number): () => number {
    return () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  }
});

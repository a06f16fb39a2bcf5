// What a model writes as Markdown: the elements it may become, and what stays while it grows.

import { describe, expect, it } from "vitest";
import { Prose } from "../../src/core/markdown";
import { prose } from "../contract";

const shown = (text: string, formulas = false) => {
  const place = new Prose(document.createElement("div"), formulas);
  place.set(text);
  return place.el;
};

/** The elements without their classes, as `smolcell/views/transcript.py` writes them. */
const outline = (el: HTMLElement) => {
  const bare = el.cloneNode(true) as HTMLElement;
  bare.removeAttribute("hidden");
  for (const node of bare.querySelectorAll("[class]")) node.removeAttribute("class");
  return bare.innerHTML;
};

describe("Markdown", () => {
  it.each(prose.map((one) => [one.name, one] as const))("becomes nodes: %s", (_name, { text, html, formulas }) => {
    expect(outline(shown(text, formulas))).toBe(html);
  });

  it.each(prose.map((one) => [one.name, one] as const))("is the same when it comes in pieces: %s", (_name, { text, html, formulas }) => {
    const place = new Prose(document.createElement("div"), formulas);
    for (let end = 0; end <= text.length; end++) place.set(text.slice(0, end));
    expect(outline(place.el)).toBe(html);
  });

  it("keeps finished blocks, and updates the last one", () => {
    const place = new Prose(document.createElement("div"));
    place.set("# Plan\n\n- one\n- two\n\nI **sum");
    const [heading, list, last] = [...place.el.children];
    const watcher = new MutationObserver(() => undefined);
    const records = (node: Node) => {
      watcher.disconnect();
      watcher.observe(node, { subtree: true, childList: true, characterData: true, attributes: true });
    };
    for (const done of [heading, list]) {
      records(done!);
      place.set(`${"# Plan\n\n- one\n- two\n\nI **sum"}${done === heading ? "s" : "s**"}`);
      expect(watcher.takeRecords()).toEqual([]);
    }
    records(last!);
    place.set("# Plan\n\n- one\n- two\n\nI **sums** up.");
    expect(watcher.takeRecords().map(({ type, target }) => [type, target.nodeName])).toEqual([["characterData", "#text"]]);
    expect([...place.el.children]).toEqual([heading, list, last]);
    place.set("Something else.");
    expect(outline(place.el)).toBe("<p>Something else.</p>");
    place.set("");
    expect([place.el.hidden, place.el.childNodes.length]).toEqual([true, 0]);
  });

  it("draws a long text block by block", () => {
    const place = new Prose(document.createElement("div"));
    const watcher = new MutationObserver(() => undefined);
    watcher.observe(place.el, { subtree: true, childList: true, characterData: true });
    let text = "";
    for (let n = 0; n < 300; n++) place.set((text += `Line *${n}*.\n\n`));
    expect(place.el.children).toHaveLength(300);
    expect(watcher.takeRecords().length).toBeLessThanOrEqual(600);
  });

  it.each(["*a ", "[", "`a", "> ", "1. ", "_a__", "**a *", "[a](", "|\n|-", "![", "~~a", "    x"])("reads a hostile text in time that grows with its length only: %j", (part) => {
    // A reader that backtracks would take minutes here: the test would run into its limit.
    expect(shown(part.repeat(24_000 / part.length)).textContent?.length).toBeGreaterThan(0);
    expect(shown(part.repeat(102_000 / part.length)).children).toHaveLength(1); // too long to be read
  });
});

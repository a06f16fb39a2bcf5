// The sandbox's variables in the panel: what is read of a message, and what a click runs.

import { expect, test, vi } from "vitest";

vi.mock("@jupyterlab/apputils", () => ({ Dialog: null, showDialog: null, showErrorMessage: null }));
vi.mock("@jupyterlab/notebook", () => ({ NotebookActions: null }));

const { readListings } = await import("../../src/lab/sandbox-variables");
const { pullCommand, VariablesPart } = await import("../../src/lab/variables");
const { Signal } = await import("@lumino/signaling");

const LISTED = { name: "df", type: "DataFrame", shape: [3, 2], size: 1200, text: "", table: "", taken: false };

test.each([{ name: "a b" }, { name: "x; import os" }, { name: 5 }, { shape: ["<b>"] }, { shape: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, { size: 1.5 }, { text: "x".repeat(2000) }, { taken: 1 }])("%o is no variable", (more) => {
  expect(readListings([{ session: "s", variables: [{ ...LISTED, ...more }, LISTED] }])).toEqual([{ session: "s", variables: [LISTED] }]);
});

test("invalid lists of sessions are ignored, and a running step is reported", () => {
  expect([readListings("x"), readListings([null, { session: 5 }]), readListings([{ session: "s", variables: null }])]).toEqual([[], [], [{ session: "s", variables: null }]]);
});

test("the line that copies a variable keeps the session's name within its quotes", () => {
  expect([pullCommand("default", "df"), pullCommand("mine", "df"), pullCommand("a'; b\nc", "df")]).toEqual([
    "%agent pull df",
    "%agent pull df --session mine",
    `%agent pull df --session 'a'"'"'; b c'`,
  ]);
});

test("variables are shown as text with type, shape and size, and requested again when a run continues", () => {
  const sent: string[] = [];
  const link = { runs: [] as object[], askVariables: () => sent.push("ask") > 0, listed: undefined as never };
  const listed = new Signal<unknown, unknown>(link);
  link.listed = listed as never;
  const tracker = { currentWidget: {}, currentChanged: new Signal({}) };
  const part = new VariablesPart(tracker as never, { linkOf: () => link } as never);
  part.update();
  part.update();
  expect([sent.length, part.el.hidden]).toEqual([1, true]);
  listed.emit(readListings([{ session: "default", variables: [{ ...LISTED, type: "<img src=x>", text: "a\u202eb" }] }]));
  const [row] = part.el.querySelectorAll("details");
  expect([row!.querySelector("summary")!.textContent, row!.querySelector("pre")!.textContent, part.el.querySelector("img")]).toEqual(["df <img src=x> \u00b7 3 \u00d7 2 \u00b7 1.20 kB", "a\\u{202e}b", null]);
  row!.open = true;
  link.runs = [{ run: "r", state: "running", step: 1 }];
  part.update();
  listed.emit(readListings([{ session: "default", variables: null }]));
  expect([sent.length, part.el.querySelectorAll("details").length, part.el.textContent]).toEqual([2, 1, expect.stringContaining("A step is running")]);
  listed.emit(readListings([{ session: "default", variables: [LISTED] }]));
  expect(part.el.querySelector("details")!.open).toBe(true);
});

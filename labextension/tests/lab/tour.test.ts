// The tour: four notes, by mouse and by keys, and the moment at which it is offered.

import { Signal } from "@lumino/signaling";
import { afterEach, expect, test, vi } from "vitest";

vi.mock("@jupyterlab/apputils", () => ({ ICommandPalette: null, showErrorMessage: null }));
vi.mock("@jupyterlab/launcher", () => ({ ILauncher: null }));
vi.mock("@jupyterlab/notebook", () => ({ INotebookTracker: null }));
vi.mock("@jupyterlab/settingregistry", () => ({ ISettingRegistry: null }));
vi.mock("@jupyterlab/ui-components", () => ({ LabIcon: class {} }));

const { findPythonKernel, whenUsed } = await import("../../src/lab/first-steps");
const { Tour } = await import("../../src/lab/tour");

afterEach(() => document.body.replaceChildren());

function seen(name: string): HTMLButtonElement {
  const all = [...document.querySelectorAll<HTMLButtonElement>(".smolcell-tour button:not([hidden])")];
  return all.find(({ textContent }) => textContent === name) ?? expect.fail(`no button ${name}`);
}

const titles = (): string => document.querySelector("h2")?.textContent ?? "";

test("Next leads through four notes, and Done ends them", () => {
  const ended = vi.fn();
  new Tour(ended).open(true);
  const read = [titles()];
  while (titles() !== "Choose a model") {
    seen("Next").click();
    read.push(titles());
  }
  expect(read).toEqual(["Give a task", "Read, then decide", "Where the code runs", "Choose a model"]);
  expect(document.querySelector(".smolcell-tour-count")?.textContent).toBe("Step 4 of 4");
  expect(ended).not.toHaveBeenCalled();
  seen("Done").click();
  expect(ended).toHaveBeenCalledOnce();
  expect(document.querySelector(".smolcell-tour")).toBeNull();
});

test("Back leads to the note before, and keeps the focus in the tour", () => {
  new Tour(() => undefined).open(true);
  seen("Next").click();
  seen("Back").focus();
  seen("Back").click();
  expect([titles(), document.activeElement?.textContent]).toEqual(["Give a task", "Next"]);
});

test("Escape ends it, does not propagate, and restores the focus", () => {
  const ended = vi.fn();
  const elsewhere = vi.fn();
  const before = document.body.appendChild(document.createElement("button"));
  before.focus();
  document.body.addEventListener("keydown", elsewhere);
  new Tour(ended).open(true);
  document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  expect(ended).toHaveBeenCalledOnce();
  expect(elsewhere).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(before);
});

test("a tour that opens by itself takes no focus, and has a name for screen readers", () => {
  const before = document.body.appendChild(document.createElement("button"));
  before.focus();
  new Tour(() => undefined).open(false);
  expect(document.activeElement).toBe(before);
  const box = document.querySelector('[role="dialog"]');
  expect(document.getElementById(box?.getAttribute("aria-labelledby") ?? "")?.textContent).toBe("Give a task");
  expect(box?.querySelector('[aria-live="polite"]')?.textContent).toContain("Step 1 of 4");
});

test("the target of a note is outlined only while the note is shown", () => {
  const card = document.body.appendChild(document.createElement("div"));
  card.className = "smolcell-card";
  new Tour(() => undefined).open(true);
  seen("Next").click();
  expect(card.classList).toContain("smolcell-tour-place");
  seen("Skip tour").click();
  expect(card.classList).not.toContain("smolcell-tour-place");
});

test("the first use is the first notebook that has an agent cell, once", async () => {
  const tracker = { currentWidget: null as unknown, activeCellChanged: new Signal<object, void>({}) };
  const open = async (...sources: string[]): Promise<void> => {
    const cells: object[] = [];
    const ready = Promise.resolve().then(() => void cells.push(...sources.map((text) => ({ getSource: () => text }))));
    tracker.currentWidget = { context: { ready }, content: { model: { sharedModel: { cells } } } };
    tracker.activeCellChanged.emit();
    tracker.activeCellChanged.emit();
    await ready;
  };
  const used = vi.fn();
  whenUsed(tracker as never, used);
  await open("import pandas", "# %%agent");
  expect(used).not.toHaveBeenCalled();
  await open("import pandas", "%%agent -i sales\nPlot @sales.");
  await open("%%agent\nAgain.");
  await vi.waitFor(() => expect(used).toHaveBeenCalledOnce());
});

test("an agent notebook gets the default kernel if that is Python, else the first that is", () => {
  const kernels = { ir: { language: "R" }, python3: { language: "python" }, other: { language: "Python" } };
  const of = (name: string, kernelspecs: object): string | undefined => findPythonKernel({ default: name, kernelspecs } as never);
  expect([of("other", kernels), of("ir", kernels), of("ir", { ir: kernels.ir }), findPythonKernel(null)]).toEqual(["other", "python3", undefined, undefined]);
});

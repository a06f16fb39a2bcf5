// Marks the cell that the user ran from the keyboard, until they do anything else: its card may take the focus.

import type { JupyterFrontEndPlugin } from "@jupyterlab/application";

import { RAN_BY_KEY } from "../core/focus";

const MODIFIERS: ReadonlySet<string> = new Set(["Shift", "Control", "Alt", "Meta"]);

function markCell(event: Event): void {
  const key = event instanceof KeyboardEvent ? event : null;
  if (key !== null && MODIFIERS.has(key.key)) return;
  for (const cell of document.querySelectorAll(`[${RAN_BY_KEY}]`)) cell.removeAttribute(RAN_BY_KEY);
  if (key === null || key.key !== "Enter" || !(key.shiftKey || key.ctrlKey || key.altKey || key.metaKey)) return;
  if (key.target instanceof Element) key.target.closest(".jp-CodeCell")?.setAttribute(RAN_BY_KEY, "");
}

export const keyboard: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:keyboard",
  description: "Lets a card have the focus when its cell was run from the keyboard.",
  autoStart: true,
  activate: (): void => {
    for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, markCell, { capture: true });
  },
};

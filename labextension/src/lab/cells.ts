// Inserts ordinary cells below a run: those that a card was asked for, and those of `%agent export`.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { INotebookTracker, type NotebookPanel } from "@jupyterlab/notebook";
import type { Kernel, KernelMessage } from "@jupyterlab/services";

import { INSERT } from "../export";
import { CELLS } from "./link";

const MOST = { cells: 500, characters: 5_000_000 };

export const cells: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:cells",
  description: "Inserts the steps of an agent run as ordinary cells.",
  autoStart: true,
  requires: [INotebookTracker],
  activate: (_app: JupyterFrontEnd, tracker: INotebookTracker): void => {
    tracker.widgetAdded.connect((_, panel) => follow(panel));
    tracker.forEach(follow);
  },
};

function follow(panel: NotebookPanel): void {
  panel.node.addEventListener(INSERT, (event) => {
    const at = panel.content.widgets.findIndex((cell) => cell.node.contains(event.target as Node));
    if (at >= 0 && insertBelow(panel, at, (event as CustomEvent<unknown>).detail)) event.preventDefault();
  });
  const listen = (kernel: Kernel.IKernelConnection | null): void =>
    kernel?.registerCommTarget(CELLS, (comm, message) => answer(panel, kernel, comm, message));
  panel.sessionContext.kernelChanged.connect((_, { newValue }) => listen(newValue));
  listen(panel.sessionContext.session?.kernel ?? null);
}

/** The kernel asks all pages; the one whose cell it is inserts, and says so. */
function answer(panel: NotebookPanel, kernel: Kernel.IKernelConnection, comm: Kernel.IComm, { content }: KernelMessage.ICommOpenMsg): void {
  const { cell, client, cells } = content.data as { cell?: unknown; client?: unknown; cells?: unknown };
  if (client !== kernel.clientId) return;
  const at = panel.content.widgets.findIndex(({ model }) => model.id === cell);
  if (at >= 0 && insertBelow(panel, at, cells)) comm.send({ type: "inserted" });
  else comm.close();
}

/** Inserts code cells below the one at this place, as one change that can be undone; false where they are none. */
function insertBelow(panel: NotebookPanel, at: number, cells: unknown): boolean {
  const notebook = panel.content.model?.sharedModel;
  if (notebook === undefined || panel.content.model?.readOnly === true || !areCells(cells)) return false;
  notebook.insertCells(at + 1, cells.map((source) => ({ cell_type: "code" as const, source, metadata: { trusted: true } })));
  return true;
}

function areCells(given: unknown): given is string[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST.cells) return false;
  return given.every((text) => typeof text === "string") && given.reduce((sum: number, text: string) => sum + text.length, 0) <= MOST.characters;
}

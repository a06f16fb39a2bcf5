// Inserts ordinary cells below a run: those that a card was asked for, and those of `%agent export`.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { INotebookTracker, type NotebookPanel } from "@jupyterlab/notebook";
import type { Kernel, KernelMessage } from "@jupyterlab/services";
import { DisposableSet } from "@lumino/disposable";

import { INSERT } from "../core/export";
import { CELLS } from "./link";
import { followKernels, followNotebooks, onCardEvent, onComm } from "./notebooks";

const MOST = { cells: 500, characters: 5_000_000 };

export const cells: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:cells",
  description: "Inserts the steps of an agent run as ordinary cells.",
  autoStart: true,
  requires: [INotebookTracker],
  activate: (_app: JupyterFrontEnd, tracker: INotebookTracker): void =>
    followNotebooks(tracker, (panel) =>
      DisposableSet.from([
        onCardEvent<unknown>(panel, INSERT, (event) => {
          const at = panel.content.widgets.findIndex((cell) => cell.node.contains(event.target as Node));
          if (at >= 0 && insertBelow(panel, at, event.detail)) event.preventDefault();
        }),
        followKernels(panel, (kernel) => onComm(kernel, CELLS, (comm, message) => claim(panel, kernel, comm, message))),
      ]),
    ),
};

/**
 * The kernel offers cells to all pages; the one whose cell it is claims them, is given them, inserts, and says so. A claim that
 * comes too late is given nothing.
 */
function claim(panel: NotebookPanel, kernel: Kernel.IKernelConnection, comm: Kernel.IComm, { content }: KernelMessage.ICommOpenMsg): void {
  const { cell, client } = content.data;
  if (client !== kernel.clientId) return;
  const place = (): number => panel.content.widgets.findIndex(({ model }) => model.id === cell);
  if (place() < 0 || panel.content.model?.readOnly !== false) return void comm.close();
  comm.onMsg = ({ content: { data } }) => {
    if (data["type"] !== "cells") return;
    const at = place();
    comm.send({ type: at >= 0 && insertBelow(panel, at, data["cells"]) ? "inserted" : "refused" });
  };
  comm.send({ type: "here" });
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

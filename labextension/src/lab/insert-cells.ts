// Inserts cells for a card: the exported steps of a run, also for `%agent export`, and the session's next task, which is run. Replaces
// a failing cell by the code that a run found.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { INotebookTracker, NotebookActions, type NotebookPanel } from "@jupyterlab/notebook";
import type { Kernel, KernelMessage } from "@jupyterlab/services";
import { DisposableSet } from "@lumino/disposable";

import { RAN_BY_KEY } from "../core/focus";
import { INSERT } from "../core/export";
import { FOLLOW_UP, cellLine, type FollowUp } from "../core/follow-up";
import { type FixableCell, FIX_TARGET, type FixTarget } from "../core/fix";
import { CELLS } from "./kernel-link";
import { followKernels, followNotebooks, onCardEvent, onComm } from "./notebooks";
import { isAgentCell, followUpLine } from "./option-line";
import { FIXES_METADATA } from "./fix-task";

const MAX = { cells: 500, characters: 5_000_000 };

export const cells: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:cells",
  description: "Inserts an agent run's steps and the session's next task as cells, and replaces a failing cell by fixed code.",
  autoStart: true,
  requires: [INotebookTracker],
  activate: (_app: JupyterFrontEnd, tracker: INotebookTracker): void =>
    followNotebooks(tracker, (panel) =>
      DisposableSet.from([
        onCardEvent<unknown>(panel, INSERT, (event) => {
          const at = indexOf(panel, event);
          if (at >= 0 && insertBelow(panel, at, event.detail)) event.preventDefault();
        }),
        onCardEvent<FollowUp>(panel, FOLLOW_UP, (event) => {
          const at = indexOf(panel, event);
          if (at >= 0 && insertBelow(panel, at, [nextCell(panel, at, event.detail)])) {
            event.preventDefault();
            void runBelow(panel, at, event.detail.byKey);
          }
        }),
        onCardEvent<FixTarget>(panel, FIX_TARGET, (event) => {
          const at = indexOf(panel, event);
          if (at >= 0) event.detail.cell = failingCell(panel, at);
        }),
        followKernels(panel, (kernel) => onComm(kernel, CELLS, (comm, message) => claim(panel, kernel, comm, message))),
      ]),
    ),
};

/** The index of the cell that a card's event comes from, or -1. */
function indexOf(panel: NotebookPanel, event: Event): number {
  return panel.content.widgets.findIndex((cell) => cell.node.contains(event.target as Node));
}

/** The text of the session's next cell: the options of the card's own cell, and the next task. */
function nextCell(panel: NotebookPanel, at: number, { task, session, cell }: FollowUp): string {
  if (cell !== undefined) return cell;
  const source = panel.content.widgets[at]?.model.sharedModel.getSource() ?? "";
  const [line = "", ...rest] = isAgentCell(source) ? source.split("\n") : [cellLine(session)];
  return task === null && rest.length > 0 ? source : `${followUpLine(line)}\n${task ?? ""}`;
}

async function runBelow(panel: NotebookPanel, at: number, byKey: boolean): Promise<void> {
  const { content } = panel;
  content.deselectAll();
  content.activeCellIndex = at + 1;
  content.mode = "command";
  content.activate(); // the new cell gets the keyboard focus
  if (byKey) content.activeCell?.node.setAttribute(RAN_BY_KEY, "");
  await content.scrollToItem(at + 1, "smart");
  await NotebookActions.run(content, panel.sessionContext);
}

/** The cell that the cell at this index was written to fix; null if it was not written to fix one. */
function failingCell(panel: NotebookPanel, at: number): FixableCell | null {
  const id: unknown = panel.content.widgets[at]?.model.getMetadata(FIXES_METADATA);
  const found = () => (typeof id === "string" ? panel.content.widgets.find(({ model }) => model.id === id && model.type === "code") : undefined);
  if (found() === undefined) return null;
  return {
    source: () => found()?.model.sharedModel.getSource() ?? null,
    replace: (text) => {
      const cell = found();
      if (cell === undefined || panel.content.model?.readOnly !== false) return false;
      cell.model.sharedModel.setSource(text);
      return true;
    },
  };
}

/**
 * Claims the cells of `%agent export`. The kernel offers them to all pages; the page with the run's cell claims them, receives and
 * inserts them, and confirms. A late claim receives nothing.
 */
function claim(panel: NotebookPanel, kernel: Kernel.IKernelConnection, comm: Kernel.IComm, { content }: KernelMessage.ICommOpenMsg): void {
  const { cell, client } = content.data;
  if (client !== kernel.clientId) return;
  const index = (): number => panel.content.widgets.findIndex(({ model }) => model.id === cell);
  if (index() < 0 || panel.content.model?.readOnly !== false) return void comm.close();
  comm.onMsg = ({ content: { data } }) => {
    if (data["type"] !== "cells") return;
    const at = index();
    comm.send({ type: at >= 0 && insertBelow(panel, at, data["cells"]) ? "inserted" : "refused" });
  };
  comm.send({ type: "here" });
}

/** Inserts code cells below this index as one undo step; returns false if the notebook is read-only or the cells are invalid. */
function insertBelow(panel: NotebookPanel, at: number, cells: unknown): boolean {
  const notebook = panel.content.model?.sharedModel;
  if (notebook === undefined || panel.content.model?.readOnly === true || !areCells(cells)) return false;
  notebook.insertCells(at + 1, cells.map((source) => ({ cell_type: "code" as const, source, metadata: { trusted: true } })));
  return true;
}

function areCells(value: unknown): value is string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX.cells) return false;
  return value.every((text) => typeof text === "string") && value.reduce((sum: number, text: string) => sum + text.length, 0) <= MAX.characters;
}

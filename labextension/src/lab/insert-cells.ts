// Writes ordinary cells for a card: a run's steps and those of `%agent export` below it, the session's next task, which is run,
// and the code that a run found in place of the cell that failed.

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
  description: "Inserts an agent run's steps and the session's next task as cells, and puts mended code in place of a cell.",
  autoStart: true,
  requires: [INotebookTracker],
  activate: (_app: JupyterFrontEnd, tracker: INotebookTracker): void =>
    followNotebooks(tracker, (panel) =>
      DisposableSet.from([
        onCardEvent<unknown>(panel, INSERT, (event) => {
          const at = placeOf(panel, event);
          if (at >= 0 && insertBelow(panel, at, event.detail)) event.preventDefault();
        }),
        onCardEvent<FollowUp>(panel, FOLLOW_UP, (event) => {
          const at = placeOf(panel, event);
          if (at >= 0 && insertBelow(panel, at, [nextCell(panel, at, event.detail)])) {
            event.preventDefault();
            void runBelow(panel, at, event.detail.byKey);
          }
        }),
        onCardEvent<FixTarget>(panel, FIX_TARGET, (event) => {
          const at = placeOf(panel, event);
          if (at >= 0) event.detail.cell = failingCell(panel, at);
        }),
        followKernels(panel, (kernel) => onComm(kernel, CELLS, (comm, message) => claim(panel, kernel, comm, message))),
      ]),
    ),
};

/** The place of the cell that a card's event comes from, or -1. */
function placeOf(panel: NotebookPanel, event: Event): number {
  return panel.content.widgets.findIndex((cell) => cell.node.contains(event.target as Node));
}

/** The text of the cell that goes on with the session: the same options as the card's own cell has, and the next task. */
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
  content.activate(); // the keyboard goes on with the new cell
  if (byKey) content.activeCell?.node.setAttribute(RAN_BY_KEY, "");
  await content.scrollToItem(at + 1, "smart");
  await NotebookActions.run(content, panel.sessionContext);
}

/** The cell that the one at this place was written to mend; null where it was written for none. */
function failingCell(panel: NotebookPanel, at: number): FixableCell | null {
  const meant: unknown = panel.content.widgets[at]?.model.getMetadata(FIXES_METADATA);
  const found = () => (typeof meant === "string" ? panel.content.widgets.find(({ model }) => model.id === meant && model.type === "code") : undefined);
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
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX.cells) return false;
  return given.every((text) => typeof text === "string") && given.reduce((sum: number, text: string) => sum + text.length, 0) <= MAX.characters;
}

// Adds the record of a run to a notebook that was reloaded during the run: such a page gets no further outputs of the cell, and
// the saved card shows nothing without its kernel.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import type { ICodeCellModel } from "@jupyterlab/cells";
import type { MultilineString } from "@jupyterlab/nbformat";
import { INotebookTracker, type NotebookPanel } from "@jupyterlab/notebook";

import { RUN_ENDED, type RunEnded } from "../core/export";
import { readEvents } from "../hosts/saved";
import { followNotebooks, onCardEvent } from "./notebooks";

const MIME = "application/vnd.smolcell.run+json";

export const restoreRecord: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:restore-record",
  description: "Adds the record of a run to a notebook that was reloaded during the run.",
  autoStart: true,
  requires: [INotebookTracker],
  activate: (_app: JupyterFrontEnd, tracker: INotebookTracker): void =>
    followNotebooks(tracker, (panel) => onCardEvent<RunEnded>(panel, RUN_ENDED, (event) => restore(panel, event))),
};

function restore(panel: NotebookPanel, { target, detail: { run, record } }: CustomEvent<RunEnded>): void {
  const cell = panel.content.widgets.find(({ node }) => node.contains(target as Node));
  const { model } = panel.content;
  // In a shared document the server adds the outputs.
  if (cell?.model.type !== "code" || model === null || model.readOnly || model.collaborative) return;
  const { outputs } = cell.model as ICodeCellModel;
  const has = (): boolean => Array.from({ length: outputs.length }, (_, at) => outputs.get(at).data[MIME]).some((data) => runOf(data) === run);
  const add = (data: Record<string, unknown>): void => {
    if (panel.isDisposed || has() || runOf(data[MIME]) !== run) return;
    outputs.add({ output_type: "display_data", data: data as Record<string, MultilineString>, metadata: {} });
  };
  if (!has()) void record().then(add);
}

/** The run of a record; "" if it is not a record. */
function runOf(data: unknown): string {
  try {
    return data === undefined ? "" : (readEvents(data)[0]?.run ?? "");
  } catch {
    return "";
  }
}

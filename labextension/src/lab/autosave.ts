// Saves a notebook when a step waits in it. A failed save is retried; if it keeps failing, one notification is shown, or JupyterLab's
// own dialog if the file could not be written.

import { Notification } from "@jupyterlab/apputils";
import type { Cell, ICodeCellModel } from "@jupyterlab/cells";
import type { DocumentRegistry } from "@jupyterlab/docregistry";
import type { NotebookPanel } from "@jupyterlab/notebook";
import type { Contents } from "@jupyterlab/services";

import { findCell, hasCard } from "./run-card";
import { fileName, type Run } from "./runs";

type Context = NotebookPanel["context"];

const RETRY_MS = [2000, 5000, 15_000]; // before each retry

export class Autosaver {
  private readonly saved = new Set<string>(); // run and step
  private readonly busy = new Set<string>();
  private readonly warned = new WeakSet<Context>(); // the user was told that it cannot be saved; until a save succeeds
  private readonly dialogs = new WeakSet<Context>(); // each retry would open a dialog

  constructor(private readonly contents: Contents.IManager) {}

  /** Saves the notebook with the run's card, once for each step, as long as the step waits. */
  async saveWithCard(panel: NotebookPanel, run: Run, waits: () => boolean): Promise<void> {
    const step = `${run.run} ${run.step}`;
    const cell = findCell(panel, run);
    if (cell === undefined || this.saved.has(step) || this.busy.has(step)) return;
    this.busy.add(step);
    try {
      await waitForCard(cell, run);
      if (await this.tryToSave(panel, waits)) this.saved.add(step);
    } finally {
      this.busy.delete(step);
    }
  }

  private async tryToSave(panel: NotebookPanel, waits: () => boolean): Promise<boolean> {
    const { context } = panel;
    let why = "";
    for (const pause of [0, ...RETRY_MS]) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (panel.isDisposed || !waits() || this.dialogs.has(context)) return false;
      try {
        await save(context, this.contents);
        this.warned.delete(context);
        return true;
      } catch (error) {
        if (error instanceof DialogShownError) return this.waitForSave(context);
        why = error instanceof Error ? error.message : String(error);
      }
    }
    this.warn(context, why);
    return false;
  }

  /** Stops saving until a save succeeds: JupyterLab's dialog has shown the error. */
  private waitForSave(context: Context): false {
    const look = (_: unknown, state: string): void => {
      if (state !== "completed") return;
      context.saveState.disconnect(look);
      this.dialogs.delete(context);
    };
    this.dialogs.add(context);
    context.saveState.connect(look);
    return false;
  }

  private warn(context: Context, why: string): void {
    if (this.warned.has(context)) return;
    this.warned.add(context);
    const text = `${fileName(context.path)} could not be saved while a step waits in it: ${why}. The step still waits. Save the notebook when the server answers again.`;
    const actions = [{ label: "Save", callback: () => void context.save().catch(() => undefined) }]; // on an error JupyterLab shows a dialog
    Notification.warning(text, { autoClose: false, actions });
  }
}

// --- saving --------------------------------------------------------------------------------------------------------------
//
// Saves a notebook while a step waits, so that a page that is loaded again finds the card.

const CARD_TIMEOUT_MS = 5000; // for the card's output to arrive
const SAME_SAVE_MS = 500; // times that differ by less are of the same save, as in JupyterLab

/** Waits until the cell has the card as an output; a save before that would miss it. */
async function waitForCard(cell: Cell, run: Run): Promise<void> {
  if (cell.model.type !== "code" || hasCard(cell, run)) return;
  const { outputs } = cell.model as ICodeCellModel;
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (hasCard(cell, run)) done();
    };
    const done = (): void => {
      clearTimeout(timer);
      outputs.changed.disconnect(look);
      resolve();
    };
    const timer = setTimeout(done, CARD_TIMEOUT_MS);
    outputs.changed.connect(look);
  });
}

/** The file was not written, and JupyterLab has shown a dialog about it. */
class DialogShownError extends Error {}

/**
 * Saves if no dialog would open: the file exists, is writable, and was not changed on disk. Otherwise does nothing.
 * A notebook that is edited by several people at once is saved by their server.
 *
 * @throws an Error if the server does not answer, a DialogShownError if the file could not be written.
 */
async function save(context: DocumentRegistry.Context, contents: Contents.IManager): Promise<void> {
  const { model, contentsModel, path } = context;
  if (!contentsModel?.writable || !model.dirty || model.readOnly || model.collaborative) return;
  const onDisk = await contents.get(path, { content: false });
  const ours = Date.parse(contentsModel.last_modified);
  if (!onDisk.writable || Date.parse(onDisk.last_modified) - ours > SAME_SAVE_MS) return;
  await context.save().catch((error: unknown) => {
    throw new DialogShownError("the file was not written", { cause: error });
  });
}

// Saves a notebook while a step waits, so that a page that is loaded again finds the card.

import type { Cell, ICodeCellModel } from "@jupyterlab/cells";
import type { DocumentRegistry } from "@jupyterlab/docregistry";
import type { Contents } from "@jupyterlab/services";

import { hasCard } from "./place";
import type { Run } from "./underway";

const PATIENCE = 5000; // milliseconds for the card's output to arrive
const SAME = 500; // milliseconds between two times of one save, as JupyterLab takes it

/** Waits until the cell holds the card; saving before that would be of no use. */
export async function cardThere(cell: Cell, run: Run): Promise<void> {
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
    const timer = setTimeout(done, PATIENCE);
    outputs.changed.connect(look);
  });
}

/** That a file was not written, which JupyterLab has told the person by a dialog of its own. */
export class SaidError extends Error {}

/**
 * Saves, if that asks the person nothing: the file is there, may be written, and nobody else wrote it meanwhile. Else it is left alone.
 * A notebook that is edited by several people at once is saved by their server.
 *
 * @throws an Error where the server could not be asked, a SaidError where the file could not be written.
 */
export async function save(context: DocumentRegistry.Context, contents: Contents.IManager): Promise<void> {
  const { model, contentsModel, path } = context;
  if (!contentsModel?.writable || !model.dirty || model.readOnly || model.collaborative) return;
  const onDisk = await contents.get(path, { content: false });
  const ours = Date.parse(contentsModel.last_modified);
  if (!onDisk.writable || Date.parse(onDisk.last_modified) - ours > SAME) return;
  await context.save().catch((error: unknown) => {
    throw new SaidError("the file was not written", { cause: error });
  });
}

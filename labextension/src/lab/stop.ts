// Stop, wherever it is pressed outside of a card and the panel: a run that goes on is not passed over in silence.

import { Notification } from "@jupyterlab/apputils";

import type { IUnderway, Run } from "./underway";

/** Ends the run; where that fails the person is told why, and what to do. */
export async function stopOrSay(underway: Pick<IUnderway, "stop">, run: Run): Promise<void> {
  try {
    await underway.stop(run);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    Notification.error(`The run was not stopped. ${why}`, { autoClose: false });
  }
}

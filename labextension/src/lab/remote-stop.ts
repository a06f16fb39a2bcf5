// Stops a run whose notebook is not open on this page: connects to its kernel for one message. A kernel that is busy with another
// cell does not answer, so every wait has a timeout.

import { Notification } from "@jupyterlab/apputils";
import type { Kernel } from "@jupyterlab/services";

import { findComm, ignoreOtherComms, TARGET } from "./kernel-link";
import type { IActiveRuns } from "./active-runs";
import { fileName, type Run } from "./runs";

const TIMEOUT_MS = 10_000; // for each answer of a kernel

/** The result of the promise, or null after a timeout. */
export function withTimeout<T>(promise: Promise<T>, milliseconds = TIMEOUT_MS): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The error of a kernel that does not answer, with the next step. */
export function kernelBusyError(path: string): Error {
  return new Error(`Its kernel does not answer: it is busy with something else. ${interrupt(path)}`);
}

/**
 * Asks the run's kernel to stop it.
 *
 * @param path - the run's notebook, for messages; "" if unknown.
 * @throws an Error that says what happened, and what to do next.
 */
export async function stopRemotely(kernels: Kernel.IManager, run: Run, path: string): Promise<void> {
  const model = await withTimeout(kernels.findById(run.kernel));
  if (model === null) throw new Error("The server does not answer. Check that it is running, and try again.");
  if (model === undefined) throw new Error("Its kernel is gone, or belongs to another server.");
  const kernel = kernels.connectTo({ model, handleComms: true });
  ignoreOtherComms(kernel);
  try {
    const asked = await withTimeout(findComm(kernel).then((id) => ({ id })));
    if (asked === null) throw kernelBusyError(path);
    if (asked.id === null) throw new Error("Its kernel has no active runs any more.");
    const message = kernel.createComm(TARGET, asked.id).send({ type: "stop", run: run.run });
    const sent = await withTimeout(message.done.then(() => true, () => false));
    if (sent !== true) throw new Error(`Its kernel did not confirm. If the run goes on: ${interrupt(path)}`);
  } finally {
    kernel.dispose();
  }
}

function interrupt(path: string): string {
  return `Open ${path === "" ? "its notebook" : fileName(path)} and interrupt the kernel.`;
}

// --- stop, or say why not ------------------------------------------------------------------------------------------------
//
// For stop buttons outside of cards and the panel: a run that was not stopped is reported.

/** Stops the run; if that fails, shows a notification with the reason. */
export async function stopOrNotify(activeRuns: Pick<IActiveRuns, "stop">, run: Run): Promise<void> {
  try {
    await activeRuns.stop(run);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    Notification.error(`The run was not stopped. ${why}`, { autoClose: false });
  }
}

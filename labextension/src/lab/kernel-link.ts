// The comm between a kernel and a page that has its notebook open. The kernel opens it with its first run; a page that is loaded
// later finds it and requests the list of runs.

import type { Kernel, KernelMessage } from "@jupyterlab/services";
import type { IDisposable } from "@lumino/disposable";
import { type ISignal, Signal } from "@lumino/signaling";

import { type SandboxListing, readListings } from "./sandbox-variables";
import { readRuns, type Run } from "./runs";

export const TARGET = "smolcell";
export const CELLS = "smolcell.exports.cells";
const WIDGETS = "jupyter.widget";

/** A change of the runs; `found`: they were active before this page connected to the kernel. */
export interface RunsChange {
  readonly runs: readonly Run[];
  readonly found: boolean;
}

export class KernelLink implements IDisposable {
  private comm: Kernel.IComm | null = null;
  private found = false;
  private lastRuns: readonly Run[] | null = null;
  private readonly runsChanged = new Signal<this, RunsChange>(this);
  private readonly listing = new Signal<this, readonly SandboxListing[]>(this);
  isDisposed = false;

  constructor(readonly kernel: Kernel.IKernelConnection) {
    kernel.registerCommTarget(TARGET, this.opened);
    kernel.connectionStatusChanged.connect(this.connected, this);
    kernel.statusChanged.connect(this.status, this);
    kernel.disposed.connect(this.dispose, this);
    if (kernel.connectionStatus === "connected") void this.find();
  }

  get changed(): ISignal<this, RunsChange> {
    return this.runsChanged;
  }

  /** The last reported runs; null before the first report and after the comm was closed. */
  get runs(): readonly Run[] | null {
    return this.lastRuns;
  }

  /** Emits the variables of the kernel's sandboxes after each request. */
  get listed(): ISignal<this, readonly SandboxListing[]> {
    return this.listing;
  }

  /** Requests the variables; returns whether there is a connection. */
  askVariables(): boolean {
    this.comm?.send({ type: "variables" });
    return this.comm !== null;
  }

  stop(run: string): void {
    this.comm?.send({ type: "stop", run });
  }

  /** Connects to the comm that the kernel has opened, if it is not connected yet; returns whether it is connected now. */
  async find(): Promise<boolean> {
    if (this.comm === null) {
      const id = await findComm(this.kernel);
      if (this.isDisposed || id === null) return false;
      // The kernel may have opened it meanwhile.
      if (this.comm === null && !this.kernel.hasComm(id)) this.take(this.kernel.createComm(TARGET, id), true);
    }
    (this.comm as Kernel.IComm | null)?.send({ type: "sync" });
    return this.comm !== null;
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    if (!this.kernel.isDisposed) this.kernel.removeCommTarget(TARGET, this.opened);
    Signal.clearData(this);
  }

  /** Another page that does not know this comm closes it for all pages. The reply `sync` makes the kernel keep it. */
  private readonly opened = (comm: Kernel.IComm): void => {
    this.take(comm, false);
    comm.send({ type: "sync" });
  };

  private take(comm: Kernel.IComm, found: boolean): void {
    this.comm = comm;
    this.found = found;
    comm.onMsg = (message) => this.receive(message);
    comm.onClose = () => this.onClose(comm);
  }

  private receive(message: KernelMessage.ICommMsgMsg): void {
    const { type, runs, sessions } = message.content.data;
    if (type === "variables") this.listing.emit(readListings(sessions));
    if (type !== "runs") return;
    const found = this.found;
    this.found = false;
    this.report(readRuns(runs, this.kernel.id), found);
  }

  private onClose(comm: Kernel.IComm): void {
    if (this.comm !== comm) return;
    this.comm = null;
    this.lastRuns = null;
    this.runsChanged.emit({ runs: [], found: false });
  }

  private report(runs: readonly Run[], found: boolean): void {
    this.lastRuns = runs;
    this.runsChanged.emit({ runs, found });
  }

  private connected(_: Kernel.IKernelConnection, status: Kernel.ConnectionStatus): void {
    if (status === "connected") void this.find();
  }

  /** A restarted kernel has no comms and no runs. */
  private status(_: Kernel.IKernelConnection, status: Kernel.Status): void {
    if (status !== "restarting" && status !== "autorestarting" && status !== "dead") return;
    this.comm = null;
    this.report([], false);
  }
}

/** The id of the comm that the kernel has opened; null if it has none or does not answer. */
export async function findComm(kernel: Kernel.IKernelConnection): Promise<string | null> {
  try {
    const reply = await kernel.requestCommInfo({ target_name: TARGET });
    const { content } = reply;
    return content.status === "ok" ? (Object.keys(content.comms)[0] ?? null) : null;
  } catch {
    return null; // the connection is closed
  }
}

/**
 * Registers the targets of the notebooks' pages without using them: a connection closes each comm whose target it does not
 * know, and with it the card on the page that uses it.
 */
export function ignoreOtherComms(kernel: Kernel.IKernelConnection): void {
  for (const target of [TARGET, CELLS, WIDGETS]) kernel.registerCommTarget(target, () => undefined);
}

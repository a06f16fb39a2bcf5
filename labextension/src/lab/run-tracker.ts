// Tracks the runs of all kernels: of open notebooks by their links, of others by polling the server.

import type { ILabShell, JupyterFrontEnd } from "@jupyterlab/application";
import type { INotebookTracker, NotebookPanel } from "@jupyterlab/notebook";
import type { Kernel as Kernels } from "@jupyterlab/services";
import { DisposableDelegate, type IDisposable } from "@lumino/disposable";
import { Poll } from "@lumino/polling";
import { type ISignal, Signal } from "@lumino/signaling";

import { KernelLink, type RunsChange } from "./kernel-link";
import { followKernels, followNotebooks } from "./notebooks";
import { findCell, focusCard, openInTab } from "./run-card";
import { Server } from "./server";
import { kernelBusyError, stopRemotely, withTimeout } from "./remote-stop";
import type { IActiveRuns } from "./active-runs";
import { sortRuns, type Run } from "./runs";

const POLL_MS = 5000;

/** Called when a notebook's own kernel reports its runs. */
export type Listener = (panel: NotebookPanel, link: KernelLink, change: RunsChange) => void;

export class RunTracker implements IActiveRuns {
  private readonly links = new Map<NotebookPanel, KernelLink>();
  private remoteKernels: readonly { id: string; process: string; runs: readonly Run[] }[] = [];
  /** Kernels whose own report differs from the server's: asked again, and `silent` if they have not answered at the next poll. */
  private readonly doubts = new Map<string, "asked" | "silent">();
  private readonly change = new Signal<this, void>(this);
  private readonly poll: Poll;
  private lastEmitted = "";

  constructor(
    private readonly app: JupyterFrontEnd,
    private readonly lab: ILabShell | null,
    tracker: INotebookTracker | null,
    private readonly listener: Listener,
  ) {
    if (tracker !== null) followNotebooks(tracker, (panel) => followKernels(panel, (kernel) => this.link(panel, kernel)));
    const server = new Server(app.serviceManager.serverSettings);
    const frequency = { interval: POLL_MS, max: 60_000, backoff: true };
    this.poll = new Poll({ name: "smolcell:runs", frequency, standby: "when-hidden", factory: () => this.pollServer(server) });
  }

  get changed(): ISignal<this, void> {
    return this.change;
  }

  get runs(): readonly Run[] {
    const reported = new Map<string, readonly Run[]>();
    for (const { kernel, runs } of this.links.values()) {
      if (runs !== null && this.doubts.get(kernel.id) !== "silent") reported.set(kernel.id, runs);
    }
    const others = this.remoteKernels.filter(({ id }) => !reported.has(id)).map(({ runs }) => runs);
    return sortRuns([...reported.values(), ...others].flat());
  }

  linkOf(panel: NotebookPanel): KernelLink | null {
    return this.links.get(panel) ?? null;
  }

  pathOf(run: Run): string {
    return this.notebookOf(run.kernel);
  }

  notebookOf(kernel: string): string {
    return this.panelOf(kernel)?.context.path ?? this.sessionOf(kernel)?.path ?? "";
  }

  kernelOf(process: string): string {
    return this.remoteKernels.find((kernel) => kernel.process === process)?.id ?? "";
  }

  isInSight(run: Run): boolean {
    const panel = this.panelOf(run.kernel);
    return document.visibilityState === "visible" && panel !== null && panel.isVisible && findCell(panel, run) !== undefined;
  }

  async show(run: Run): Promise<void> {
    const open = this.panelOf(run.kernel) ?? (await this.open(this.pathOf(run)));
    if (open === null) return; // it opens in another browser tab
    this.app.shell.activateById(open.id);
    await open.revealed;
    if (!(await focusCard(open, run)) && run.widget !== "") await openInTab(this.app, this.lab, open, run);
  }

  async stop(run: Run): Promise<void> {
    for (const link of this.links.values()) {
      if (link.kernel.id !== run.kernel) continue;
      const found = await withTimeout(link.find());
      if (found === null) throw kernelBusyError(this.pathOf(run));
      if (found) return link.stop(run.run);
    }
    await stopRemotely(this.app.serviceManager.kernels, run, this.pathOf(run));
  }

  async refresh(): Promise<void> {
    await this.poll.refresh();
    await this.poll.tick;
  }

  // --- open notebooks

  private link(panel: NotebookPanel, kernel: Kernels.IKernelConnection): IDisposable {
    const link = new KernelLink(kernel);
    link.changed.connect((_, change) => {
      this.doubts.delete(kernel.id);
      this.emitChange();
      this.listener(panel, link, change);
    });
    this.links.set(panel, link);
    this.emitChange();
    return new DisposableDelegate(() => {
      link.dispose();
      this.links.delete(panel);
      this.emitChange();
    });
  }

  private panelOf(kernel: string): NotebookPanel | null {
    for (const [panel, link] of this.links) if (link.kernel.id === kernel && !panel.isDisposed) return panel;
    return null;
  }

  private async open(path: string): Promise<NotebookPanel | null> {
    if (path === "") return null;
    const opened: unknown = await this.app.commands.execute("docmanager:open", { path });
    const panel = opened as NotebookPanel | undefined;
    if (panel?.sessionContext === undefined) return null;
    await panel.sessionContext.ready;
    return panel;
  }

  // --- other kernels

  private async pollServer(server: Server): Promise<void> {
    const found = await server.kernels();
    if (found === null) return this.poll.stop(); // the server extension is not installed
    this.remoteKernels = found;
    for (const link of this.links.values()) this.compare(link);
    this.emitChange();
  }

  /** Compares a link's runs with the server's. A link can be silent: its kernel is busy, or its comm is closed. The server's file is always current. */
  private compare(link: KernelLink): void {
    const { id } = link.kernel;
    const theirs = this.remoteKernels.find((kernel) => kernel.id === id)?.runs;
    if (theirs === undefined || link.runs === null || comparable(theirs) === comparable(link.runs)) {
      this.doubts.delete(id);
    } else if (this.doubts.has(id)) {
      this.doubts.set(id, "silent");
    } else {
      this.doubts.set(id, "asked");
      link.find().catch(() => undefined); // its connection is closed
    }
  }

  private sessionOf(kernel: string) {
    for (const session of this.app.serviceManager.sessions.running()) if (session.kernel?.id === kernel) return session;
    return null;
  }

  /** Emits `changed` if something has changed. */
  private emitChange(): void {
    const open = [...this.links.values()].map(({ kernel }) => kernel.id);
    const now = JSON.stringify([this.runs, open, this.remoteKernels.map(({ process }) => process)]);
    if (now === this.lastEmitted) return;
    this.lastEmitted = now;
    this.change.emit();
  }
}

/** The fields of runs that do not depend on the source. */
function comparable(runs: readonly Run[]): string {
  return JSON.stringify(runs.map(({ run, state, step, widget }) => [run, state, step, widget]));
}

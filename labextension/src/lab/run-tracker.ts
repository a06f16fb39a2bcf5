// The runs of all kernels: those of open notebooks by their links, which are told at once, the others by the server's word.

import type { ILabShell, JupyterFrontEnd } from "@jupyterlab/application";
import type { INotebookTracker, NotebookPanel } from "@jupyterlab/notebook";
import type { Kernel as Kernels } from "@jupyterlab/services";
import { DisposableDelegate, type IDisposable } from "@lumino/disposable";
import { Poll } from "@lumino/polling";
import { type ISignal, Signal } from "@lumino/signaling";

import { Link, type Told } from "./kernel-link";
import { followKernels, followNotebooks } from "./notebooks";
import { cellOf, goTo, showApart } from "./run-card";
import { Server } from "./server";
import { busy, stopFromAfar, within } from "./remote-stop";
import { type IUnderway, ordered, type Run } from "./active-runs";

const PAUSE = 5000; // milliseconds between two questions to the server

/** Told what a notebook's own kernel says. */
export type Listener = (panel: NotebookPanel, link: Link, told: Told) => void;

export class Watch implements IUnderway {
  private readonly links = new Map<NotebookPanel, Link>();
  private elsewhere: readonly { id: string; process: string; runs: readonly Run[] }[] = [];
  /** Kernels whose own word is another than the server's: asked again, and silent where they say nothing until the next look. */
  private readonly doubts = new Map<string, "asked" | "silent">();
  private readonly change = new Signal<this, void>(this);
  private readonly poll: Poll;
  private said = "";

  constructor(
    private readonly app: JupyterFrontEnd,
    private readonly lab: ILabShell | null,
    tracker: INotebookTracker | null,
    private readonly listener: Listener,
  ) {
    if (tracker !== null) followNotebooks(tracker, (panel) => followKernels(panel, (kernel) => this.link(panel, kernel)));
    const server = new Server(app.serviceManager.serverSettings);
    const frequency = { interval: PAUSE, max: 60_000, backoff: true };
    this.poll = new Poll({ name: "smolcell:runs", frequency, standby: "when-hidden", factory: () => this.look(server) });
  }

  get changed(): ISignal<this, void> {
    return this.change;
  }

  get runs(): readonly Run[] {
    const own = new Map<string, readonly Run[]>();
    for (const { kernel, runs } of this.links.values()) {
      if (runs !== null && this.doubts.get(kernel.id) !== "silent") own.set(kernel.id, runs);
    }
    const others = this.elsewhere.filter(({ id }) => !own.has(id)).map(({ runs }) => runs);
    return ordered([...own.values(), ...others].flat());
  }

  linkOf(panel: NotebookPanel): Link | null {
    return this.links.get(panel) ?? null;
  }

  pathOf(run: Run): string {
    return this.notebookOf(run.kernel);
  }

  notebookOf(kernel: string): string {
    return this.panelOf(kernel)?.context.path ?? this.sessionOf(kernel)?.path ?? "";
  }

  kernelOf(process: string): string {
    return this.elsewhere.find((kernel) => kernel.process === process)?.id ?? "";
  }

  isInSight(run: Run): boolean {
    const panel = this.panelOf(run.kernel);
    return document.visibilityState === "visible" && panel !== null && panel.isVisible && cellOf(panel, run) !== undefined;
  }

  async show(run: Run): Promise<void> {
    const open = this.panelOf(run.kernel) ?? (await this.open(this.pathOf(run)));
    if (open === null) return; // in a browser tab of its own
    this.app.shell.activateById(open.id);
    await open.revealed;
    if (!(await goTo(open, run)) && run.widget !== "") await showApart(this.app, this.lab, open, run);
  }

  async stop(run: Run): Promise<void> {
    for (const link of this.links.values()) {
      if (link.kernel.id !== run.kernel) continue;
      const found = await within(link.find());
      if (found === null) throw busy(this.pathOf(run));
      if (found) return link.stop(run.run);
    }
    await stopFromAfar(this.app.serviceManager.kernels, run, this.pathOf(run));
  }

  async refresh(): Promise<void> {
    await this.poll.refresh();
    await this.poll.tick;
  }

  // --- open notebooks

  private link(panel: NotebookPanel, kernel: Kernels.IKernelConnection): IDisposable {
    const link = new Link(kernel);
    link.changed.connect((_, told) => {
      this.doubts.delete(kernel.id);
      this.tell();
      this.listener(panel, link, told);
    });
    this.links.set(panel, link);
    this.tell();
    return new DisposableDelegate(() => {
      link.dispose();
      this.links.delete(panel);
      this.tell();
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

  private async look(server: Server): Promise<void> {
    const found = await server.kernels();
    if (found === null) return this.poll.stop(); // this server has no such part, and will not get one
    this.elsewhere = found;
    for (const link of this.links.values()) this.compare(link);
    this.tell();
  }

  /** A link may be silent: its kernel serves no messages, or its comm is closed. The file that the server reads is always written. */
  private compare(link: Link): void {
    const { id } = link.kernel;
    const theirs = this.elsewhere.find((kernel) => kernel.id === id)?.runs;
    if (theirs === undefined || link.runs === null || doings(theirs) === doings(link.runs)) {
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

  /** Tells of a change, once for each. */
  private tell(): void {
    const open = [...this.links.values()].map(({ kernel }) => kernel.id);
    const now = JSON.stringify([this.runs, open, this.elsewhere.map(({ process }) => process)]);
    if (now === this.said) return;
    this.said = now;
    this.change.emit();
  }
}

/** What of runs must be the same wherever it was read. */
function doings(runs: readonly Run[]): string {
  return JSON.stringify(runs.map(({ run, state, step, widget }) => [run, state, step, widget]));
}

// The runs of all kernels: those of open notebooks by their links, which are told at once, the others by the server's word.

import type { ILabShell, JupyterFrontEnd } from "@jupyterlab/application";
import type { INotebookTracker, NotebookPanel } from "@jupyterlab/notebook";
import type { Kernel as Kernels } from "@jupyterlab/services";
import { Poll } from "@lumino/polling";
import { type ISignal, Signal } from "@lumino/signaling";

import { commOf, leaveToOthers, Link, TARGET, type Told } from "./link";
import { cellOf, goTo, showApart } from "./place";
import { Server } from "./server";
import { type IUnderway, ordered, type Run } from "./underway";

const PAUSE = 5000; // milliseconds between two questions to the server
const PATIENCE = 10_000; // milliseconds for a kernel without an open notebook to answer

/** Told what a notebook's own kernel says. */
export type Listener = (panel: NotebookPanel, link: Link, told: Told) => void;

export class Watch implements IUnderway {
  private readonly links = new Map<NotebookPanel, Link>();
  private elsewhere: readonly { id: string; process: string; runs: readonly Run[] }[] = [];
  private readonly change = new Signal<this, void>(this);
  private readonly poll: Poll;
  private said = "";

  constructor(
    private readonly app: JupyterFrontEnd,
    private readonly lab: ILabShell | null,
    tracker: INotebookTracker | null,
    private readonly listener: Listener,
  ) {
    tracker?.forEach((panel) => this.follow(panel));
    tracker?.widgetAdded.connect((_, panel) => this.follow(panel));
    const server = new Server(app.serviceManager.serverSettings);
    const frequency = { interval: PAUSE, max: 60_000, backoff: true };
    this.poll = new Poll({ name: "smolcell:runs", frequency, standby: "when-hidden", factory: () => this.look(server) });
  }

  get changed(): ISignal<this, void> {
    return this.change;
  }

  get runs(): readonly Run[] {
    const own = new Map<string, readonly Run[]>();
    for (const link of this.links.values()) if (link.runs !== null) own.set(link.kernel.id, link.runs);
    const others = this.elsewhere.filter(({ id }) => !own.has(id)).map(({ runs }) => runs);
    return ordered([...own.values(), ...others].flat());
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
    for (const [, link] of this.links) {
      if (link.kernel.id === run.kernel && (await link.find())) return link.stop(run.run);
    }
    await this.stopFromAfar(run);
  }

  async refresh(): Promise<void> {
    await this.poll.refresh();
    await this.poll.tick;
  }

  // --- open notebooks

  private follow(panel: NotebookPanel): void {
    const context = panel.sessionContext;
    const take = (kernel: Kernels.IKernelConnection | null | undefined): void => {
      this.links.get(panel)?.dispose();
      this.links.delete(panel);
      if (kernel) this.links.set(panel, this.linked(panel, kernel));
      this.tell();
    };
    context.kernelChanged.connect((_, { newValue }) => take(newValue));
    panel.disposed.connect(() => take(null));
    take(context.session?.kernel);
  }

  private linked(panel: NotebookPanel, kernel: Kernels.IKernelConnection): Link {
    const link = new Link(kernel);
    link.changed.connect((_, told) => {
      this.tell();
      this.listener(panel, link, told);
    });
    return link;
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
    this.tell();
  }

  /** Connects to a kernel for the length of one message. */
  private async stopFromAfar(run: Run): Promise<void> {
    const { kernels } = this.app.serviceManager;
    const model = this.sessionOf(run.kernel)?.kernel ?? (await kernels.findById(run.kernel));
    if (!model) throw new Error("its kernel is none of this server");
    const kernel = kernels.connectTo({ model, handleComms: true });
    leaveToOthers(kernel);
    try {
      const id = await Promise.race([commOf(kernel), later(PATIENCE)]);
      if (id === null) throw new Error("its kernel is busy with something else; interrupt it instead");
      const comm = kernel.createComm(TARGET, id);
      await comm.send({ type: "stop", run: run.run }).done.catch(() => undefined);
    } finally {
      kernel.dispose();
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

function later(milliseconds: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), milliseconds));
}

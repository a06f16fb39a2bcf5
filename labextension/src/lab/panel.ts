// The side panel: waiting steps, active runs, jobs of many runs, and sandboxes. Nothing is approved here; it leads to the cards.

import { ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from "@jupyterlab/application";
import { Dialog, ICommandPalette, showDialog, showErrorMessage } from "@jupyterlab/apputils";
import { INotebookTracker } from "@jupyterlab/notebook";
import { Poll } from "@lumino/polling";
import { Widget } from "@lumino/widgets";

import { button, h } from "../core/dom";
import { quoteWord } from "../core/follow-up";
import { bytes, joinParts, readable } from "../core/text";
import { agentIcon } from "./icon";
import { type Part, PanelList } from "./panel-list";
import { runBelow, VariablesPart } from "./variables";
import { type Job, type Sandbox, Server, type Waiting } from "./server";
import { IActiveRuns } from "./active-runs";
import { describeActivity, describeProcess, fileName, type Run, formatSpan } from "./runs";

const POLL_MS = 3000; // while the panel is visible
const SHOW = "smolcell:show-panel";
export const PANEL = "smolcell-panel";

export class AgentsPanel extends Widget {
  private readonly waiting = new PanelList("Waiting for you");
  private readonly working = new PanelList("Running");
  private readonly parked = new PanelList("Waiting in many runs");
  private readonly jobs = new PanelList("Many runs");
  private readonly boxes = new PanelList("Sandboxes");
  private readonly nothing = h("p", "panel-nothing", "No agent runs, and no sandbox is open.");
  private readonly poll: Poll;
  private sandboxes: readonly Sandbox[] = [];
  private many: readonly Job[] = [];

  constructor(
    private readonly activeRuns: IActiveRuns,
    private readonly server: Server,
    private readonly variables: VariablesPart | null = null,
    private readonly tracker: INotebookTracker | null = null,
  ) {
    super();
    this.id = PANEL;
    this.addClass("smolcell-panel");
    this.title.icon = agentIcon;
    this.title.caption = "Agents: approvals, runs, sandboxes";
    this.node.setAttribute("role", "region");
    this.node.setAttribute("aria-label", this.title.caption);
    this.node.append(this.nothing, this.waiting.el, this.parked.el, this.working.el, this.jobs.el, this.boxes.el);
    if (variables !== null) this.node.append(variables.el);
    activeRuns.changed.connect(this.draw, this);
    const frequency = { interval: POLL_MS, max: 60_000, backoff: true };
    const standby = (): boolean => document.hidden || !this.isVisible;
    this.poll = new Poll({ name: "smolcell:sandboxes", frequency, standby, factory: () => this.refresh() });
  }

  override dispose(): void {
    if (this.isDisposed) return;
    this.poll.dispose();
    this.activeRuns.changed.disconnect(this.draw, this);
    this.variables?.dispose();
    super.dispose();
  }

  protected override onAfterShow(): void {
    this.draw();
    void this.poll.refresh();
  }

  private async refresh(): Promise<void> {
    if (!this.isVisible) return;
    const results = await Promise.allSettled([
      this.server.sandboxes().then((found) => (this.sandboxes = found)),
      this.server.jobs().then((found) => (this.many = found)),
    ]);
    this.draw(); // one list may have failed
    for (const result of results) if (result.status === "rejected") throw result.reason; // the poll backs off
  }

  private draw(): void {
    const now = Date.now() / 1000;
    if (this.isVisible) this.variables?.update();
    const { runs } = this.activeRuns;
    const pending = runs.filter(({ state }) => state === "pending");
    const rest = runs.filter(({ state }) => state !== "pending");
    const key = (run: Run): string => `${run.run} ${this.activeRuns.pathOf(run)}`; // its notebook may become known later
    this.waiting.draw(pending, key, (run) => this.run(run), (run) => this.about(run, now));
    this.working.draw(rest, key, (run) => this.run(run), (run) => this.about(run, now));
    const parked = this.many.flatMap((job) => job.waiting.map((group) => ({ job, group })));
    this.parked.draw(parked, ({ job, group }) => `${job.folder} ${group.sha256} ${job.running}`, (one) => this.group(one), aboutGroup);
    this.jobs.draw(this.many, ({ folder }) => folder, ({ folder }) => ({ title: fileName(folder), buttons: [] }), aboutJob);
    this.boxes.draw(this.sandboxes, ({ kind, name }) => `${kind} ${name}`, (one) => this.sandbox(one), (one) => this.aboutSandbox(one));
    this.nothing.hidden = runs.length + this.sandboxes.length + this.many.length > 0;
  }

  private run(run: Run): { title: string; buttons: HTMLButtonElement[] } {
    const path = this.activeRuns.pathOf(run);
    const show = button("Show", "panel-show", () => this.attempt("show the run", this.activeRuns.show(run)));
    show.setAttribute("aria-label", `Show ${run.task}`);
    show.disabled = path === "";
    show.title = path === "" ? "Its notebook is not known to this server" : path;
    const stop = button("Stop", "panel-stop", () => this.attempt("stop the run", this.activeRuns.stop(run)));
    stop.setAttribute("aria-label", `Stop ${run.task}`);
    return { title: run.task || "Agent run", buttons: [show, stop] };
  }

  private about(run: Run, now: number): Part[] {
    return [
      { name: "State", text: describeActivity(run) + (run.since > 0 ? `, ${formatSpan(now - run.since)}` : "") },
      ...owner(this.activeRuns.pathOf(run), run.process ?? ""),
      { name: "Session", text: run.session === "default" ? "" : run.session },
    ];
  }

  private group({ job, group }: Parked): { title: string; buttons: HTMLButtonElement[] } {
    const review = button("Review", "panel-show", () => this.attempt("review what waits", this.review(job)));
    review.setAttribute("aria-label", `Review what waits in ${fileName(job.folder)}`);
    review.disabled = job.running;
    review.title = job.running ? "The job still runs" : `Asks in the notebook: ${approvalsLine(job.folder)}`;
    return { title: readable(group.text), buttons: [review] };
  }

  /** Asks about a job's programs on one card, in the current notebook. */
  private async review({ folder }: Job): Promise<void> {
    const panel = this.tracker?.currentWidget;
    if (panel === null || panel === undefined) throw new Error("No notebook is open: the card needs one. Open a notebook, or type in a terminal: smolcell approve FOLDER");
    const load = this.activeRuns.linkOf(panel) === null ? "%load_ext smolcell\n" : "";
    await runBelow(panel, load + approvalsLine(folder));
  }

  private sandbox(one: Sandbox): { title: string; buttons: HTMLButtonElement[] } {
    const end = button("End", "panel-stop", () => this.attempt("end the sandbox", this.end(one)));
    end.setAttribute("aria-label", `End sandbox ${one.name}`);
    return { title: joinParts(one.kind, one.name, one.image), buttons: [end] };
  }

  private aboutSandbox({ age, memory, kernel, state = "", ends = "", checkpoints = 0 }: Sandbox): Part[] {
    const path = this.activeRuns.notebookOf(this.activeRuns.kernelOf(kernel));
    return [
      { name: "State", text: state },
      { name: "Age", text: age === null ? "" : formatSpan(age) },
      { name: "Memory", text: memory === null ? "" : bytes(memory) },
      { name: "Checkpoints", text: checkpoints === 0 ? "" : `${checkpoints}, part of its memory` },
      { name: "Lifetime", text: ends },
      ...owner(path, kernel),
    ];
  }

  private async end(one: Sandbox): Promise<void> {
    const body = "The variables in it are lost. A run that uses it goes on with a fresh one.";
    const buttons = [Dialog.cancelButton(), Dialog.warnButton({ label: "End" })];
    const { button: chosen } = await showDialog({ title: `End the sandbox ${one.name}?`, body, buttons });
    if (!chosen.accept) return;
    await this.server.endSandbox(one);
    await this.poll.refresh();
  }

  private attempt(what: string, action: Promise<void>): void {
    action.catch((error: unknown) => showErrorMessage(`Could not ${what}`, error instanceof Error ? error.message : String(error)));
  }
}

interface Parked {
  readonly job: Job;
  readonly group: Waiting;
}

/** Whose a run or a sandbox is: its notebook, or its process if this server knows no notebook of it. */
function owner(path: string, process: string): Part[] {
  return [path === "" ? { name: "Owner", text: describeProcess(process) } : { name: "Notebook", text: fileName(path) }];
}

function aboutGroup({ job, group: { runs, findings } }: Parked): Part[] {
  return [
    { name: "Waiting", text: runs === 1 ? "1 run" : `${runs.toLocaleString("en")} runs with exactly this` },
    { name: "Findings", text: readable(findings) },
    { name: "Job", text: fileName(job.folder) },
  ];
}

function aboutJob({ folder, told, running }: Job): Part[] {
  return [
    { name: "State", text: running ? "running" : "waits" },
    { name: "Progress", text: readable(told) },
    { name: "Folder", text: readable(folder) },
  ];
}

/** The magic that asks about the programs that a job's runs wait for. */
export function approvalsLine(folder: string): string {
  return `%agent approvals ${quoteWord(folder)}`;
}

export const panel: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:panel",
  description: "A side panel with the agents' pending approvals, runs and sandboxes of all kernels.",
  autoStart: true,
  requires: [IActiveRuns],
  optional: [ILayoutRestorer, ICommandPalette, INotebookTracker],
  activate: (
    app: JupyterFrontEnd,
    activeRuns: IActiveRuns,
    restorer: ILayoutRestorer | null,
    palette: ICommandPalette | null,
    tracker: INotebookTracker | null,
  ): void => {
    const variables = tracker === null ? null : new VariablesPart(tracker, activeRuns);
    const widget = new AgentsPanel(activeRuns, new Server(app.serviceManager.serverSettings), variables, tracker);
    restorer?.add(widget, PANEL);
    app.shell.add(widget, "right", { rank: 900, type: "Agents" });
    app.commands.addCommand(SHOW, {
      label: "Show Agents Panel",
      caption: "Show waiting steps, active runs and open sandboxes",
      icon: agentIcon,
      execute: () => app.shell.activateById(PANEL),
    });
    palette?.addItem({ command: SHOW, category: "Agents" });
  },
};

// The panel's list of variables in the sandboxes of the current notebook. All of it comes from a sandbox, so it is shown as text of
// limited size. A button copies a variable into the notebook by an ordinary cell, so that the notebook stays the record.

import { Dialog, showDialog, showErrorMessage } from "@jupyterlab/apputils";
import { type INotebookTracker, NotebookActions, type NotebookPanel } from "@jupyterlab/notebook";

import { button, h } from "../core/dom";
import { quoteWord } from "../core/follow-up";
import { tableOf } from "../core/table";
import { bytes, joinParts, readable } from "../core/text";
import type { SandboxListing, SandboxVariable } from "./sandbox-variables";
import type { KernelLink } from "./kernel-link";
import type { IActiveRuns } from "./active-runs";

export class VariablesPart {
  readonly el: HTMLElement;
  private readonly note = h("p", "panel-about");
  private readonly list = h("div", "panel-variables");
  private link: KernelLink | null = null;
  private lastRuns = "";

  constructor(
    private readonly tracker: INotebookTracker,
    private readonly activeRuns: IActiveRuns,
  ) {
    const again = button("Refresh", "panel-show", () => this.ask());
    again.setAttribute("aria-label", "Refresh the list of variables");
    this.el = h("section", "panel-section", h("h2", "panel-heading", "Variables of the sandbox"), h("div", "panel-row", this.note, again), this.list);
    this.el.hidden = true;
    tracker.currentChanged.connect(this.update, this);
  }

  dispose(): void {
    this.tracker.currentChanged.disconnect(this.update, this);
    this.link?.listed.disconnect(this.take, this);
  }

  /** Requests the variables from the kernel of the current notebook, if a run or the notebook has changed. */
  update(): void {
    const panel = this.tracker.currentWidget;
    const link = panel === null ? null : this.activeRuns.linkOf(panel);
    if (link !== this.link) {
      this.link?.listed.disconnect(this.take, this);
      this.link = link;
      link?.listed.connect(this.take, this);
      this.take(link, []);
      this.lastRuns = "";
    }
    const now = JSON.stringify((link?.runs ?? []).map(({ run, state, step }) => [run, state, step]));
    if (link === null || now === this.lastRuns) return;
    if (this.ask()) this.lastRuns = now;
  }

  private ask(): boolean {
    return this.link?.askVariables() ?? false;
  }

  private take(link: KernelLink | null, listings: readonly SandboxListing[]): void {
    if (link !== this.link) return;
    const busy = listings.filter(({ variables }) => variables === null).map(({ session }) => session);
    const known = listings.filter(({ variables }) => variables !== null);
    this.el.hidden = listings.length === 0;
    if (busy.length > 0 && known.length === 0) this.note.textContent = "A step is running. The list shows the state before it.";
    else this.draw(known);
  }

  private draw(listings: readonly SandboxListing[]): void {
    const open = new Set([...this.list.querySelectorAll<HTMLElement>("details[open]")].map((node) => node.dataset["key"]));
    const rows = listings.flatMap(({ session, variables }) => (variables ?? []).map((one) => this.row(session, one, open)));
    this.note.textContent = rows.length === 0 ? "No variables." : `${rows.length} in ${readable(listings.map(({ session }) => session).join(", "))}`;
    this.list.replaceChildren(...rows);
  }

  private row(session: string, one: SandboxVariable, open: ReadonlySet<string | undefined>): HTMLElement {
    const name = readable(one.name);
    const about = joinParts(readable(one.type), one.shape.join(" \u00d7 "), one.size < 0 ? "" : bytes(one.size));
    const copy = button("Copy to notebook", "panel-show", () => this.attempt(session, one));
    copy.setAttribute("aria-label", `Copy ${name} to the notebook`);
    const table = one.table === "" ? null : tableOf(one.table);
    const node = h("details", "panel-variable", h("summary", "panel-title", h("code", "", name), h("span", "panel-about", ` ${about}`)), table ?? h("pre", "panel-value", readable(one.text)), copy);
    node.dataset["key"] = `${session} ${one.name}`;
    node.open = open.has(node.dataset["key"]);
    return node;
  }

  private attempt(session: string, one: SandboxVariable): void {
    this.pull(session, one).catch((error: unknown) => showErrorMessage(`Could not copy ${one.name}`, error instanceof Error ? error.message : String(error)));
  }

  private async pull(session: string, { name, taken }: SandboxVariable): Promise<void> {
    const panel = this.tracker.currentWidget;
    if (panel === null) return;
    if (taken) {
      const buttons = [Dialog.cancelButton(), Dialog.warnButton({ label: "Replace" })];
      const body = "The notebook has a variable of this name. The copy from the sandbox takes its place.";
      if (!(await showDialog({ title: `Replace ${name}?`, body, buttons })).button.accept) return;
    }
    await runBelow(panel, pullCommand(session, name));
    this.ask();
  }
}

/** The line that copies a variable; sessions with odd names are quoted. */
export function pullCommand(session: string, name: string): string {
  if (session === "default") return `%agent pull ${name}`;
  return `%agent pull ${name} --session ${quoteWord(session)}`;
}

/** Runs a line in a cell of its own below the active one. */
export async function runBelow(panel: NotebookPanel, line: string): Promise<void> {
  const { content } = panel;
  const cells = content.model?.sharedModel;
  if (cells === undefined || content.model?.readOnly === true) throw new Error("the notebook cannot be changed");
  const at = content.widgets.length === 0 ? 0 : content.activeCellIndex + 1;
  content.deselectAll();
  cells.insertCell(at, { cell_type: "code", source: line, metadata: { trusted: true } });
  content.activeCellIndex = at;
  await NotebookActions.run(content, panel.sessionContext);
}

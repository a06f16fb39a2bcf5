// Finds a run's card in its cell, restores it there, or shows it in a tab of its own.

import type { ILabShell, JupyterFrontEnd } from "@jupyterlab/application";
import { MainAreaWidget } from "@jupyterlab/apputils";
import type { Cell, ICodeCellModel } from "@jupyterlab/cells";
import type { NotebookPanel } from "@jupyterlab/notebook";
import { MimeModel } from "@jupyterlab/rendermime";
import { Panel } from "@lumino/widgets";

import { agentIcon } from "./icon";
import type { Run } from "./active-runs";

const WIDGET = "application/vnd.jupyter.widget-view+json";

/** Finds the run's cell in this notebook, by the cell's id. */
export function findCell(panel: NotebookPanel, run: Run): Cell | undefined {
  return run.cell === "" ? undefined : panel.content.widgets.find((cell) => cell.model.id === run.cell);
}

/** Whether the cell's outputs hold the run's card. */
export function hasCard(cell: Cell, run: Run): boolean {
  if (cell.model.type !== "code") return false;
  const { outputs } = cell.model as ICodeCellModel;
  for (let at = 0; at < outputs.length; at++) {
    const view = outputs.get(at).data[WIDGET];
    if (typeof view === "object" && view !== null && "model_id" in view && view.model_id === run.widget) return true;
  }
  return false;
}

/**
 * Adds the card to the cell's outputs if it is missing; returns whether it was added.
 *
 * A cell without other outputs becomes trusted, as it was when the user ran it: it shows only the card.
 */
export function restoreCard(cell: Cell, run: Run): boolean {
  if (cell.model.type !== "code" || run.widget === "" || hasCard(cell, run)) return false;
  const model = cell.model as ICodeCellModel;
  if (model.outputs.length === 0) model.trusted = true;
  model.outputs.add({ output_type: "display_data", data: bundle(run), metadata: {} });
  return true;
}

/** Scrolls to the card in its cell and focuses it; false if the notebook has no such cell. */
export async function focusCard(panel: NotebookPanel, run: Run): Promise<boolean> {
  const cell = findCell(panel, run);
  if (cell === undefined) return false;
  restoreCard(cell, run);
  const at = panel.content.widgets.indexOf(cell);
  panel.content.activeCellIndex = at;
  panel.content.mode = "command";
  await panel.content.scrollToItem(at, "start");
  const card = cell.node.querySelector<HTMLElement>(`.smolcell-card[data-run="${CSS.escape(run.run)}"]`);
  card?.focus({ preventScroll: true });
  const [step] = [...(card?.querySelectorAll('[data-status="pending"]') ?? [])].slice(-1);
  (step ?? card)?.scrollIntoView({ block: "nearest" });
  return true;
}

/** Shows the card in a tab of its own beside a notebook that has no cell for it. */
export async function openInTab(app: JupyterFrontEnd, lab: ILabShell | null, panel: NotebookPanel, run: Run): Promise<void> {
  const id = `smolcell-card-${run.run}`;
  for (const area of ["main", "down"]) {
    for (const widget of app.shell.widgets(area)) if (widget.id === id) return app.shell.activateById(id);
  }
  const card = panel.content.rendermime.createRenderer(WIDGET);
  const content = new Panel();
  content.addClass("smolcell-apart");
  content.addWidget(card);
  const main = new MainAreaWidget({ content });
  main.id = id;
  main.title.label = run.task || "Agent run";
  main.title.icon = agentIcon;
  main.title.closable = true;
  app.shell.add(main, lab === null ? "down" : "main", lab === null ? {} : { mode: "split-bottom", ref: panel.id });
  await card.renderModel(new MimeModel({ data: bundle(run), trusted: true }));
  app.shell.activateById(id);
}

function bundle(run: Run): { [mime: string]: string | { [key: string]: string | number } } {
  const view = { model_id: run.widget, version_major: 2, version_minor: 0 };
  return { [WIDGET]: view, "text/plain": `smolcell run: ${run.task}` };
}

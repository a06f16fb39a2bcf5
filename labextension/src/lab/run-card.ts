// Where a run's card is on this page: found in its cell, put back there, or shown in a tab of its own.

import type { ILabShell, JupyterFrontEnd } from "@jupyterlab/application";
import { MainAreaWidget } from "@jupyterlab/apputils";
import type { Cell, ICodeCellModel } from "@jupyterlab/cells";
import type { NotebookPanel } from "@jupyterlab/notebook";
import { MimeModel } from "@jupyterlab/rendermime";
import { Panel } from "@lumino/widgets";

import { agentIcon } from "./icon";
import type { Run } from "./active-runs";

const WIDGET = "application/vnd.jupyter.widget-view+json";

/** The run's cell in this notebook, by the cell's id. */
export function cellOf(panel: NotebookPanel, run: Run): Cell | undefined {
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
 * Puts the card into the cell's outputs, where it is not there; says whether it was put there now.
 *
 * A cell without outputs is trusted then, as it was when the person ran it: the card is all that it shows.
 */
export function restoreCard(cell: Cell, run: Run): boolean {
  if (cell.model.type !== "code" || run.widget === "" || hasCard(cell, run)) return false;
  const model = cell.model as ICodeCellModel;
  if (model.outputs.length === 0) model.trusted = true;
  model.outputs.add({ output_type: "display_data", data: bundle(run), metadata: {} });
  return true;
}

/** Goes to the card in its cell, with the focus; false where the notebook has no such cell. */
export async function focusCard(panel: NotebookPanel, run: Run): Promise<boolean> {
  const cell = cellOf(panel, run);
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

/** Shows the card in a tab of its own beside the notebook, which has no cell for it. */
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

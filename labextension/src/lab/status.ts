// The status bar's item: how many steps wait and how many runs are active.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { IStatusBar } from "@jupyterlab/statusbar";
import { Widget } from "@lumino/widgets";

import { PANEL } from "./panel";
import { IActiveRuns } from "./active-runs";

/** The text of the item; "" without active runs. */
export function summary(activeRuns: Pick<IActiveRuns, "runs">): string {
  const waits = activeRuns.runs.filter(({ state }) => state === "pending").length;
  const rest = activeRuns.runs.length - waits;
  const parts = [waits === 0 ? "" : `${waits} waiting`, rest === 0 ? "" : `${rest} running`].filter((part) => part !== "");
  return parts.length === 0 ? "" : `Agents: ${parts.join(", ")}`;
}

export const status: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:status",
  description: "A status item with the number of waiting steps and active runs; a click opens the panel.",
  autoStart: true,
  requires: [IActiveRuns],
  optional: [IStatusBar],
  activate: (app: JupyterFrontEnd, activeRuns: IActiveRuns, bar: IStatusBar | null): void => {
    if (bar === null) return;
    const item = new Widget({ node: document.createElement("button") });
    item.addClass("smolcell-status-item");
    item.addClass("jp-mod-highlighted");
    item.node.setAttribute("type", "button");
    item.node.title = "Show the agents' panel";
    item.node.addEventListener("click", () => app.shell.activateById(PANEL));
    const draw = (): void => {
      item.node.textContent = summary(activeRuns);
      item.node.classList.toggle("smolcell-waits", activeRuns.runs.some(({ state }) => state === "pending"));
    };
    activeRuns.changed.connect(draw);
    draw();
    bar.registerStatusItem(status.id, {
      item,
      align: "left",
      rank: 900,
      isActive: () => activeRuns.runs.length > 0,
      activeStateChanged: activeRuns.changed,
    });
  },
};

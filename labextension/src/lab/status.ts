// The status bar's item: how many steps wait, how many runs are under way.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { IStatusBar } from "@jupyterlab/statusbar";
import { Widget } from "@lumino/widgets";

import { PANEL } from "./panel";
import { IUnderway } from "./active-runs";

/** What the item says; "" while nothing is under way. */
export function summary(underway: Pick<IUnderway, "runs">): string {
  const waits = underway.runs.filter(({ state }) => state === "pending").length;
  const rest = underway.runs.length - waits;
  const parts = [waits === 0 ? "" : `${waits} waiting`, rest === 0 ? "" : `${rest} running`].filter((part) => part !== "");
  return parts.length === 0 ? "" : `Agents: ${parts.join(", ")}`;
}

export const status: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:status",
  description: "A status item that counts the steps that wait and the runs under way; a click opens the panel.",
  autoStart: true,
  requires: [IUnderway],
  optional: [IStatusBar],
  activate: (app: JupyterFrontEnd, underway: IUnderway, bar: IStatusBar | null): void => {
    if (bar === null) return;
    const item = new Widget({ node: document.createElement("button") });
    item.addClass("smolcell-status-item");
    item.addClass("jp-mod-highlighted");
    item.node.setAttribute("type", "button");
    item.node.title = "Show the agents' panel";
    item.node.addEventListener("click", () => app.shell.activateById(PANEL));
    const draw = (): void => {
      item.node.textContent = summary(underway);
      item.node.classList.toggle("smolcell-waits", underway.runs.some(({ state }) => state === "pending"));
    };
    underway.changed.connect(draw);
    draw();
    bar.registerStatusItem(status.id, {
      item,
      align: "left",
      rank: 900,
      isActive: () => underway.runs.length > 0,
      activeStateChanged: underway.changed,
    });
  },
};

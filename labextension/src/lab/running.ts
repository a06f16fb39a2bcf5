// The agents' runs among the running sessions.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { IRunningSessionManagers, type IRunningSessions } from "@jupyterlab/running";

import { joined } from "../core/text";
import { agentIcon } from "./icon";
import { stopOrSay } from "./remote-stop";
import { doing, IUnderway, nameOf, type Run } from "./active-runs";

function item(underway: IUnderway, run: Run): IRunningSessions.IRunningItem {
  const path = underway.pathOf(run);
  return {
    icon: () => agentIcon,
    label: () => run.task || "Agent run",
    labelTitle: () => joined(run.task, path),
    detail: () => joined(doing(run), nameOf(path)),
    open: () => void underway.show(run),
    shutdown: () => void stopOrSay(underway, run),
  };
}

export const running: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:running",
  description: "Lists the agents' runs among the running sessions.",
  autoStart: true,
  requires: [IUnderway],
  optional: [IRunningSessionManagers],
  activate: (_: JupyterFrontEnd, underway: IUnderway, managers: IRunningSessionManagers | null): void => {
    managers?.add({
      name: "Agent runs",
      running: () => underway.runs.map((run) => item(underway, run)),
      shutdownAll: () => underway.runs.forEach((run) => void stopOrSay(underway, run)),
      refreshRunning: () => void underway.refresh(),
      runningChanged: underway.changed,
      shutdownLabel: "Stop",
      shutdownAllLabel: "Stop All",
      shutdownAllConfirmationText: "Stop all runs of agents? What they did so far stays.",
    });
  },
};

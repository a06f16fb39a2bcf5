// Lists the agents' runs in the panel of running sessions.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { IRunningSessionManagers, type IRunningSessions } from "@jupyterlab/running";

import { joinParts } from "../core/text";
import { agentIcon } from "./icon";
import { stopOrNotify } from "./remote-stop";
import { IActiveRuns } from "./active-runs";
import { describeActivity, fileName, type Run } from "./runs";

function item(activeRuns: IActiveRuns, run: Run): IRunningSessions.IRunningItem {
  const path = activeRuns.pathOf(run);
  return {
    icon: () => agentIcon,
    label: () => run.task || "Agent run",
    labelTitle: () => joinParts(run.task, path),
    detail: () => joinParts(describeActivity(run), fileName(path)),
    open: () => void activeRuns.show(run),
    shutdown: () => void stopOrNotify(activeRuns, run),
  };
}

export const running: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:running",
  description: "Lists the agents' runs among the running sessions.",
  autoStart: true,
  requires: [IActiveRuns],
  optional: [IRunningSessionManagers],
  activate: (_: JupyterFrontEnd, activeRuns: IActiveRuns, managers: IRunningSessionManagers | null): void => {
    managers?.add({
      name: "Agent runs",
      running: () => activeRuns.runs.map((run) => item(activeRuns, run)),
      shutdownAll: () => activeRuns.runs.forEach((run) => void stopOrNotify(activeRuns, run)),
      refreshRunning: () => void activeRuns.refresh(),
      runningChanged: activeRuns.changed,
      shutdownLabel: "Stop",
      shutdownAllLabel: "Stop All",
      shutdownAllConfirmationText: "Stop all runs of agents? Their results so far are kept.",
    });
  },
};

// The JupyterLab extension: one plugin a file. Each can be disabled by its id; dependencies are listed in `requires`. Notebook 7
// loads the same plugins; its shell has fewer areas, so most tokens are optional.

import type { JupyterFrontEndPlugin } from "@jupyterlab/application";

import { attach } from "./attach";
import { cell } from "./cell-editor";
import { cells } from "./insert-cells";
import { commands } from "./commands";
import { complete } from "./option-completer";
import { firstSteps } from "./first-steps";
import { mime } from "../hosts/mime";
import { keyboard } from "./keyboard";
import { restoreRecord } from "./restore-record";
import { notify } from "./notify";
import { panel } from "./panel";
import { running } from "./running";
import { status } from "./status";
import { typeset } from "./typeset";

const plugins: JupyterFrontEndPlugin<unknown>[] = [
  attach,
  panel,
  status,
  notify,
  running,
  cell,
  cells,
  complete,
  commands,
  firstSteps,
  mime,
  restoreRecord,
  typeset,
  keyboard,
];

export default plugins;

// The JupyterLab extension. One plugin a file; each can be switched off by its id, and none needs another one to be there
// unless it says so in `requires`. Notebook 7 loads the same plugins; its shell has fewer places, so tokens are optional.

import type { JupyterFrontEndPlugin } from "@jupyterlab/application";

import { attach } from "./attach";
import { cell } from "./cell-editor";
import { cells } from "./insert-cells";
import { commands } from "./commands";
import { complete } from "./option-completer";
import { firstSteps } from "./first-steps";
import { mime } from "../hosts/mime";
import { keyboard } from "./keyboard";
import { missed } from "./restore-record";
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
  missed,
  typeset,
  keyboard,
];

export default plugins;

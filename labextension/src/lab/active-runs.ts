// The active runs of all kernels that this page knows of: the token by which plugins share them.

import type { NotebookPanel } from "@jupyterlab/notebook";
import { Token } from "@lumino/coreutils";
import type { ISignal } from "@lumino/signaling";

import type { KernelLink } from "./kernel-link";
import type { Run } from "./runs";

/** The active runs of all kernels that this page knows of, with actions on them. Nothing is approved here. */
export interface IActiveRuns {
  /** Runs that wait for the user first, then by their start. */
  readonly runs: readonly Run[];
  /** The notebook of a run's kernel, or "" if unknown. */
  pathOf(run: Run): string;
  /** The id of the kernel with this process ("id:start"), or "". */
  kernelOf(process: string): string;
  /** The notebook of a kernel, or "". */
  notebookOf(kernel: string): string;
  /** Whether the run's cell is in a visible notebook of a visible page. */
  isInSight(run: Run): boolean;
  /** Goes to the run's card, and adds it if it is missing. */
  show(run: Run): Promise<void>;
  /** Ends the run. */
  stop(run: Run): Promise<void>;
  /** The link to the kernel of an open notebook; null if there is none yet. */
  linkOf(panel: NotebookPanel): KernelLink | null;
  /** Polls the server now. */
  refresh(): Promise<void>;
  readonly changed: ISignal<IActiveRuns, void>;
}

export const IActiveRuns = new Token<IActiveRuns>(
  "@smolcell/labextension:IActiveRuns",
  "The agents' runs that are not over, in all kernels that this page knows of.",
);

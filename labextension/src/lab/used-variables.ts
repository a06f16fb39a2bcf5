// Asks the kernel which of the notebook's variables a cell uses, if smolcell is loaded in it and it is idle.

import type { Kernel } from "@jupyterlab/services";

export const TARGET = "smolcell.fix";
const TIMEOUT_MS = 1500;
const MAX_NAMES = 20;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** The names of the notebook's variables that a cell uses; none if the kernel is busy or does not know smolcell. */
export async function findUsedVariables(source: string, kernel: Kernel.IKernelConnection | null | undefined): Promise<string[]> {
  if (!kernel || kernel.status !== "idle") return [];
  const comm = kernel.createComm(TARGET);
  const answer = new Promise<string[]>((resolve) => {
    comm.onMsg = ({ content }) => resolve(readNames(content.data["variables"]));
    comm.onClose = () => resolve([]); // smolcell is not loaded there
    setTimeout(() => resolve([]), TIMEOUT_MS);
  });
  comm.open({ source });
  const names = await answer;
  if (!comm.isDisposed) void comm.close();
  return names;
}

function readNames(value: unknown): string[] {
  const names: unknown[] = Array.isArray(value) ? value.slice(0, MAX_NAMES) : [];
  return names.filter((name): name is string => typeof name === "string" && NAME.test(name));
}

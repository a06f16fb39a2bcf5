// The notebook's variables that a cell uses: asked of the kernel, if smolcell is loaded in it and it is idle.

import type { Kernel } from "@jupyterlab/services";

export const TARGET = "smolcell.fix";
const PATIENCE = 1500; // milliseconds; a kernel that is busy for longer is not waited for
const MAX_NAMES = 20;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

export async function variablesUsedBy(source: string, kernel: Kernel.IKernelConnection | null | undefined): Promise<string[]> {
  if (!kernel || kernel.status !== "idle") return [];
  const comm = kernel.createComm(TARGET);
  const answer = new Promise<string[]>((resolve) => {
    comm.onMsg = ({ content }) => resolve(readNames(content.data["variables"]));
    comm.onClose = () => resolve([]); // nothing of the kind is known there
    setTimeout(() => resolve([]), PATIENCE);
  });
  comm.open({ source });
  const names = await answer;
  if (!comm.isDisposed) void comm.close();
  return names;
}

function readNames(said: unknown): string[] {
  const names: unknown[] = Array.isArray(said) ? said.slice(0, MAX_NAMES) : [];
  return names.filter((name): name is string => typeof name === "string" && NAME.test(name));
}

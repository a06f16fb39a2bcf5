// Client of the REST API of `smolcell.server`, which knows all kernels of the user. Without that server extension, the page knows
// only its open notebooks.

import { URLExt } from "@jupyterlab/coreutils";
import { ServerConnection } from "@jupyterlab/services";

import { readRuns, type Run } from "./runs";

/** A sandbox, as `smolcell.executors.inventory` finds it. */
export interface Sandbox {
  readonly kind: string;
  readonly name: string;
  readonly image: string;
  /** Seconds. */
  readonly age: number | null;
  /** Bytes; null if unknown. */
  readonly memory: number | null;
  /** The process of its kernel, "id:start"; "" if unknown. */
  readonly kernel: string;
  readonly gone: boolean;
  readonly walls: readonly string[];
  /** Its state: "idle", "running step 3", "paused", … */
  readonly state: string;
  /** When its provider ends it, in words; "" if it does not. */
  readonly ends: string;
  /** Number of checkpoints that it keeps; their memory is part of `memory`. */
  readonly checkpoints?: number;
}

/** A job of `%agent map`, as `smolcell.scale.approvals` reports it. */
export interface Job {
  readonly folder: string;
  /** Its progress, in words. */
  readonly told: string;
  readonly running: boolean;
  readonly waiting: readonly Waiting[];
}

/** A program that one or more runs of a job wait to have approved. */
export interface Waiting {
  readonly sha256: string;
  /** The beginning of the program, on one line. */
  readonly text: string;
  readonly runs: number;
  readonly findings: string;
}

export interface Kernel {
  readonly id: string;
  readonly process: string;
  readonly runs: readonly Run[];
}

export class Server {
  constructor(private readonly settings: ServerConnection.ISettings) {}

  /** The kernels that have, or had, runs; null if the server extension is not installed. */
  async kernels(): Promise<Kernel[] | null> {
    const { kernels } = (await this.get("runs")) ?? {};
    if (!Array.isArray(kernels)) return null;
    return kernels
      .filter((one) => typeof one?.id === "string" && typeof one.process === "string")
      .map(({ id, process, runs }) => ({ id, process, runs: readRuns(runs, id, process) }));
  }

  async sandboxes(): Promise<Sandbox[]> {
    const { sandboxes } = (await this.get("sandboxes")) ?? {};
    if (!Array.isArray(sandboxes)) return [];
    return sandboxes.filter((one) => typeof one?.kind === "string" && typeof one.name === "string");
  }

  async jobs(): Promise<Job[]> {
    const { jobs } = (await this.get("jobs")) ?? {};
    return Array.isArray(jobs) ? jobs.filter((one) => typeof one?.folder === "string" && Array.isArray(one.waiting)) : [];
  }

  async endSandbox({ kind, name }: Sandbox): Promise<void> {
    const response = await this.ask("sandboxes/end", { method: "POST", body: JSON.stringify({ kind, name }) });
    // 404: it has ended already.
    if (!response.ok && response.status !== 404) throw await ServerConnection.ResponseError.create(response);
  }

  private async get(path: string): Promise<Record<string, unknown> | null> {
    const response = await this.ask(path, {});
    if (response.status === 404) return null;
    if (!response.ok) throw await ServerConnection.ResponseError.create(response);
    return (await response.json()) as Record<string, unknown>;
  }

  private ask(path: string, init: RequestInit): Promise<Response> {
    const url = URLExt.join(this.settings.baseUrl, "smolcell", "api", path);
    return ServerConnection.makeRequest(url, init, this.settings);
  }
}

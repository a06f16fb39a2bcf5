// What `smolcell.server` tells of all kernels of this user. Where it is not there, nothing is known of other notebooks.

import { URLExt } from "@jupyterlab/coreutils";
import { ServerConnection } from "@jupyterlab/services";

import { readRuns, type Run } from "./active-runs";

/** A sandbox, as `smolcell.executors.inventory` finds it. */
export interface Sandbox {
  readonly kind: string;
  readonly name: string;
  readonly image: string;
  /** Seconds. */
  readonly age: number | null;
  /** Bytes; null where unknown. */
  readonly memory: number | null;
  /** The process of its kernel, "id:start"; "" where unknown. */
  readonly kernel: string;
  readonly gone: boolean;
  readonly walls: readonly string[];
  /** What it does: "idle", "running step 3", "paused", … */
  readonly state: string;
  /** When its provider ends it, in words; "" where nobody does. */
  readonly ends: string;
  /** States to go back to that it keeps; their memory is part of `memory`. */
  readonly checkpoints?: number;
}

/** A job of `%agent map`, as `smolcell.scale.approvals` tells of it. */
export interface Job {
  readonly folder: string;
  /** How far it is, in words. */
  readonly told: string;
  readonly running: boolean;
  readonly waiting: readonly Waiting[];
}

/** A program that runs of a job wait with. */
export interface Waiting {
  readonly sha256: string;
  /** Its beginning, on one line. */
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

  /** The kernels that have, or had, runs; null where the server has no such part. */
  async kernels(): Promise<Kernel[] | null> {
    const { kernels } = (await this.get("runs")) ?? {};
    if (!Array.isArray(kernels)) return null;
    return kernels
      .filter((one) => typeof one?.id === "string" && typeof one.process === "string")
      .map(({ id, process, runs }) => ({ id, process, runs: readRuns(runs, id) }));
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

  async end({ kind, name }: Sandbox): Promise<void> {
    const response = await this.ask("sandboxes/end", { method: "POST", body: JSON.stringify({ kind, name }) });
    // One that is not there any more has ended.
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

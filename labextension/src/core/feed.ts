// Puts the kernel's numbered messages in order and folds them. Independent of page and widget.

import type { Delta, Piece, RunEvent } from "./events";
import { EMPTY, fold, foldDelta, foldEvent, type RunState } from "./fold";

export interface Pending {
  run: string;
  step: number;
  fingerprint: string;
  /** Why the gate asks; missing if it asks about every step. */
  why?: string;
  /** Whether code can be approved for the session: only if the sandbox is isolated and has no network. */
  session?: boolean;
  /** Further choices, which the kernel made for this proposal and carries out. */
  offers?: readonly { id: string; label: string; choice: "approve" | "edit" | "refuse" }[];
  /** Parts of the notebook that can be sent, each with its line of the proposal's text. */
  pieces?: readonly (Piece & { line: string })[];
}

/** The connection to the kernel. `connecting`: no message has arrived yet. `over`: the run has ended, so none is needed. */
export type LinkState = "connecting" | "live" | "over" | "dead";

export type Message =
  | { type: "event"; seq: number; event: RunEvent }
  | { type: "delta"; seq: number; delta: Delta }
  | { type: "pending"; seq: number; pending: Pending | null }
  | { type: "snapshot"; seq: number; events: RunEvent[]; deltas: Delta[]; pending: Pending | null; live: boolean }
  | { type: "verdict"; id: string; ok: boolean; why: string }
  | ({ type: "cells" } & Cells)
  | ({ type: "record" } & Saved)
  | ({ type: "reply" } & Reply)
  | { type: "library"; name: string; code: string }
  | { type: "json"; text: string };

/** The run's steps as ordinary cells; `id` is that of the request; `why` is the reason if there are none. */
export interface Cells {
  id: string;
  cells: string[];
  notes: string[];
  why: string;
}

/** The run's record as display data; `id` is that of the request. */
export interface Saved {
  id: string;
  data: Record<string, unknown>;
}

/** The kernel's reply to a request of this page; `id` is that of the request. Its content must be validated. */
export interface Reply {
  id: string;
  said: Record<string, unknown>;
}

export interface Verdict {
  id: string;
  ok: boolean;
  why: string;
}

export class Feed {
  state: RunState = EMPTY;
  pending: Pending | null = null;
  link: LinkState = "connecting";
  verdict: Verdict | null = null;
  cells: Cells | null = null;
  saved: Saved | null = null;
  reply: Reply | null = null;
  library: { name: string; code: string } | null = null;
  private last = 0;
  private readonly listeners = new Set<() => void>();

  /** `sync` requests a snapshot from the kernel; it is called when a message is missing. */
  constructor(private readonly sync: () => void) {}

  /** Calls `listener` after each change, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Takes a message of the kernel; unknown messages are ignored. */
  receive(message: Message): void {
    if (message.type === "json") return this.receive(JSON.parse(message.text) as Message);
    if (message.type === "verdict") this.verdict = { id: message.id, ok: message.ok, why: message.why };
    else if (message.type === "cells") this.cells = message;
    else if (message.type === "record") this.saved = message;
    else if (message.type === "reply") this.reply = message;
    else if (message.type === "library") this.library = message;
    else if (message.type === "snapshot") this.takeSnapshot(message);
    else if (!this.takeNumbered(message)) return;
    if (message.type !== "snapshot") this.link = this.state.ended === null ? "live" : "over";
    this.notify();
  }

  /** Takes a finished run from the widget's saved state. */
  restore(saved: string): void {
    if (saved === "" || this.state.ended !== null) return;
    this.state = fold(JSON.parse(saved) as RunEvent[]);
    this.pending = null;
    this.link = "over";
    this.notify();
  }

  /** Marks the connection as dead. A later message revives it. */
  markDead(): void {
    if (this.link === "over") return;
    this.link = "dead";
    this.notify();
  }

  private takeNumbered(message: Message & { seq: number }): boolean {
    if (!Number.isInteger(message.seq) || message.seq <= this.last) return false;
    if (message.seq > this.last + 1) {
      this.sync();
      return false;
    }
    this.last = message.seq;
    if (message.type === "event") this.state = foldEvent(this.state, message.event);
    if (message.type === "delta") this.state = foldDelta(this.state, message.delta);
    if (message.type === "pending") this.pending = message.pending;
    if (this.state.ended !== null) this.pending = null;
    return true;
  }

  private takeSnapshot(message: Message & { type: "snapshot" }): void {
    if (message.seq < this.last) return;
    this.last = message.seq;
    this.state = reuseSteps(this.state, fold(message.events, message.deltas));
    this.pending = message.pending;
    this.link = message.live && this.state.ended === null ? "live" : "over";
  }

  private notify(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

/** Returns the new state with the old objects for equal steps, so that these are not redrawn. */
function reuseSteps(before: RunState, after: RunState): RunState {
  const steps = after.steps.map((step, at) => {
    const old = before.steps[at];
    return old !== undefined && JSON.stringify(old) === JSON.stringify(step) ? old : step;
  });
  return { ...after, steps };
}

// The anywidget host: connects a feed to the kernel's messages, and a card to each view of the widget.
//
// All views of a widget share one feed. The message `init` reports that this module runs, `ready` that a card is on the page; an
// untrusted notebook sends only the first.

import { Card, type Post } from "../core/card";
import { Feed, type Message } from "../core/feed";

/** The part of anywidget's model that is used here. */
export interface Model {
  get(name: string): unknown;
  on(event: string, listener: (...args: never[]) => void): void;
  off(event: string, listener: (...args: never[]) => void): void;
  send(content: unknown): void;
}

const SYNC_INTERVAL_MS = 500; // least time between two requests for a snapshot
const KERNEL_TIMEOUT_MS = 4000; // after this without a message there is no kernel

class Host {
  readonly feed = new Feed(() => this.sync());
  private syncedAt = Number.NEGATIVE_INFINITY;
  private answers = 0;
  private user = "";

  constructor(private readonly model: Model) {
    model.on("msg:custom", (message: Message, buffers?: readonly DataView<ArrayBuffer>[]) => this.receive(message, buffers));
    model.on("change:snapshot", () => this.restore());
    model.on("comm:close", () => this.feed.markDead());
    model.on("comm_live_update", () => this.reconnect());
    this.restore();
    void fetchUser().then((user) => (this.user = user));
  }

  /** Sends a message; returns whether that was possible. */
  send(content: unknown): boolean {
    try {
      this.model.send(content);
      return true;
    } catch {
      this.feed.markDead(); // the comm is closed
      return false;
    }
  }

  /** Requests a snapshot, and marks the feed as dead if the kernel does not answer in time. */
  ready(): void {
    this.send({ type: "ready" });
    setTimeout(() => this.feed.link === "connecting" && this.feed.markDead(), KERNEL_TIMEOUT_MS);
  }

  readonly post: Post = {
    answer: (pending, reply) => {
      const id = this.newId();
      this.send({ type: "answer", id, ...pending, ...reply, ...(this.user === "" ? {} : { user: this.user }) });
      return id;
    },
    stop: (run) => this.send({ type: "stop", run }),
    export: (run) => this.ask("export", run),
    record: (run) => this.ask("record", run),
    request: (kind, run, choice = "") => this.ask(kind, run, choice),
    library: (name) => void this.send({ type: "library", name }),
    picture: (picture) => void this.send({ type: "picture", ...picture }),
  };

  private ask(type: string, run: string, choice = ""): string {
    const id = this.newId();
    return this.send({ type, id, run, ...(choice === "" ? {} : { choice }) }) ? id : "";
  }

  private newId(): string {
    return `${Date.now().toString(36)}-${++this.answers}`;
  }

  private receive(message: Message, buffers: readonly DataView<ArrayBuffer>[] = []): void {
    if (typeof message !== "object" || message === null) return;
    const [packed] = buffers;
    if (message.type !== "library" || packed === undefined) this.feed.receive(message);
    else void unpack(packed).then((code) => this.feed.receive({ ...message, code }));
  }

  private restore(): void {
    const saved = this.model.get("snapshot");
    if (typeof saved === "string") this.feed.restore(saved);
  }

  /** The comm was replaced: the feed is dead until the kernel answers on the new one. */
  private reconnect(): void {
    this.feed.markDead();
    this.sync();
  }

  private sync(): void {
    const now = performance.now();
    if (now - this.syncedAt < SYNC_INTERVAL_MS) return;
    this.syncedAt = now;
    this.send({ type: "sync" });
  }
}

/** The user's name as Jupyter's server reports it; "" if this is not a page of Jupyter, or there is no name. */
async function fetchUser(): Promise<string> {
  try {
    const config: unknown = JSON.parse(document.getElementById("jupyter-config-data")?.textContent ?? "{}");
    const base = (config as { baseUrl?: unknown }).baseUrl;
    if (typeof base !== "string") return "";
    const reply = await fetch(new URL(`${base.replace(/\/?$/, "/")}api/me`, location.href), { credentials: "same-origin" });
    const { identity } = (await reply.json()) as { identity?: { username?: unknown; display_name?: unknown } };
    const [name, username] = [identity?.display_name, identity?.username].map((part) => (typeof part === "string" ? part : ""));
    return name === username || !username ? (name ?? "") : `${name} (${username})`;
  } catch {
    return "";
  }
}

/** Decompresses a library's code. It is sent compressed, because Jupyter's server drops messages above a rate limit. */
async function unpack(packed: DataView<ArrayBuffer>): Promise<string> {
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

export default function widget() {
  let host: Host | null = null;
  const hostOf = (model: Model): Host => (host ??= new Host(model));
  return {
    initialize({ model }: { model: Model }): void {
      hostOf(model).send({ type: "init" });
    },
    render({ model, el }: { model: Model; el: HTMLElement }): () => void {
      const { feed, post } = hostOf(model);
      const end = new AbortController();
      const card = new Card(feed, post, end.signal);
      const unsubscribe = feed.listen(() => card.update());
      el.append(card.el);
      hostOf(model).ready();
      return () => {
        end.abort();
        unsubscribe();
        card.el.remove();
      };
    },
  };
}

// The anywidget host: connects a feed to the kernel's messages, and a card to each place the widget is shown in.
//
// One feed for each widget, however many views there are. `init` says that the module runs at all, `ready` that a
// card is on the page; an untrusted notebook says only the first.

import { Card, type Post } from "../core/card";
import { Feed, type Message } from "../core/feed";

/** The part of anywidget's model that is used. */
export interface Model {
  get(name: string): unknown;
  on(event: string, listener: (...args: never[]) => void): void;
  off(event: string, listener: (...args: never[]) => void): void;
  send(content: unknown): void;
}

const SYNC_PAUSE = 500; // milliseconds between two requests for everything
const KERNEL_PATIENCE = 4000; // milliseconds in which a kernel answers, if there is one

class Host {
  readonly feed = new Feed(() => this.sync());
  private syncedAt = Number.NEGATIVE_INFINITY;
  private answers = 0;
  private user = "";

  constructor(private readonly model: Model) {
    model.on("msg:custom", (message: Message, buffers?: readonly DataView<ArrayBuffer>[]) => this.receive(message, buffers));
    model.on("change:snapshot", () => this.restore());
    model.on("comm:close", () => this.feed.die());
    model.on("comm_live_update", () => this.doubt());
    this.restore();
    void jupyterUser().then((user) => (this.user = user));
  }

  /** Whether it could be sent. */
  send(content: unknown): boolean {
    try {
      this.model.send(content);
      return true;
    } catch {
      this.feed.die(); // the comm is closed
      return false;
    }
  }

  /** Asks for everything, and gives the kernel a while to answer. */
  ready(): void {
    this.send({ type: "ready" });
    setTimeout(() => this.feed.link === "connecting" && this.feed.die(), KERNEL_PATIENCE);
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
    else void unpacked(packed).then((code) => this.feed.receive({ ...message, code }));
  }

  private restore(): void {
    const saved = this.model.get("snapshot");
    if (typeof saved === "string") this.feed.restore(saved);
  }

  /** The comm changed hands. Dead until the kernel says something, which is asked for. */
  private doubt(): void {
    this.feed.die();
    this.sync();
  }

  private sync(): void {
    const now = performance.now();
    if (now - this.syncedAt < SYNC_PAUSE) return;
    this.syncedAt = now;
    this.send({ type: "sync" });
  }
}

/** Whom Jupyter's server knows this page's user as; "" if the page is not one of Jupyter's, or it does not say. */
async function jupyterUser(): Promise<string> {
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

/** A library's text; it is sent compressed, because Jupyter's server drops what is too much for some seconds. */
async function unpacked(packed: DataView<ArrayBuffer>): Promise<string> {
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
      const quiet = feed.listen(() => card.update());
      el.append(card.el);
      hostOf(model).ready();
      return () => {
        end.abort();
        quiet();
        card.el.remove();
      };
    },
  };
}

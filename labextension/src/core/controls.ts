// The controls of a step that waits: choose, edit, refuse with a comment; then wait for the kernel's verdict.

import { byPerson, type Choice } from "./decision-input";
import { chosenText, PieceList } from "./context-pieces";
import { difference, differenceBlock } from "./diff";
import { button, type Child, h } from "./dom";
import { Editor, textArea } from "./editor";
import type { Pending, Verdict } from "./feed";
import type { Step } from "./fold";
import { ReadProgress, unreadText } from "./read-progress";
import { readable } from "./text";

export interface Reply {
  choice: Choice;
  text?: string;
  comment?: string;
  offer?: string;
}

/** What the controls may ask of their card. */
export interface StepActions {
  /** Sends an answer for exactly this proposal; returns the id its verdict will carry. */
  answer(pending: Pending, reply: Reply): string;
  /** May a click count now? */
  clickCounts(): boolean;
  /** Goes back to earlier steps; null if there is no kernel. */
  readonly back: Back | null;
}

export interface Back {
  /** Goes back to the end of a step of the card's run; says how that went. */
  goBack(step: number, told: (text: string) => void): void;
  /** Inserts a cell below the card's and runs it; returns the text to copy where no notebook takes it. */
  runCell(line: string, byKey: boolean): HTMLElement[];
  /** The run and its session. */
  place(): { run: string; session: string };
}

const PATIENCE = 5000; // milliseconds until a verdict is overdue

let made = 0;

export class Controls {
  readonly el: HTMLElement;
  private readonly row = h("div", "row");
  private readonly message = h("p", "message");
  private readonly unread = h("p", "unread");
  private readonly reading: ReadProgress;
  private sent = "";
  private overdue: ReturnType<typeof setTimeout> | undefined;
  private editor: Editor | HTMLTextAreaElement | null = null;

  constructor(
    private readonly actions: StepActions,
    private readonly step: Step,
    readonly pending: Pending,
    lines: readonly HTMLElement[],
    private readonly turned: (mode: string) => void,
  ) {
    const why = pending.why ? h("p", "note", readable(pending.why)) : null;
    // The buttons come before what changes by itself: a button that moves while it is pressed takes no click.
    this.el = h("div", "controls", why, this.row, this.unread, this.message);
    this.unread.id = `smolcell-unread-${++made}`;
    this.reading = new ReadProgress(lines, () => this.tellUnread(lines.length));
    this.el.setAttribute("role", "group");
    this.el.setAttribute("aria-label", step.kind === "context" ? "Decide what the model is sent" : `Decide about step ${step.n}`);
    this.message.setAttribute("role", "status");
    this.tellUnread(lines.length);
    this.begin();
  }

  /** What a key does; the caller has judged that it counts. */
  press(choice: Choice): void {
    if (this.sent !== "" || this.mode !== "choose") return;
    if (choice === "edit") this.edit();
    else if (choice === "refuse") this.refuse();
    else this.send({ choice });
  }

  get mode(): string {
    return this.el.dataset["mode"] ?? "";
  }

  /** Whether a click on a button that sends an answer counts by now; one that comes earlier is told so. */
  arm(on: boolean): void {
    for (const node of this.row.querySelectorAll("button")) {
      node.disabled = this.sent !== "";
      if (on || !node.matches("[data-sends]")) node.removeAttribute("aria-disabled");
      else node.setAttribute("aria-disabled", "true");
    }
  }

  /** Takes the kernel's word on an answer, if it was ours. */
  take(verdict: Verdict | null): void {
    if (verdict === null || verdict.id !== this.sent || this.sent === "") return;
    clearTimeout(this.overdue);
    if (!verdict.ok) this.again(`Not accepted: ${verdict.why}.`);
  }

  close(): void {
    clearTimeout(this.overdue);
    this.leaveEditor();
    this.reading.close();
  }

  /** Says what of the code was never on the screen; a yes to more than this step is offered once all of it was. */
  private tellUnread(total: number): void {
    const text = unreadText(this.reading.unread, total);
    this.unread.hidden = text === "";
    if (text === "") this.unread.replaceChildren();
    else if (this.unread.firstChild === null) this.unread.append(text, " ", button("Show it", "more", () => this.reading.show()));
    else this.unread.firstChild.textContent = text;
    if (text === "" && this.mode === "choose") this.offerMore();
  }

  /** A yes to more than this step. */
  private offerMore(): void {
    if (this.reading.unread.length > 0) return;
    const rest = this.step.kind === "plan" ? "Approve every plan of this run" : "Approve the rest of this run";
    this.offer(rest, "approve_run");
    if (this.pending.session === true) this.offer(SESSION, "approve_kind");
  }

  private offer(label: string, choice: Choice): void {
    const node = control(label, "quiet", () => this.click({ choice }));
    const first = this.row.querySelector("button");
    node.disabled = first?.disabled ?? false;
    if (first?.hasAttribute("aria-disabled")) node.setAttribute("aria-disabled", "true");
    this.row.append(node);
  }

  private begin(): void {
    if (this.step.kind === "question") this.question();
    else if (this.step.kind === "budget") this.budget();
    else if (this.step.kind === "context") this.context();
    else if (this.step.kind === "output") this.output();
    else if (this.step.kind === "host") this.host();
    else this.choose();
  }

  /** A tool wants words of the person; no key and no other button gives any. */
  private question(): void {
    const area = textArea("comment");
    area.rows = 2;
    area.setAttribute("aria-label", "Your answer. The agent's code reads it.");
    area.placeholder = "Your answer (the agent's code reads it)";
    this.editor = area;
    this.show(
      "question",
      area,
      control("Send answer", "primary", () => this.click({ choice: "edit", text: area.value })),
      control("Do not answer", "", () => this.click({ choice: "refuse" })),
      control("Stop", "", () => this.click({ choice: "stop" })),
    );
  }

  /** Going on is a button; no key says it, and nothing said before does. */
  private budget(): void {
    this.show(
      "budget",
      control("Go on", "primary", () => this.click({ choice: "approve" })),
      control("Stop", "", () => this.click({ choice: "stop" })),
    );
  }

  /** What of the notebook is sent is chosen with buttons; no key says it. */
  private context(): void {
    const list = new PieceList(this.pending.pieces ?? []);
    const send = (offer?: string): void => {
      const text = chosenText(this.step.code, list.dropped());
      const all = text === this.step.code && offer === undefined;
      this.click(all ? { choice: "approve" } : { choice: "edit", text, ...(offer === undefined ? {} : { offer }) });
    };
    const offers = this.pending.offers ?? [];
    this.show(
      "context",
      list.el,
      control("This time", "primary", () => send()),
      ...offers.map(({ id, label }) => control(readable(label), "", () => send(id))),
      control("No", "", () => this.click({ choice: "refuse" })),
    );
  }

  /** What an output check found goes as it is, redacted, or not at all; no key says it. */
  private output(): void {
    this.editor = null;
    const offers = this.pending.offers ?? [];
    this.show(
      "output",
      ...offers.map(({ id, label, choice }) => control(readable(label), "primary", () => this.click({ choice, offer: id }))),
      control("Let it pass as it is", "", () => this.click({ choice: "approve" })),
      opener("Refuse", () => this.refuse()),
      control("Stop", "", () => this.click({ choice: "stop" })),
    );
  }

  /** A host is allowed once, or for as long as an offer says; no key says it. */
  private host(): void {
    this.editor = null;
    const offers = this.pending.offers ?? [];
    this.show(
      "host",
      control("Once", "primary", () => this.click({ choice: "approve" })),
      ...offers.map(({ id, label, choice }) => control(readable(label), "", () => this.click({ choice, offer: id }))),
      opener("Refuse", () => this.refuse()),
      control("Stop", "", () => this.click({ choice: "stop" })),
    );
  }

  private choose(): void {
    this.leaveEditor();
    const offers = this.pending.offers ?? [];
    this.show(
      "choose",
      control("Approve", "primary", () => this.click({ choice: "approve" }), "A"),
      opener("Edit", () => this.edit(), "E"),
      opener("Refuse", () => this.refuse(), "R"),
      control("Stop", "", () => this.click({ choice: "stop" }), "S"),
      ...offers.map(({ id, label, choice }) => control(readable(label), "offer", () => this.click({ choice, offer: id }))),
    );
    this.offerMore();
  }

  private edit(): void {
    const { code, kind } = this.step;
    const changes = h("div", "part");
    const draw = (): void => drawChanges(changes, code, editor.value);
    const send = (): void => this.click({ choice: "edit", text: editor.value });
    const run = control(kind === "plan" ? "Use edited plan" : "Run edited", "primary", send);
    const editor = new Editor(code, kind === "code", draw, send, () => run.focus({ preventScroll: true }));
    this.editor = editor;
    draw();
    this.show("edit", editor.el, run, opener("Cancel", () => this.back()), h("span", "hint", EDITOR_HINT), changes);
    this.enter(editor);
    editor.improve();
  }

  private refuse(): void {
    const comment = textArea("comment");
    comment.rows = 2;
    comment.setAttribute("aria-label", "Why, or what to do instead. The model reads it.");
    comment.placeholder = "Why, or what to do instead (the model reads it)";
    const send = (): void => this.click({ choice: "refuse", comment: comment.value });
    comment.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return; // Shift+Enter: a new line
      event.preventDefault();
      if (!event.repeat && byPerson(event)) send();
    });
    this.show(
      "refuse",
      comment,
      control("Send refusal", "danger", send),
      opener("Cancel", () => this.back()),
    );
    this.enter(comment);
  }

  /** The person asked for the field: it gets the focus, and is shown with its buttons. */
  private enter(field: Editor | HTMLTextAreaElement): void {
    field.focus({ preventScroll: true });
    this.el.scrollIntoView?.({ block: "nearest" });
  }

  private leaveEditor(): void {
    if (this.editor instanceof Editor) this.editor.close();
    this.editor = null;
  }

  private back(): void {
    this.begin();
    this.row.querySelector("button")?.focus({ preventScroll: true });
  }

  private show(mode: string, ...children: Child[]): void {
    this.el.dataset["mode"] = mode;
    this.row.replaceChildren(...children.filter((child): child is Node => child instanceof Node));
    this.say("");
    for (const node of this.row.querySelectorAll(".smolcell-primary")) node.setAttribute("aria-describedby", this.unread.id);
    this.turned(mode);
  }

  private click(reply: Reply): void {
    if (this.actions.clickCounts()) this.send(reply);
    else this.tooEarly();
  }

  /** The answer to a click or a key that does not count yet. */
  tooEarly(): void {
    if (this.sent === "") this.say(EARLY);
  }

  private send(reply: Reply): void {
    if (this.sent !== "") return;
    this.sent = this.actions.answer(this.pending, reply);
    this.arm(false);
    if (this.editor !== null) this.editor.readOnly = true;
    this.say("Sent\u2026");
    this.overdue = setTimeout(() => this.again("The kernel has not confirmed this yet. You can try again."), PATIENCE);
  }

  private again(why: string): void {
    this.sent = "";
    this.arm(true);
    if (this.editor !== null) this.editor.readOnly = false;
    this.say(why);
  }

  private say(text: string): void {
    this.message.textContent = text;
    this.message.hidden = text === "";
  }
}

/** What the person changed so far: before it runs, and while it is written. */
function drawChanges(place: HTMLElement, before: string, after: string): void {
  const changed = before !== after;
  place.replaceChildren(...(changed ? [h("p", "quiet", "What you changed:"), differenceBlock(difference(before, after))] : []));
  place.hidden = !changed;
}

const EDITOR_HINT = "Ctrl+Enter or Shift+Enter sends it, Tab indents, Escape leaves the editor.";
const EARLY = "Too early: clicks and keys count half a second after the step, the card or the window came to the front. Try again.";
const SESSION = "Approve code while the sandbox is isolated, in this session";

/** A button that sends an answer; only a person can press it. */
function control(label: string, look: string, act: () => void, key = ""): HTMLButtonElement {
  const node = button(label, look, (event) => byPerson(event) && act(), key);
  node.dataset["sends"] = "";
  return node;
}

/** A button that opens a field and sends nothing. */
function opener(label: string, act: () => void, key = ""): HTMLButtonElement {
  return button(label, "", (event) => byPerson(event) && act(), key);
}

// The controls of a waiting step: choose, edit, refuse with a comment; then wait for the kernel's verdict.

import { byPerson, type Choice } from "./decision-input";
import { PieceList, withoutPieces } from "./context-pieces";
import { diffLines, differenceBlock } from "./diff";
import { button, type Child, h } from "./dom";
import { Editor, textArea } from "./editor";
import type { Kind } from "./events";
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

/** The actions that the controls of a step need from their card. */
export interface StepActions {
  /** Sends an answer for exactly this proposal; returns the id its verdict will carry. */
  answer(pending: Pending, reply: Reply): string;
  /** Whether a click counts now. */
  clickCounts(): boolean;
  /** Actions that go back to earlier steps; null if there is no kernel. */
  readonly back: Back | null;
}

export interface Back {
  /** Goes back to the end of a step of the card's run, and reports the result. */
  goBack(step: number, report: (text: string) => void): void;
  /** Inserts a cell below the card's and runs it; returns nodes with the text to copy if no notebook inserts cells. */
  runCell(line: string, byKey: boolean): HTMLElement[];
  /** The run and its session. */
  place(): { run: string; session: string };
}

const VERDICT_TIMEOUT_MS = 5000;

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
    private readonly modeChanged: (mode: string) => void,
  ) {
    const why = pending.why ? h("p", "note", readable(pending.why)) : null;
    // The buttons come before parts that change by themselves: a button that moves while it is pressed gets no click.
    this.el = h("div", "controls", why, this.row, this.unread, this.message);
    this.unread.id = `smolcell-unread-${++made}`;
    this.reading = new ReadProgress(lines, () => this.tellUnread(lines.length));
    this.el.setAttribute("role", "group");
    this.el.setAttribute("aria-label", WITHOUT_STEP[step.kind] ?? `Decide about step ${step.n}`);
    this.message.setAttribute("role", "status");
    this.tellUnread(lines.length);
    this.begin();
  }

  /** Acts on a key; the caller has checked that it counts. */
  press(choice: Choice): void {
    if (this.sent !== "" || this.mode !== "choose") return;
    if (choice === "edit") this.edit();
    else if (choice === "refuse") this.refuse();
    else this.send({ choice });
  }

  get mode(): string {
    return this.el.dataset["mode"] ?? "";
  }

  /** Marks the buttons that send an answer as active or not. An early click gets a message. */
  arm(on: boolean): void {
    for (const node of this.row.querySelectorAll("button")) {
      node.disabled = this.sent !== "";
      if (on || !node.matches("[data-sends]")) node.removeAttribute("aria-disabled");
      else node.setAttribute("aria-disabled", "true");
    }
  }

  /** Takes the kernel's verdict, if it is about the answer of these controls. */
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

  /** Shows which lines of the code were never on the screen. Approving more than this step is offered once all were. */
  private tellUnread(total: number): void {
    const text = unreadText(this.reading.unread, total);
    this.unread.hidden = text === "";
    if (text === "") this.unread.replaceChildren();
    else if (this.unread.firstChild === null) this.unread.append(text, " ", button("Show it", "more", () => this.reading.showUnread()));
    else this.unread.firstChild.textContent = text;
    if (text === "" && this.mode === "choose") this.offerMore();
  }

  /** Offers to approve more than this step. */
  private offerMore(): void {
    if (this.reading.unread.length > 0) return;
    const label = this.step.kind === "plan" ? "Approve every plan of this run" : "Approve the rest of this run";
    this.offer(label, "approve_run");
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
    if (this.step.kind === "question") this.askQuestion();
    else if (this.step.kind === "budget") this.askYesOrStop("budget", "Go on");
    else if (this.step.kind === "link") this.askYesOrStop("link", "Allow");
    else if (this.step.kind === "context") this.askContext();
    else if (this.step.kind === "output") this.askOutput();
    else if (this.step.kind === "host") this.askHost();
    else this.askCode();
  }

  /** A tool asks the user for a text. No key answers it. */
  private askQuestion(): void {
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

  /** The budget is spent, or a named file is a link elsewhere. No key continues the run, and no earlier approval does. */
  private askYesOrStop(mode: string, yes: string): void {
    this.show(
      mode,
      control(yes, "primary", () => this.click({ choice: "approve" })),
      control("Stop", "", () => this.click({ choice: "stop" })),
    );
  }

  /** Which parts of the notebook are sent to the model. No key answers it. */
  private askContext(): void {
    const list = new PieceList(this.pending.pieces ?? []);
    const send = (offer?: string): void => {
      const text = withoutPieces(this.step.code, list.dropped());
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

  /** Whether a finding of an output check passes unchanged, redacted, or not at all. No key answers it. */
  private askOutput(): void {
    this.editor = null;
    const offers = this.pending.offers ?? [];
    this.show(
      "output",
      ...offers.map(({ id, label, choice }) => control(readable(label), "primary", () => this.click({ choice, offer: id }))),
      control("Let it pass unchanged", "", () => this.click({ choice: "approve" })),
      opener("Refuse", () => this.refuse()),
      control("Stop", "", () => this.click({ choice: "stop" })),
    );
  }

  /** Whether a host is allowed, once or for as long as an offer says. No key answers it. */
  private askHost(): void {
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

  private askCode(): void {
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
    editor.loadCodeMirror();
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

  /** Moves the focus to a field that the user opened, and scrolls to it and its buttons. */
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
    this.modeChanged(mode); // before anything looks at the place of the controls
    this.row.replaceChildren(...children.filter((child): child is Node => child instanceof Node));
    this.say("");
    for (const node of this.row.querySelectorAll(".smolcell-primary")) node.setAttribute("aria-describedby", this.unread.id);
  }

  private click(reply: Reply): void {
    if (this.actions.clickCounts()) this.send(reply);
    else this.tooEarly();
  }

  /** Responds to a click or a key that does not count yet. */
  tooEarly(): void {
    if (this.sent === "") this.say(EARLY);
  }

  private send(reply: Reply): void {
    if (this.sent !== "") return;
    this.sent = this.actions.answer(this.pending, reply);
    this.arm(false);
    if (this.editor !== null) this.editor.readOnly = true;
    this.say("Sent\u2026");
    this.overdue = setTimeout(() => this.again("The kernel has not confirmed this yet. You can try again."), VERDICT_TIMEOUT_MS);
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

/** Draws the user's changes while they edit. */
function drawChanges(place: HTMLElement, before: string, after: string): void {
  const changed = before !== after;
  place.replaceChildren(...(changed ? [h("p", "quiet", "What you changed:"), differenceBlock(diffLines(before, after))] : []));
  place.hidden = !changed;
}

const WITHOUT_STEP: Partial<Record<Kind, string>> = {
  context: "Decide what the model is sent",
  link: "Decide whether a link is followed",
};
const EDITOR_HINT = "Ctrl+Enter or Shift+Enter sends it, Tab indents, Escape leaves the editor.";
const EARLY = "Too early: a click or a key counts only after the step was in view, and stood still, for half a second. Try again.";
const SESSION = "Approve code while the sandbox is isolated, in this session";

/** A button that sends an answer; only a person can press it, no script. */
function control(label: string, look: string, act: () => void, key = ""): HTMLButtonElement {
  const node = button(label, look, (event) => byPerson(event) && act(), key);
  node.dataset["sends"] = "";
  return node;
}

/** A button that opens a field and sends nothing. */
function opener(label: string, act: () => void, key = ""): HTMLButtonElement {
  return button(label, "", (event) => byPerson(event) && act(), key);
}

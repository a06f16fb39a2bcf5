// Decides whether a click or a key counts as an answer. Its rules:
// * Nothing counts in the first half second after the controls appeared or moved, the tab came to the front, or the window got
//   the focus: a click or a key that was already under way was meant for something else.
//   Opening the field of `Edit` or `Refuse` sends nothing, so a click on these always counts.
// * A key counts only while the card has had the focus, and the controls have been in view, for as long; never from a
//   text field, never with a modifier, never repeated by holding it down. Earlier keys restart the wait.
// * A click or a key counts only if a person made it: a script of the page can send both.
// * In a text field keys are text, except those that send it: Ctrl+Enter and Shift+Enter in the editor, Enter in the comment of a
//   refusal. They count when a click does, only if a person pressed them, and never held down or while a letter is composed.

export const SETTLE_MS = 500;

export type Choice = "approve" | "edit" | "refuse" | "stop" | "approve_run" | "approve_kind";

/** The time since which each of these is true, in milliseconds of one clock; null if it is not. */
export interface Visibility {
  drawn: number | null;
  still: number | null; // where they are, but for the user's scrolling
  pageVisible: number | null;
  windowFocused: number | null;
  inView: number | null;
  cardFocused: number | null;
}

function settled(since: number | null, now: number): boolean {
  return since !== null && now - since >= SETTLE_MS;
}

/** Whether a click on a control counts. */
export function clickCounts(visibility: Visibility, now: number): boolean {
  return [visibility.drawn, visibility.still, visibility.pageVisible, visibility.windowFocused].every((since) => settled(since, now));
}

/** Whether a key counts. */
export function keyCounts(visibility: Visibility, now: number): boolean {
  return clickCounts(visibility, now) && settled(visibility.inView, now) && settled(visibility.cardFocused, now);
}

/** Whether a person caused this event. False for `click()` and `dispatchEvent()`, which any script of the page can call. */
export function byPerson(event: Event): boolean {
  return event.isTrusted;
}

export interface Key {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  repeat: boolean;
  isComposing: boolean;
}

const KEYS: Record<string, Choice> = { a: "approve", e: "edit", r: "refuse", s: "stop" };

/** The choice that a key makes, or null. */
export function choiceOf(key: Key): Choice | null {
  if (modified(key) || key.shiftKey || key.repeat || key.isComposing) return null;
  return KEYS[key.key.toLowerCase()] ?? null;
}

/** Whether the notebook must not see a key while the card has the focus: as a command it could cut or insert cells. */
export function isCardKey(key: Key): boolean {
  return !modified(key) && (key.key.length === 1 || key.key === "Enter");
}

function modified(key: Key): boolean {
  return key.ctrlKey || key.altKey || key.metaKey;
}

/** Whether an element, or one around it, takes text. */
export function takesText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

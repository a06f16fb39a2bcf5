// How many steps wait, at the head of the browser tab's title: what a person sees of a tab that is hidden.

const MARK = /\(\d+ waiting\) ?/g;

export class TabTitle {
  private mark = "";
  // The title is the application's, which sets it anew when a document is opened, renamed or left.
  private readonly observer = new MutationObserver(() => this.write());

  /** Says that so many wait; 0 gives the title back. */
  set(waiting: number): void {
    const mark = waiting === 0 ? "" : `(${waiting} waiting)`;
    if (mark === this.mark) return;
    this.mark = mark;
    if (mark === "") this.observer.disconnect();
    else this.observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    this.write();
  }

  /** Where others set their own marks before it, it is left there: two that both insist on being first would never end. */
  private write(): void {
    const now = document.title;
    if ([...now.matchAll(MARK)].map(([mark]) => mark.trim()).join() === this.mark) return;
    document.title = `${this.mark} ${now.replace(MARK, "")}`.trim();
  }
}

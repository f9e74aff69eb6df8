// Back closes the dialog that is open; only without one it leaves the view.

/**
 * While a dialog is open, the history has one more entry with the same address, its mark. Going back leaves that entry and closes the dialog
 * on top; a dialog that is closed otherwise takes the entry away.
 */
export class DialogHistory {
  #history;
  #location;
  /** The dialogs that are open, or whose event of closing has not come yet; the one on top last. */
  #boxes = [];
  /** The mark is being left, which takes until the next `moved`. */
  #isLeaving = false;
  /** Where to go once the mark is left. */
  #next = null;

  constructor(history, location) {
    this.#history = history;
    this.#location = location;
  }

  opened(box) {
    this.#boxes.push(box);
    this.#mark();
  }

  closed(box) {
    this.#boxes = this.#boxes.filter((each) => each !== box);
    if (this.#boxes.length > 0 || !this.#isMarked || this.#isLeaving) return;
    this.#isLeaving = true;
    this.#history.back();
  }

  /** After every step through the history: `popstate`. */
  moved() {
    if (this.#isLeaving) this.#isLeaving = false;
    // As Escape does.
    else if (!this.#isMarked) this.#cancel(this.#boxes.findLast((box) => box.open));
    if (this.#boxes.some((box) => box.open)) this.#mark();
    if (this.#next === null) return;
    const next = this.#next;
    this.#next = null;
    this.go(next);
  }

  /** Goes to a view of the page. It takes the place of a mark, so that one step back is enough to return. */
  go(route) {
    // A step back that has begun would undo it.
    if (this.#isLeaving) this.#next = route;
    else if (this.#isMarked) this.#location.replace(`#${route}`);
    else this.#location.hash = route;
  }

  #cancel(box) {
    if (box?.dispatchEvent(new Event("cancel", { cancelable: true }))) box.close();
  }

  get #isMarked() { return this.#history.state?.dialog === true; }

  #mark() {
    if (!this.#isMarked) this.#history.pushState({ dialog: true }, "");
  }
}

// Lists that the server gives page by page.

/** The query of an address, without the parameters that were left out. */
export const query = (parameters) => new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null));

/** `for await (const row of list)` reads further pages as the loop gets to them. */
export class Pages {
  #read;
  #name;

  /**
   * @param read `(cursor)` returns a promise of one page; the cursor is null for the first
   * @param name the member of a page that has the rows
   */
  constructor(read, name) {
    this.#read = read;
    this.#name = name;
  }

  /** One page as the server sent it, with `nextCursor`. */
  page(cursor = null) { return this.#read(cursor); }

  /** Page by page. */
  async* pages() {
    let cursor = null;
    do {
      const page = await this.#read(cursor);
      yield page;
      // A cursor that leads to itself would never end.
      if (page?.nextCursor === cursor) return;
      cursor = page?.nextCursor ?? null;
    } while (cursor !== null);
  }

  async* [Symbol.asyncIterator]() {
    for await (const page of this.pages()) yield* page?.[this.#name] ?? [];
  }

  /** The rows as an array, at most `limit` of them. */
  async all(limit = 10_000) {
    const rows = [];
    if (limit <= 0) return rows;
    for await (const row of this) {
      rows.push(row);
      if (rows.length >= limit) break;
    }
    return rows;
  }
}

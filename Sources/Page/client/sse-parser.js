// Server-sent events from bytes, as the WHATWG's standard has them, but strict: what is not UTF-8 or has no end is an error.
import { ProtocolError } from "./errors.js";

/** The most characters that an unfinished event may have. Events of this server stay far below. */
const eventLimit = 1024 * 1024;

/** Takes the bytes of one response in whatever pieces they arrive. */
export class EventStreamParser {
  #decoder = new TextDecoder("utf-8", { fatal: true });
  #rest = "";
  /** Whether the last piece ended with a carriage return, whose line feed may be the next character. */
  #endedWithReturn = false;
  #limit;
  #size = 0;
  #data = null;
  #type = "";
  #id = null;

  constructor(limit = eventLimit) {
    this.#limit = limit;
  }

  /**
   * The messages that these bytes complete: `{ type, id, data }`; `id` is null where the message has none, and `data` is null where it
   * has nothing but an id.
   * @throws ProtocolError
   */
  feed(bytes) {
    let text = this.#decode(bytes);
    if (text === "") return [];
    if (this.#endedWithReturn && text.startsWith("\n")) text = text.slice(1);
    this.#endedWithReturn = text.endsWith("\r");
    const lines = (this.#rest + text).split(/\r\n|\n|\r/);
    this.#rest = lines.pop();
    const messages = [];
    for (const line of lines) {
      if (line === "") this.#finish(messages); else this.#field(line);
    }
    this.#check(this.#rest.length);
    return messages;
  }

  #decode(bytes) {
    try {
      return this.#decoder.decode(bytes, { stream: true });
    } catch (error) {
      throw new ProtocolError("The event stream is not UTF-8.", { cause: error });
    }
  }

  #field(line) {
    const colon = line.indexOf(":");
    // A comment keeps an idle connection open.
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    this.#size += value.length + 1;
    this.#check(0);
    if (name === "data") this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
    else if (name === "event") this.#type = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    // `retry` is for clients without a back-off of their own; other fields are for later versions.
  }

  #finish(messages) {
    if (this.#data !== null || this.#id !== null) messages.push({ type: this.#type || "message", id: this.#id, data: this.#data });
    this.#data = null;
    this.#type = "";
    this.#id = null;
    this.#size = 0;
  }

  #check(more) {
    if (this.#size + more > this.#limit) throw new ProtocolError(`An event of the stream has more than ${this.#limit} characters.`);
  }
}

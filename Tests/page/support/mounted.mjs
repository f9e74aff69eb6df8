// A document without a browser, in which views can be mounted.
import { mountFeedback } from "../../../Sources/Page/feedback.js";
import { setLanguage } from "../../../Sources/Page/strings.js";
import { makeDocument } from "./page-dom.mjs";
import { mockTimeouts } from "./timers.mjs";

/** What is due before the next event of a browser has run then. */
export const turn = () => new Promise(setImmediate);

/** The body of a new document, in English, where notes are shown and only `tick` moves timers. */
export function mountedBody() {
  setLanguage("en");
  mockTimeouts();
  const body = makeDocument();
  mountFeedback(body);
  return body;
}

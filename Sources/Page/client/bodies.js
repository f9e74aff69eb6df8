// Bodies of responses: bounded, and JSON where the server succeeded.
import { ProtocolError } from "./errors.js";

/** A response that is larger is no response of this server. */
const limit = 16 * 1024 * 1024;

/** @throws ProtocolError if it has too many bytes, and what the network throws */
export async function readText(response) {
  if (!response.body?.getReader) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; ;) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > limit) {
      reader.cancel().catch(() => {});
      throw new ProtocolError(`The response has more than ${limit} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** An intermediary's page about an error is no JSON; where the server succeeded, it must be. Null without a body. @throws ProtocolError */
export function parsed(text, isSuccess) {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isSuccess) throw new ProtocolError("The response is not JSON.", { cause: error });
    return null;
  }
}

/**
 * A success that this server could not have sent comes from something in between, a captive portal for example.
 * @param given `key`, if it was a command, and `check(body)` for more
 * @throws ProtocolError
 */
export function checkSuccess(body, status, method, given) {
  if (body === null && status !== 204 && method !== "HEAD") throw new ProtocolError("The response is empty.");
  if (given.key !== undefined && body !== null && !isObject(body)) throw new ProtocolError("The response to a command is no object.");
  given.check?.(body);
}

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** A guest's session. @throws ProtocolError */
export function checkSession(body) {
  const isSession = isObject(body) && typeof body.user?.id === "string" && typeof body.token === "string" && body.token !== "";
  if (!isSession) throw new ProtocolError("The response has no user or token.");
}

/** The response to a bid, as far as its outcome relies on it. @throws ProtocolError */
export function checkBid(body) {
  const isBid = isObject(body) && typeof body.bid?.id === "string" && typeof body.bid.leading === "boolean" && isObject(body.room) && isObject(body.receipt);
  if (!isBid) throw new ProtocolError("The response has no bid, room or receipt.");
}

/** A room that was opened. @throws ProtocolError */
export function checkOpened(body) {
  if (typeof body?.id !== "string") throw new ProtocolError("The response has no room.");
}

// What the machine of follow-machine.js goes by: its times, the refusals that end it, and which events are next.
//
// Its inputs have a `type`, and `connection` in everything that a connection reports:
// - "start", "stop" (`reason`), "pause" and "resume" (`by`)
// - "snapshot" (`seq`: where to begin)
// - "progress" (`stage`: "token" before it may wait for the provider of tokens, "sent", "answered"), "opened", "heard", "events" (`events`)
// - "lost" (`failure`: `kind` and `error`; `isOnline`)
// - "timer" (`name`), "networkLost", "networkReturned" (`ifSilentForMs`)
// - "missing": the room was not found when it was read
//
// It returns actions in order, by `do`: "read", "connect" (`transport`), "close", "schedule" (`timer`, `ms`), "cancel" (`timer`), "deliver"
// (`events`), "refresh" (events may have been missed elsewhere: what is not an event should be read again), "status" (`status`), "end"
// (`error`).

export const defaults = {
  /** The provider of tokens may show a dialog; a connection that has no token after this is given up. */
  tokenMs: 130_000,
  /** A connection that has brought nothing this long after its request does not get through. */
  openMs: 10_000,
  /** The server sends something at least every 15 s, and a long-poll lasts at most 25 s. */
  stallMs: 40_000,
  /** A connection that lasts this long counts as a success, also without events. */
  steadyMs: 10_000,
  /** The largest ceiling of the delay before another attempt; the ceiling doubles from 400 ms. */
  retryMs: 5_000,
  /** A room that is not found any more has this long to say why, by its last events. */
  missingMs: 5_000,
  /** A transport that breaks more often than this without an event is replaced by the next. */
  attemptsBeforeFallback: 2,
  /** After this, a transport that brought nothing at all is tried again: that may have been the network. Doubles. */
  probeMs: 30_000,
  /** After this, a transport that did not get through is tried again. Doubles. */
  blockMs: 300_000,
};

/** All that run out with a connection. */
export const timers = ["open", "stall", "steady", "retry", "preferred", "missing"];

export const schedule = (timer, ms) => ({ do: "schedule", timer, ms });

/** Statuses that no repetition would change. */
const finalReasons = { 400: "rejected", 401: "unauthorized", 403: "forbidden", 404: "notFound", 410: "notFound" };

/** Why a follow ends with this error; undefined if it goes on, as after every refusal that is an intermediary's. */
export const finalReason = (error) => (error?.isFromServer ? finalReasons[error.status] : undefined);

/**
 * The events of `events` that come next after the cursor, in order, up to the first that is missing.
 * @returns `fresh`, and `hasGap`
 */
export function nextEvents(events, cursor) {
  const fresh = [];
  for (const event of events) {
    const last = cursor + fresh.length;
    if (event.seq > last + 1) return { fresh, hasGap: true };
    if (event.seq === last + 1) fresh.push(event);
  }
  return { fresh, hasGap: false };
}

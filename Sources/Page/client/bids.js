// What became of a bid. Four things can be known, and one cannot: then the outcome says so rather than to guess.
import { AuctionError, Problem } from "./errors.js";

/** Statuses with which the server's rules refuse a bid; any other problem is one of the request. */
const refusals = [403, 409, 422, 429];

/**
 * @param sending the promise of a command's response
 * @returns an outcome, by `kind`: "leading"; "outbid" (accepted, and a proxy bid was higher); "sealed" (accepted, and no rank is known
 *   before the close); "refused" (`rule`, `required`, `actual`, `allowedActions`); "unknown" (the command may have been executed: send it
 *   again)
 * @throws Problem for a request that no rule was applied to; and Unreachable, another AuctionError or the signal's reason, where the bid
 *   was certainly not placed
 */
export async function outcomeOf(command, sending) {
  try {
    return accepted(command, await sending);
  } catch (error) {
    const failure = error instanceof AuctionError ? error : command.isInDoubt ? givenUp(error) : null;
    if (failure?.mayHaveExecuted) return { kind: "unknown", command, error: failure, requestID: failure.requestID };
    if (error instanceof Problem && error.isFromServer && refusals.includes(error.status)) return refused(command, error);
    throw error;
  }
}

/** The app's signal ended it, after it was sent: without the command in the outcome the app could not send it again. */
function givenUp(cause) {
  return Object.assign(new AuctionError("The command was given up before its response came.", { code: "client.givenUp", cause }), { mayHaveExecuted: true });
}

function accepted(command, { body, requestID, isReplayed }) {
  const { bid, room, receipt } = body;
  const more = { command, bid, room, receipt, requestID, isReplayed };
  if (bid.leading) return { kind: "leading", ...more };
  // A bid that was just accepted has a leader before it, unless the server does not show who leads.
  return { kind: room.currentBid ? "outbid" : "sealed", ...more };
}

function refused(command, problem) {
  const { rule, code, required, actual, allowedActions, detail, retryAfter, requestID } = problem;
  return { kind: "refused", command, rule: rule ?? code, required, actual, allowedActions, detail, retryAfter, requestID, problem };
}

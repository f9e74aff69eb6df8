// The commands on a room whose parameters are those of the contract. Made of the operations in Sources/AuctionContract by
// `auction-room contract`.
import { query } from "./pages.js";

const part = (value) => encodeURIComponent(String(value));

/** Orders that would be about another item in a later round. */
export const roundOrders = new Set(["cancel", "changeAsk", "endAuction", "extend", "pause", "resume", "startAuction", "warn"]);

export class RoomCommands {
  #send;

  /** @param send sends a command: the id of its operation, method, path below the room's, body, and how */
  constructor(send) { this.#send = send; }

  /** Archive a room. */
  archive(given) {
    return this.#send("archiveRoom", "DELETE", "", null, given);
  }
  /** Join a room, or change between viewer and bidder. */
  join(body = {}, given) {
    return this.#send("joinRoom", "POST", "/members", body, given);
  }
  /** Leave a room. */
  leave(given) {
    return this.#send("leaveRoom", "DELETE", "/members/me", null, given);
  }
  /** Change a member: role, mute, ban, credit limit. */
  changeMember(userID, body, given) {
    return this.#send("changeMember", "PATCH", `/members/${part(userID)}`, body, given);
  }
  /** Remove a member. */
  kick(userID, given) {
    return this.#send("kick", "DELETE", `/members/${part(userID)}`, null, given);
  }
  /** Approve a bidder. */
  approveApplication(userID, creditLimit, given) {
    return this.#send("approveApplication", "POST", `/applications/${part(userID)}/approve`, { creditLimit }, given);
  }
  /** Decline a bidder. */
  declineApplication(userID, reason, given) {
    return this.#send("declineApplication", "POST", `/applications/${part(userID)}/decline`, { reason }, given);
  }
  /** Adjust the rules of the item. */
  adjustRules(itemID, rules, given) {
    return this.#send("adjustRules", "PATCH", `/items/${part(itemID)}`, { rules }, given);
  }
  /** Queue a lot. */
  queueLot(body, given) {
    return this.#send("queueLot", "POST", "/lots", body, given);
  }
  /** Change or move a queued lot. */
  changeLot(lotID, body, given) {
    return this.#send("changeLot", "PATCH", `/lots/${part(lotID)}`, body, given);
  }
  /** Withdraw a queued lot. */
  withdrawLot(lotID, reason, given) {
    return this.#send("withdrawLot", "DELETE", `/lots/${part(lotID)}?${query({ reason })}`, null, given);
  }
  /** Offer a lot again that was not sold. */
  reofferLot(lotID, rules, given) {
    return this.#send("reofferLot", "POST", `/lots/${part(lotID)}/reoffer`, { rules }, given);
  }
  /** Leave a bid on a lot. */
  placeAbsenteeBid(lotID, maximum, given) {
    return this.#send("placeAbsenteeBid", "PUT", `/lots/${part(lotID)}/bid`, { maximum }, given);
  }
  /** Take back the bid that was left on a lot. */
  withdrawAbsenteeBid(lotID, given) {
    return this.#send("withdrawAbsenteeBid", "DELETE", `/lots/${part(lotID)}/bid`, null, given);
  }
  /** Say how the lots are sold. */
  configureSale(body, given) {
    return this.#send("configureSale", "PUT", "/sale", body, given);
  }
  /** Sell by hand again. */
  clearSale(given) {
    return this.#send("clearSale", "DELETE", "/sale", null, given);
  }
  /** Start the automatic sale. */
  startSale(given) {
    return this.#send("startSale", "POST", "/sale/start", {}, given);
  }
  /** Stop the sale after the current lot. */
  stopSale(given) {
    return this.#send("stopSale", "POST", "/sale/stop", {}, given);
  }
  /** Give the round more time. */
  extend(body, given) {
    return this.#send("extend", "POST", "/auction/extend", body, given);
  }
  /** Say "going once" or "going twice". */
  warn(body, given) {
    return this.#send("warn", "POST", "/auction/warn", body, given);
  }
  /** Change the increment, or ask for another next minimum. */
  changeAsk(body, given) {
    return this.#send("changeAsk", "PATCH", "/auction", body, given);
  }
  /** Retract a bid. */
  retractBid(bidID, reason, given) {
    return this.#send("retractBid", "DELETE", `/bids/${part(bidID)}?${query({ reason })}`, null, given);
  }
  /** Switch a rule on or off, or change its priority. */
  configurePermissions(ruleID, body, given) {
    return this.#send("configurePermissions", "PATCH", `/permission-rules/${part(ruleID)}`, body, given);
  }
  /** Send a message to the room. */
  sendMessage(text, given) {
    return this.#send("sendMessage", "POST", "/messages", { text }, given);
  }
  /** Remove a message. */
  removeMessage(messageID, given) {
    return this.#send("removeMessage", "DELETE", `/messages/${part(messageID)}`, null, given);
  }
  /** Report a message to the host. */
  reportMessage(messageID, reason, given) {
    return this.#send("reportMessage", "POST", `/messages/${part(messageID)}/report`, { reason }, given);
  }
  /** Ask for a seat. */
  requestStage(role, given) {
    return this.#send("requestStage", "POST", "/stage/requests", { role }, given);
  }
  /** Ask a member to take a seat. */
  inviteToStage(userID, role, given) {
    return this.#send("inviteToStage", "POST", "/stage/invitations", { userId: userID, role }, given);
  }
  /** Seat a member who has asked for it. */
  seatMember(userID, role, given) {
    return this.#send("seatMember", "POST", "/stage/seats", { userId: userID, role }, given);
  }
  /** Leave the stage. */
  leaveStage(given) {
    return this.#send("leaveStage", "POST", "/stage/leave", {}, given);
  }
  /** Close a seat. */
  closeSeat(seat, given) {
    return this.#send("closeSeat", "POST", `/stage/seats/${part(seat)}/close`, {}, given);
  }
  /** Mute a seat. */
  muteSeat(seat, muted = true, given) {
    return this.#send("muteSeat", "POST", `/stage/seats/${part(seat)}/mute`, { muted }, given);
  }
  /** Clear a seat. */
  clearSeat(seat, given) {
    return this.#send("clearSeat", "POST", `/stage/seats/${part(seat)}/clear`, {}, given);
  }
  /** Move to another seat. */
  moveSeat(seat, to, given) {
    return this.#send("moveSeat", "POST", `/stage/seats/${part(seat)}/move`, { to }, given);
  }
  /** Void a sale. */
  voidResult(round, body, given) {
    return this.#send("voidResult", "POST", `/results/${part(round)}/void`, body, given);
  }
  /** Accept an offer. */
  acceptOffer(offerID, given) {
    return this.#send("acceptOffer", "POST", `/offers/${part(offerID)}/accept`, {}, given);
  }
  /** Decline an offer. */
  declineOffer(offerID, given) {
    return this.#send("declineOffer", "POST", `/offers/${part(offerID)}/decline`, {}, given);
  }
}

// Types of what the module computes: states, clocks, amounts, errors.
import type { Action, Amount, Bid, Lot, Person, Role, RoomEvent, RoomPhase, RoomSnapshot, Time, VoidedSale } from "./contract.js";

/** What a room was read as, and what events have made of it since. */
export interface RoomState {
  /** The last event that was applied. */
  readonly seq: number;
  /** The last event that `room` contains. */
  readonly roomSeq: number;
  /** The last event that `room.me` and `room.allowedActions` contain. */
  readonly detailsSeq: number;
  readonly room: RoomSnapshot | null;
  readonly bids: (Bid & { round: number; retracted?: boolean })[];
  readonly messages: { id: string; seq: number; at: Time; author?: Person; text?: string; removed?: boolean; key?: string; en?: string; zh?: string }[];
  /** Users who have left or were removed, as far as events told it, the latest last; 50 at most. */
  readonly left: Map<string, Person>;
  /** The ids of users who are banned, as far as they are known. */
  readonly banned: Set<string>;
  readonly people: Map<string, { user: Person; role?: Role; muted?: boolean; creditLimit?: Amount | null }>;
  /** When bidding opened, by round. */
  readonly opened: Record<number, Time>;
  /** How the round ended. With `voided` that sale does not count; `isResold`: the item was sold to the next bidder then, who is the `winner`. */
  readonly result: { round: number; kind: "sold"; winner: Person; price: Amount; voided?: VoidedSale; isResold?: boolean }
    | { round: number; kind: "passed"; reason: string } | null;
  readonly archived: boolean;
  readonly viewers: number;
  readonly clockEndsAt: Time | null;
  readonly frozenMs: number | null;
  readonly removedMessages: Set<string>;
  readonly hostGone: boolean;
  readonly lots: RoomLots;
  /** The rounds whose items were offered to the next bidder after the sale was voided, as far as events told it; that happens once for a sale. */
  readonly offered: Set<number>;
  /** The last item that was uploaded or had its turn, and the lot that it is; null for one that is none. */
  readonly uploaded: { itemID: string | null; lotID: string | null };
}
/** The lots as far as they were read and included; a lot of an event has no `position`. */
export interface RoomLots {
  /** From the head of the queue on; null before they were read. */
  readonly queued: (Omit<Lot, "position"> & { position?: number })[] | null;
  /** Of the page after those; null if all are known. */
  readonly cursor: string | null;
  /** Whether events cannot be applied, so that the lots should be read again from the first one; `wasMoved`: before the next page. */
  readonly isStale: boolean;
  readonly wasMoved: boolean;
  /** Of the first page, of `current`, of the last page, and of the last event that was applied. */
  readonly seq: number;
  readonly currentSeq: number;
  readonly lastPageSeq: number;
  readonly changedSeq: number;
  /** The last events that concern lots, for a page that was read before them. */
  readonly recent: readonly RoomEvent[];
  /** The lot of the round. */
  readonly current: (Omit<Lot, "position"> & { position?: number }) | null;
}
export function phaseOf(room: Pick<RoomSnapshot, "state" | "endsAt">, serverNow: number): RoomPhase;
export function isSealed(room: Pick<RoomSnapshot, "rules">): boolean;
export function isDutch(room: Pick<RoomSnapshot, "rules">): boolean;
export function priceSteps(state: RoomState): { at: number; amount: Amount; who: string }[];

export class ServerClock {
  constructor(now?: () => number);
  now(): number;
  readonly offset: number;
  readonly uncertainty: number;
  remaining(time: Time | null): number | null;
  sample(serverTime: Time | number, sentAt: number, receivedAt: number): void;
  hint(serverTime: Time): void;
}
export function countdownText(ms: number, showsTenths?: boolean): string;

export function minorUnits(amount: Amount, digits?: number): bigint;
export function amountOf(units: bigint, digits: number): Amount;
export function fractionDigits(amount: Amount): number;
export function compareMoney(first: Amount, second: Amount): -1 | 0 | 1;
export function addMoney(first: Amount, second: Amount): Amount;
export function subtractMoney(first: Amount, second: Amount): Amount;
export function premiumOn(price: Amount, percent: string): Amount;
export function formatMoney(amount: Amount | null | undefined, currency: string, language?: string): string;
export function currencySymbol(currency: string, language?: string): string;
export function grouped(amount: Amount): string;
export function typedAmount(text: string, currency?: string | null): Amount;

/** In the same proportion, with no side longer than `side`. */
export function scaledSize(size: { width: number; height: number }, side: number): { width: number; height: number };
/** A JPEG, or a WebP of a picture that is no photo; null if the browser gives none. `type` is that of the bitmap's file. */
export function encodePicture(bitmap: ImageBitmap, size: { width: number; height: number; quality: number }, type: string): Promise<Blob | null>;

export class AuctionError extends Error {
  constructor(message: string, options?: { code?: string; requestID?: string | null; cause?: unknown });
  readonly code: string;
  readonly requestID: string | null;
  readonly mayHaveExecuted: boolean;
}
export class Problem extends AuctionError {
  constructor(body: unknown, status: number, headers?: Headers | null);
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly field: string | null;
  readonly rule: string | null;
  readonly category: string | null;
  readonly required: string | null;
  readonly actual: string | null;
  readonly allowedActions: Action[] | null;
  readonly retryAfter: number | null;
  /** Whether this server has refused, and not an intermediary: a proxy, a firewall, a captive portal. */
  readonly isFromServer: boolean;
  readonly body: Record<string, unknown>;
}
export class Unreachable extends AuctionError { readonly isTimeout: boolean }
export class ProtocolError extends AuctionError {}

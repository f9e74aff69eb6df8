// What the server sends and takes. Made of the schemas in Sources/AuctionContract by `auction-room contract`.
// Later versions may add members and values: enumerations are open.
import type { RequestOptions } from "./auction-client.js";

/** One of the known values, or one that a later version has added. */
type Open<Known extends string> = Known | (string & {});

/** Identifier of a room. Opaque. */
export type RoomId = string;
/** Identifier of a user. Opaque; ids of one kind sort by age. `user_floor` is no user, but the bidder of floor bids. */
export type UserId = string;
/** Identifier of an item. Opaque; ids of one kind sort by age. */
export type ItemId = string;
/** Identifier of a lot. Opaque; ids of one kind sort by age. */
export type LotId = string;
/** Identifier of a bid. Opaque; ids of one kind sort by age. */
export type BidId = string;
/** Identifier of a message. Opaque; ids of one kind sort by age. */
export type MessageId = string;
/** Identifier of a report of a message. Opaque; ids of one kind sort by age. */
export type ReportId = string;
/** Identifier of an offer. Opaque; ids of one kind sort by age. */
export type OfferId = string;
/** Identifier of a request or invitation to the stage. Opaque; ids of one kind sort by age. */
export type StageId = string;
/** RFC 3339 in UTC, always with three fractional digits: a decoder that takes whole seconds only refuses it. */
export type Time = string;
/** Major units as a decimal with exactly the currency's fraction digits. At most 2^53-1 minor units; a `total`, up to twice as many. */
export type Amount = string;
/** A decimal with at most the currency's fraction digits, more than zero and at most 2^53-1 minor units; no sign, no exponent. The server also takes a JSON number, whose literal it reads exactly; the string is the safer way. */
export type AmountInput = string;
/** An active ISO 4217 code. */
export type CurrencyCode = Open<"AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG">;
/** A place in the history of the room: 1, 2, 3 … without gaps. */
export type Seq = number;
/** Numbered from 1. */
export type Round = number;
/** Whether the room is visible to everyone or to its members only. */
export type Visibility = Open<"public" | "private">;
/** The role of a member in a room. */
export type Role = Open<"host" | "auctioneer" | "bidder" | "viewer">;
/** The role that a seat gives. */
export type SeatRole = Open<"auctioneer" | "bidder">;
/** A role that the host may give. */
export type AssignableRole = "auctioneer" | "bidder" | "viewer";
/** A role that users may take themselves. */
export type JoinRole = "viewer" | "bidder";
/** Whether an application waits for the host or was declined. */
export type ApplicationState = Open<"open" | "declined">;
/** A state of the room. */
export type RoomPhase = Open<"preparing" | "listing" | "auctioning" | "closing" | "paused" | "closed">;
/** An action in a room; each permission rule is about one. */
export type Action = Open<"uploadItem" | "adjustRules" | "startAuction" | "placeBid" | "retractBid" | "endAuction" | "pause" | "resume" | "cancel" | "extend" | "setRole" | "kick" | "ban" | "mute" | "setCreditLimit" | "sendMessage" | "removeMessage" | "configurePermissions" | "requestStage" | "manageStage" | "archiveRoom" | "queueLot" | "changeLot" | "withdrawLot" | "runSale" | "warn" | "changeAsk" | "reofferLot" | "reportMessage" | "placeAbsenteeBid" | "withdrawAbsenteeBid" | "placeFloorBid" | "voidResult" | "answerOffer" | "decideApplication">;
/** What a rule is about; it decides the status: identity and role 403, state 409, amount 422, limit 429. */
export type Category = Open<"identity" | "role" | "state" | "amount" | "limit">;
/** What makes a room change its state: a command of the host, an expired countdown, a bid that bought the item, the absence of the host, or the next lot of a sale. */
export type Cause = Open<"start" | "end" | "countdown" | "bid" | "pause" | "resume" | "cancel" | "hostGone" | "sale">;
/** See Names above. */
export type Nickname = string;
export interface Person {
  id: UserId;
  nickname: Nickname;
}
/** Who acted. */
export interface Actor {
  /** A program of the operator, which acts by a service token; absent for a person. */
  kind?: Open<"operator">;
  /** The id of a person, or of a service token. */
  id: string;
  /** The nickname of a person, or the name of a service token. */
  nickname: string;
}
/** `reset`: every bid restarts the full countdown. `extend`: only a bid in the last `extendWindowSeconds` extends the deadline, to at least `extendBySeconds` after the bid. `fixed`: the deadline never changes. */
export type CountdownMode = Open<"reset" | "extend" | "fixed">;
/** `english`: open and ascending, with proxy bids. `dutch`: the price drops until a bidder accepts it. `sealedFirstPrice`, `vickrey`: sealed bids; the winner pays their own or the second highest amount. */
export type AuctionFormat = Open<"english" | "dutch" | "sealedFirstPrice" | "vickrey">;
/** Among equal sealed bids: the earliest, or drawn at random. */
export type TieBreak = Open<"earliest" | "draw">;
/** By how much a bid must exceed the current price: exactly one of the three. */
export type NewIncrement = { fixed: AmountInput } | { percent: number } | { tiers: NewTier[] };
export interface NewTier {
  /** Zero in the first tier, then rising. */
  from: string;
  step: AmountInput;
}
/** By how much a bid must exceed the current price: exactly one of the three. */
export type Increment = { fixed: Amount } | { percent: number } | { tiers: Tier[] };
export interface Tier {
  /** Zero in the first tier, then rising. */
  from: Amount;
  step: Amount;
}
/** How the item is to be auctioned. */
export interface NewRules {
  /** The first acceptable amount; where a Dutch price begins. */
  startingPrice: AmountInput;
  /** One major unit if left out. */
  increment?: NewIncrement;
  /** Hidden; below it the item passes. At least the starting price. */
  reservePrice?: AmountInput | null;
  /** A bid at or above it is taken at exactly this price and ends the round. At least starting and reserve price. */
  buyNowPrice?: AmountInput | null;
  /** Where a Dutch price stops dropping; required there, refused elsewhere. */
  floorPrice?: AmountInput | null;
  /** How long the item is shown before bids are accepted. */
  listingSeconds?: number;
  /** How long the countdown runs. */
  biddingSeconds?: number;
  countdown?: CountdownMode;
  extendWindowSeconds?: number;
  extendBySeconds?: number;
  /** No bid extends the deadline past the start plus this; paused time does not count. An outage and a resume, which leaves at least five seconds, do. */
  maxDurationSeconds?: number | null;
  /** How often a Dutch price drops by the increment; required there. */
  dutchTickSeconds?: number | null;
  format?: AuctionFormat;
  tie?: TieBreak;
}
/** The members to change; those left out stay as they are. A null removes an optional one. */
export interface RulesPatch {
  /** The first acceptable amount; where a Dutch price begins. */
  startingPrice?: AmountInput;
  /** One major unit if left out. */
  increment?: NewIncrement;
  /** Hidden; below it the item passes. At least the starting price. */
  reservePrice?: AmountInput | null;
  /** A bid at or above it is taken at exactly this price and ends the round. At least starting and reserve price. */
  buyNowPrice?: AmountInput | null;
  /** Where a Dutch price stops dropping; required there, refused elsewhere. */
  floorPrice?: AmountInput | null;
  /** How long the item is shown before bids are accepted. */
  listingSeconds?: number;
  /** How long the countdown runs. */
  biddingSeconds?: number;
  countdown?: CountdownMode;
  extendWindowSeconds?: number;
  extendBySeconds?: number;
  /** No bid extends the deadline past the start plus this; paused time does not count. An outage and a resume, which leaves at least five seconds, do. */
  maxDurationSeconds?: number | null;
  /** How often a Dutch price drops by the increment; required there. */
  dutchTickSeconds?: number | null;
  format?: AuctionFormat;
  tie?: TieBreak;
}
/** How the item is auctioned. `reservePrice` is present for the owner of the item only. */
export interface Rules {
  startingPrice: Amount;
  increment: Increment;
  buyNowPrice: Amount | null;
  floorPrice: Amount | null;
  listingSeconds: number;
  biddingSeconds: number;
  countdown: CountdownMode;
  extendWindowSeconds: number;
  extendBySeconds: number;
  maxDurationSeconds: number | null;
  dutchTickSeconds: number | null;
  format: AuctionFormat;
  tie: TieBreak;
  /** Visible to the owner of the item only. */
  reservePrice?: Amount | null;
}
/** Between which prices the seller expects the hammer price; null for none. */
export interface NewEstimate {
  low: AmountInput;
  /** At least `low`. */
  high: AmountInput;
}
/** Between which prices the seller expects the hammer price. */
export interface Estimate {
  low: Amount;
  /** At least `low`. */
  high: Amount;
}
export interface NewItem {
  name: string;
  description?: string;
  /** Each is a valid `https` address with a host and without user information, quotation marks or invisible characters, or the `url` of an uploaded picture. */
  media?: string[];
  estimate?: NewEstimate | null;
  /** The state that the item is in, as one line; null for none. */
  condition?: string | null;
  rules: NewRules;
}
export interface AdjustRules {
  /** At least one rule. */
  rules: RulesPatch;
}
export interface Item {
  id: ItemId;
  name: string;
  description: string;
  media: string[];
  /** Absent where the seller names none. */
  estimate?: Estimate;
  /** The state that it is in, as one line; absent where nothing is said. */
  condition?: string;
  /** The user who queued it. */
  owner: Person;
  rules?: Rules;
  /** The caller's own item that this one replaced, in the response to an upload. The lot of which it was the item waits again. */
  replaced?: ItemId;
}
/** What was auctioned; the whole item is in the round's `item.uploaded` event. */
export interface ResultItem {
  id: ItemId;
  name: string;
  /** Absent where the seller names none. */
  estimate?: Estimate;
  /** The state that it is in, as one line; absent where nothing is said. */
  condition?: string;
}
export interface UploadedPicture {
  /** For `media` of items and lots; of a preview it ends in `?preview`, and is not for `media`. */
  url: string;
  type: Open<"image/jpeg" | "image/png" | "image/webp" | "image/avif">;
  /** In pixels, as displayed. */
  width: number;
  /** In pixels, as displayed. */
  height: number;
  /** Of the stored picture. */
  bytes: number;
}
/** Where a lot stands. current: it is the item of the round. */
export type LotState = Open<"queued" | "current" | "sold" | "passed" | "withdrawn" | "voided">;
export interface NewLot {
  name: string;
  description?: string;
  /** Each is a valid `https` address with a host and without user information, quotation marks or invisible characters, or the `url` of an uploaded picture. */
  media?: string[];
  estimate?: NewEstimate | null;
  /** The state that the item is in, as one line; null for none. */
  condition?: string | null;
  rules: NewRules;
  /** The seller's own number of the lot, unique in the room. */
  reference?: string;
}
/** What changes; absent members stay as they are. */
export interface LotChanges {
  name?: string;
  description?: string;
  media?: string[];
  /** Null removes it. */
  estimate?: NewEstimate | null;
  /** The state that the item is in, as one line; null removes it. */
  condition?: string | null;
  /** The seller's own number of the lot, unique in the room; null removes it. */
  reference?: string | null;
  rules?: RulesPatch;
  /** The lot before which this one is moved; null moves it to the end. 400 for one that the room does not have. */
  before?: string | null;
}
export interface LotOfferedAgain {
  rules?: RulesPatch;
}
/** An item that waits its turn, or has had it. */
export interface Lot {
  id: LotId;
  /** Its number in the room: 1, 2, 3 and so on in the order of queueing. It stays when the lot moves, and no other lot gets it. To be shown where there is no `reference`. */
  number: number;
  /** Its place among all lots of the room, from 1. */
  position: number;
  /** The seller's own number of the lot. */
  reference: string | null;
  state: LotState;
  /** The round in which it is or was auctioned; null before its turn, and of a withdrawn lot. */
  round: number | null;
  item: Item;
  rules: Rules;
  result: LotResult | null;
  /** The lot that had its turn, and is offered again as this one. */
  offeredBefore: string | null;
  /** The lot as which this one is offered again; null if it is not, or that lot was withdrawn. */
  offeredAgain: string | null;
  /** How many bids were left on it and not taken back, also those that are void or used. Only their bidders see how high. */
  absenteeBids: number;
  myBid?: OwnAbsenteeBid | null;
  /** In the response to reofferLot. */
  receipt?: Receipt;
}
/** The bid that the caller has left on the lot; null for none. Absent without a token. */
export interface OwnAbsenteeBid {
  /** The bid that it places has this id too. */
  bidId: BidId;
  /** The most that it may cost. */
  maximum: Amount;
  /** When it was left with this maximum. */
  placedAt: Time;
  /** standing: it waits for the opening. leading, outbid, sealed: it acted in the running round. won, lost, passed: the round is over. unused: an opening used it up without effect, or the round was cancelled. */
  state: Open<"standing" | "void" | "leading" | "outbid" | "sealed" | "won" | "lost" | "passed" | "unused">;
  /** Why it is void; null if it is not. */
  cause: Open<"left" | "kicked" | "banned" | "lotWithdrawn" | "formatChanged"> | null;
  /** Why it would not act, or not as far, if the lot opened as it is now; null for no reason. */
  problem: Open<"absentee.not_bidder" | "absentee.own_lot" | "absentee.below_start" | "absentee.names_no_price" | "absentee.over_credit"> | null;
}
export interface NewAbsenteeBid {
  /** At least the starting price. The server bids up to it on the caller's behalf. */
  maximum: AmountInput;
}
export interface AbsenteeBid {
  lotId: LotId;
  /** The bid that it places has this id too. */
  bidId: BidId;
  /** The most that it may cost. */
  maximum: Amount;
  /** When it was left with this maximum. */
  placedAt: Time;
  /** standing: it waits for the opening. leading, outbid, sealed: it acted in the running round. won, lost, passed: the round is over. unused: an opening used it up without effect, or the round was cancelled. */
  state: Open<"standing" | "void" | "leading" | "outbid" | "sealed" | "won" | "lost" | "passed" | "unused">;
  /** Why it is void; null if it is not. */
  cause: Open<"left" | "kicked" | "banned" | "lotWithdrawn" | "formatChanged"> | null;
  /** Why it would not act, or not as far, if the lot opened as it is now; null for no reason. */
  problem: Open<"absentee.not_bidder" | "absentee.own_lot" | "absentee.below_start" | "absentee.names_no_price" | "absentee.over_credit"> | null;
}
/** As `AbsenteeBid`, with a receipt. */
export interface AbsenteeBidAnswer {
  lotId: LotId;
  /** The bid that it places has this id too. */
  bidId: BidId;
  /** The most that it may cost. */
  maximum: Amount;
  /** When it was left with this maximum. */
  placedAt: Time;
  /** standing: it waits for the opening. leading, outbid, sealed: it acted in the running round. won, lost, passed: the round is over. unused: an opening used it up without effect, or the round was cancelled. */
  state: Open<"standing" | "void" | "leading" | "outbid" | "sealed" | "won" | "lost" | "passed" | "unused">;
  /** Why it is void; null if it is not. */
  cause: Open<"left" | "kicked" | "banned" | "lotWithdrawn" | "formatChanged"> | null;
  /** Why it would not act, or not as far, if the lot opened as it is now; null for no reason. */
  problem: Open<"absentee.not_bidder" | "absentee.own_lot" | "absentee.below_start" | "absentee.names_no_price" | "absentee.over_credit"> | null;
  receipt: Receipt;
}
/** How its round ended; null before. */
export interface LotResult {
  result: Open<"sold" | "passed">;
  /** Null if the lot passed. */
  winner: Person | null;
  /** The hammer price; null if the lot passed. */
  price: Amount | null;
  /** Why the lot passed; null if it was sold. */
  reason: Open<"no_bids" | "reserve_not_met"> | null;
  /** What the buyer pays beside the price; null without a premium, and if the sale was voided. */
  premium: Amount | null;
  /** Price and premium; null if the lot passed, and if the sale was voided. */
  total: Amount | null;
  voided: VoidedSale | null;
  /** The sale at the end of the round, if that to the next bidder was voided as well. */
  voidedBefore?: VoidedSale | null;
  bids: number;
  closedAt: Time;
}
export interface LotList {
  lots: Lot[];
  /** The last event that the page contains, for clients that follow the room. */
  seq: Seq;
  /** Send it as `cursor` for the next page; null on the last one. */
  nextCursor: string | null;
}
/** The lots of a file. */
export interface ImportedLots {
  rows: number;
  /** Rows that were queued as new lots. */
  added: number;
  /** Rows that changed their lots. */
  changed: number;
  /** Rows whose lots have their values already, and wait for their turn or have it. */
  unchanged: number;
  /** Rows whose lots have their values, and were sold before. */
  sold: number;
  /** Rows whose lots have their values, and were passed before. */
  passed: number;
  /** Rows whose lots have their values, and were withdrawn before. */
  withdrawn: number;
  /** Rows whose lots have their values, and whose sale was voided before. */
  voided: number;
  /** In the order of the file. */
  lots: { line: number; id: LotId; reference: string | null; outcome: Open<"added" | "changed" | "unchanged" | "sold" | "passed" | "withdrawn" | "voided"> }[];
  /** The headings of columns that mean nothing to an import, each cut after 100 characters; empty for lines of JSON. */
  ignoredColumns: string[];
}
/** A wrong row of an import. */
export interface RowProblem {
  /** The line of the file at which the row begins. */
  line: number;
  /** The column; null if it is the row as a whole. */
  field: string | null;
  code: ProblemCode;
  /** For people. */
  detail: string;
}
export interface NewSale {
  mode: "manual" | "automatic";
  /** Time from the end of a round to the beginning of the next. */
  pauseSeconds?: number;
  /** When an automatic sale begins by itself, within a year; null for never. */
  startsAt?: string | null;
  premium?: SalePremium | null;
  /** Whether an automatic sale needs its host. false: it begins at its time and goes on to its last lot, whether the host is there or not. true: while the host is gone, rounds are paused and no lot begins; a start that they prevent is `sale.postponed`, and they start the sale when they return. */
  attended?: boolean;
}
/** manual: the host begins each round. automatic: while the sale runs, the next lot begins by itself. */
export type SaleMode = Open<"manual" | "automatic">;
/** What buyers pay beside the hammer price; null for nothing. It never changes what may be bid. */
export interface SalePremium {
  /** From 0 to 100, with at most two decimals. */
  percent: string;
}
/** How the room's lots are sold. */
export interface Sale {
  mode: SaleMode;
  pauseSeconds: number;
  /** When the sale begins by itself; null if it does not. */
  startsAt: Time | null;
  premium: SalePremium | null;
  /** Whether it needs its host: without one it neither begins nor goes on by itself. */
  attended: boolean;
  /** Whether the next lot follows by itself. */
  running: boolean;
  /** Whether it did not begin at its time because its host was gone; the host starts it. */
  postponed: boolean;
  /** Between two lots, when the next one is listed. */
  nextLotAt: Time | null;
  /** Lots in all states. */
  lots: number;
  /** Lots that wait. */
  queued: number;
}
export interface NewRoom {
  name: string;
  currency?: CurrencyCode;
  visibility?: Visibility;
}
/** The bid that would win now; after a sealed round the winner's, at the price that they pay. Null before the first bid and while bids are sealed. */
export interface CurrentBid {
  id: BidId;
  amount: Amount;
  bidder: Person;
  at: Time;
}
export interface RoleCounts {
  host: number;
  auctioneer: number;
  bidder: number;
  viewer: number;
}
/** The caller in this room; `role` is null for a caller who is not a member. */
export interface Me {
  role: Role | null;
  /** Whether `currentBid` is theirs; false while bids are sealed. */
  leading: boolean;
  /** The maximum up to which the server bids for the caller while they lead. */
  maximum: Amount | null;
  /** Their standing bid of a sealed round. */
  sealedAmount: Amount | null;
  creditLimit: Amount | null;
  muted: boolean;
  banned: boolean;
  /** What is offered to them, the first to expire first. */
  offers: OwnOffer[];
  /** That they asked to be approved as a bidder; null if they have not, once they are, and while the host approves no bidders. */
  application: OwnApplication | null;
}
export interface RoomSnapshot {
  id: RoomId;
  name: string;
  host: Person;
  currency: CurrencyCode;
  visibility: Visibility;
  state: RoomPhase;
  /** The state described for users, in the caller's language. */
  stateDescription: string;
  round: Round;
  seq: Seq;
  item: Item | null;
  rules: Rules | null;
  /** The hammer price as it would be now, or was in a round that is closed; null before the first bid and while bids are sealed. Dutch: the asking price. */
  currentPrice: Amount | null;
  currentBid: CurrentBid | null;
  /** The least amount of the next bid by the caller; null without an item. */
  nextMinimum: Amount | null;
  /** Whether the reserve price is reached; null without one, and while bids are sealed. */
  reserveMet: boolean | null;
  /** When the running countdown ends; null while none runs, and while paused. */
  endsAt: Time | null;
  /** When a Dutch price drops next. */
  nextDropAt: Time | null;
  /** `currentPrice` with the premium; absent without a premium. */
  total?: Amount | null;
  /** 1 after "going once", 2 after "going twice"; 0 once a bid, a retraction or a transition followed. */
  warning: number;
  /** Milliseconds from `serverTime` to `endsAt`; 0 once it has passed. While paused, what was left when the pause began, which does not change until the room is resumed or cancelled. Null while there is no countdown. */
  remainingMs: number | null;
  /** How many members have each role. */
  members: RoleCounts;
  /** Streams and held long-polls on the room now; 0 in responses to commands. */
  viewers: number;
  /** What the caller may do now; absent without a token. */
  allowedActions?: Action[];
  /** The caller in this room; absent without a token. */
  me?: Me;
  /** How the room's lots are sold; absent in a room without lots whose sale was never configured, or was called off. */
  sale?: Sale;
  /** The code with which users join; visible to the host only. */
  inviteCode?: string;
  /** How many messages were reported so far; visible to the host only. */
  reports?: number;
  /** How many wait to be approved as bidders; visible to the host only. */
  applications?: number;
  serverTime: Time;
  /** In responses to the host's orders at a sale: extend, warn, changeAsk. */
  receipt?: Receipt;
}
/** A room as operators see it: what everybody sees of it, and what its host knows. The invite code is not shown, and neither are the reserve price, maxima and sealed amounts. */
export interface AdminRoom {
  id: RoomId;
  name: string;
  host: Person;
  currency: CurrencyCode;
  visibility: Visibility;
  state: RoomPhase;
  /** The state described for users, in the caller's language. */
  stateDescription: string;
  round: Round;
  seq: Seq;
  item: Item | null;
  rules: Rules | null;
  /** The hammer price as it would be now, or was in a round that is closed; null before the first bid and while bids are sealed. Dutch: the asking price. */
  currentPrice: Amount | null;
  currentBid: CurrentBid | null;
  /** The least amount of the next bid by the caller; null without an item. */
  nextMinimum: Amount | null;
  /** Whether the reserve price is reached; null without one, and while bids are sealed. */
  reserveMet: boolean | null;
  /** When the running countdown ends; null while none runs, and while paused. */
  endsAt: Time | null;
  /** When a Dutch price drops next. */
  nextDropAt: Time | null;
  /** `currentPrice` with the premium; absent without a premium. */
  total?: Amount | null;
  /** As in `Room`. */
  warning: number;
  /** As in `Room`. */
  remainingMs: number | null;
  /** How many members have each role. */
  members: RoleCounts;
  /** Streams and held long-polls on the room now. */
  viewers: number;
  /** As in `Room`. */
  sale?: Sale;
  /** How many messages were reported so far. */
  reports: number;
  /** How many wait to be approved as bidders. */
  applications: number;
  /** How many users the host has banned. */
  banned: number;
  openedAt: Time;
  serverTime: Time;
}
/** The part of the room that the response to a bid shows. */
export interface ShortRoom {
  id: RoomId;
  state: RoomPhase;
  round: Round;
  seq: Seq;
  /** The hammer price as it would be now, or was in a round that is closed; null before the first bid and while bids are sealed. Dutch: the asking price. */
  currentPrice: Amount | null;
  currentBid: CurrentBid | null;
  /** The least amount of the next bid by the caller; null without an item. */
  nextMinimum: Amount | null;
  /** Whether the reserve price is reached; null without one, and while bids are sealed. */
  reserveMet: boolean | null;
  /** When the running countdown ends; null while none runs, and while paused. */
  endsAt: Time | null;
  /** When a Dutch price drops next. */
  nextDropAt: Time | null;
  /** `currentPrice` with the premium; absent without a premium. */
  total?: Amount | null;
}
/** A room in the list of rooms. */
export interface RoomRow {
  id: RoomId;
  name: string;
  host: Person;
  currency: CurrencyCode;
  visibility: Visibility;
  state: RoomPhase;
  round: Round;
  seq: Seq;
  itemName: string | null;
  /** The hammer price. */
  currentPrice: Amount | null;
  /** The price with the premium of the sale; absent without a premium. */
  total?: Amount | null;
  /** The current item, or else the first lot to come; absent with neither, and in a room of version 1.0.0 until its item, its first lot or its sale changes. */
  offer?: { name: string; picture?: string; startingPrice: Amount };
  /** When the sale begins by itself; absent if it does not. */
  startsAt?: Time;
  endsAt: Time | null;
  viewers: number;
  openedAt: Time;
}
/** Newest first; archived rooms are left out. */
export interface RoomList {
  rooms: RoomRow[];
  /** Send it as `cursor` for the next page; null on the last one. */
  nextCursor: string | null;
}
export interface JoinRoom {
  /** If left out, a new member is a viewer, and a member keeps their role. */
  role?: JoinRole;
  /** Needed to join a private room. */
  inviteCode?: string;
}
/** At least one of them. */
export interface MemberChanges {
  role?: AssignableRole;
  /** A muted member cannot send messages, unless they have become the host. */
  muted?: boolean;
  /** A banned member can neither bid nor send messages, does not see a private room, and cannot join again. */
  banned?: boolean;
  /** The most they may owe in this room; null removes the limit. */
  creditLimit?: AmountInput | null;
}
export interface Member {
  user: Person;
  role: Role | null;
  joinedAt: Time | null;
  muted: boolean;
  banned: boolean;
  /** Visible to the host and the user only. */
  creditLimit?: Amount | null;
  /** In the response to who joins, if they have applied and are not approved. */
  application?: OwnApplication;
  /** In the response to approveApplication. */
  receipt?: Receipt;
}
/** What the caller has asked the host of this room: to be approved as a bidder. */
export interface OwnApplication {
  state: ApplicationState;
  at: Time;
  /** Why it was declined; null while it is open, and if the host gave no reason. */
  reason: string | null;
}
export interface ApproveApplication {
  /** The most they may owe in this room; if left out, as it was before. */
  creditLimit?: AmountInput;
}
export interface DeclineApplication {
  /** Told to the applicant and the host only. */
  reason?: string | null;
}
/** The application of a bidder; visible to the host only. */
export interface Application {
  applicant: Person;
  at: Time;
  state: ApplicationState;
  /** Why it was declined. */
  reason: string | null;
  /** In the response to declineApplication. */
  receipt?: Receipt;
}
/** Oldest first. */
export interface ApplicationList {
  applications: Application[];
  /** Send it as `cursor` for the next page; null on the last one. */
  nextCursor: string | null;
}
export interface MemberList {
  members: Member[];
  /** Of the whole room, not of this page. */
  counts: RoleCounts;
  /** Send it as `cursor` for the next page; null on the last one. */
  nextCursor: string | null;
}
export interface Expectation {
  reason?: string;
  /** Refused (409) if the room is in another state. */
  expectedState?: RoomPhase;
  /** Refused (409) if the room is in another round. */
  expectedRound?: number;
  /** The item that the caller saw. Refused (409) if the room has another one, or none. */
  expectedItem?: ItemId;
}
export interface Cancellation {
  /** Visible to everyone in the room. */
  reason: string;
  /** Refused (409) if the room is in another state. */
  expectedState?: RoomPhase;
  /** Refused (409) if the room is in another round. */
  expectedRound?: number;
  /** The item that the caller saw. Refused (409) if the room has another one, or none. */
  expectedItem?: ItemId;
}
export interface Extension {
  seconds: number;
  /** Refused (409) if the room is in another state. */
  expectedState?: RoomPhase;
  /** Refused (409) if the room is in another round. */
  expectedRound?: number;
  /** The item that the caller saw. Refused (409) if the room has another one, or none. */
  expectedItem?: ItemId;
}
export interface Warning {
  /** 1: going once; 2: going twice. */
  level: number;
  /** Refused (409) if the room is in another state. */
  expectedState?: RoomPhase;
  /** Refused (409) if the room is in another round. */
  expectedRound?: number;
  /** The item that the caller saw. Refused (409) if the room has another one, or none. */
  expectedItem?: ItemId;
}
/** Exactly one of `increment` and `nextMinimum`. */
export interface AskChange {
  increment?: NewIncrement;
  /** At least one minor unit above the current price. */
  nextMinimum?: AmountInput;
  /** Refused (409) if the room is in another state. */
  expectedState?: RoomPhase;
  /** Refused (409) if the room is in another round. */
  expectedRound?: number;
  /** The item that the caller saw. Refused (409) if the room has another one, or none. */
  expectedItem?: ItemId;
}
export interface NewGuest {
  nickname: Nickname;
}
export interface NewSession {
  /** An ID token of a provider that the operator has named. */
  idToken: string;
  /** What the client has sent to the provider for it. */
  nonce?: string;
  nickname?: Nickname;
}
export interface PairingCode {
  /** As it was shown. */
  code: string;
}
export interface Pairing {
  code: string;
  expiresAt: Time;
}
export interface Session {
  user: Person;
  /** A signed JWT for `Authorization: Bearer`. */
  token: string;
  expiresAt: Time;
}
export interface AccountChange {
  nickname: Nickname;
}
/** The account of the caller. */
export interface Account {
  user: Person;
  tokenExpiresAt: Time;
  /** Number of rooms of which the caller is a member, as listed by `listMyRooms`. */
  rooms: number;
}
export interface GuestLinking {
  /** The token of the guest; as secret as the caller's own. */
  guestToken: string;
  /** The most rooms of a page, skipped ones included; at most eight are linked. */
  limit?: number;
  /** `nextCursor` of the previous page of the same guest. */
  cursor?: string;
}
/** A room in which everything of the guest is the caller's now. */
export interface LinkedRoom {
  room: Named;
  /** The caller's role; null if neither is a member. */
  role: Role | null;
  /** Whether the caller is banned from the room, since the guest was or the caller. */
  banned: boolean;
  /** Number of the guest's wins. */
  wins: number;
}
/** A room that was not linked. */
export interface SkippedRoom {
  room: Named;
  /** Why; `link.in_round` passes, and an internal error needs the operator. */
  reason: ProblemBody;
}
/** The result of linking a page of a guest's rooms. */
export interface GuestLinkResult {
  user: Person;
  linked: LinkedRoom[];
  skipped: SkippedRoom[];
  /** Send it as `cursor`, with the same token, for the next rooms; null if there are none. */
  nextCursor: string | null;
}
export interface NewBlock {
  /** Another user. */
  userId: UserId;
}
/** A user whom the caller does not want to see. */
export interface Block {
  userId: UserId;
  blockedAt: Time;
}
/** Oldest user id first. */
export interface BlockList {
  blocks: Block[];
  /** Send it as `cursor` for the next page; null on the last one. */
  nextCursor: string | null;
}
export interface NewServiceToken {
  /** What it is for, for people. */
  name: string;
  scopes: ServiceScope[];
  /** Left out: it does not expire. */
  expiresAt?: Time;
}
/** What a service token is for. */
export type ServiceScope = Open<"admin" | "users:sign-in" | "users:manage" | "rooms:read" | "rooms:write" | "feed:read" | "webhooks:manage">;
/** A token of a program of the operator's. */
export interface ServiceToken {
  id: string;
  name: string;
  scopes: ServiceScope[];
  createdAt: Time;
  /** Null: it does not expire. */
  expiresAt: Time | null;
  /** To the minute; null before its first use. */
  lastUsedAt: Time | null;
}
export interface CreatedServiceToken {
  id: string;
  name: string;
  scopes: ServiceScope[];
  createdAt: Time;
  /** Null: it does not expire. */
  expiresAt: Time | null;
  /** To the minute; null before its first use. */
  lastUsedAt: Time | null;
  /** For `Authorization: Bearer`; shown only here. */
  token: string;
}
export interface ServiceTokenList {
  tokens: ServiceToken[];
}
export interface NewUserSession {
  /** How the backend calls the user; at most 255 bytes. */
  subject: string;
  nickname: Nickname;
  /** Left out: as a guest's token. */
  expiresInSeconds?: number;
}
/** What was done by a service token. */
export interface AuditEntry {
  id: string;
  at: Time;
  token: AuditedToken;
  /** The operation. */
  action: string;
  /** What it concerned. */
  target: string;
  reason: string | null;
}
/** The service token that something was done by. */
export interface AuditedToken {
  id: string;
  name: string;
}
/** Newest first. */
export interface AuditList {
  entries: AuditEntry[];
  /** Send it as `cursor` for the next page; null on the last one. */
  nextCursor: string | null;
}
export interface BanReason {
  /** Kept with the ban and in the audit; the user does not see it. */
  reason: string;
}
export interface RevokeReason {
  /** Kept in the audit. */
  reason?: string;
}
/** What operators have decided about a user, in all rooms. */
export interface UserRestriction {
  userId: UserId;
  banned: boolean;
  bannedAt: Time | null;
  /** Why they are banned. */
  reason: string | null;
  /** Tokens issued before are not accepted; null if none were revoked, and 400 days later. */
  tokensEndedAt: Time | null;
}
/** An event of a room, one that follows from it, `bid.outbid` or `lot.next`, or that a webhook was paused. */
export interface FeedEvent {
  cursor: FeedCursor;
  /** Null beside `webhook.paused`. */
  room: string | null;
  event: RoomEvent | OutbidEvent | NextLotEvent | WebhookPausedEvent;
}
/** In the feed, beside the bid that leads now. */
export interface OutbidEvent {
  seq: Seq;
  type: "bid.outbid";
  at: Time;
  round: Round;
  data: { bidder: Person; price: Amount };
}
/** In the feed, beside the upload of the item of a lot. */
export interface NextLotEvent {
  seq: Seq;
  type: "lot.next";
  at: Time;
  round: Round;
  data: { lotId: LotId; item: NamedItem };
}
/** In the feed, after all rooms' events: a webhook gets no events until it is resumed. */
export interface WebhookPausedEvent {
  type: "webhook.paused";
  at: Time;
  data: { webhook: string; reason: Open<"operator" | "gone" | "failing" | "cursor_gone"> };
}
/** A position in the feed. */
export type FeedCursor = string;
export interface FeedPage {
  events: FeedEvent[];
  next: FeedCursor;
  /** Whether further events may follow at once. */
  more: boolean;
}
/** A room of the caller. */
export interface MyRoom {
  role: Role;
  room: RoomRow;
}
/** Newest room first. */
export interface MyRoomList {
  rooms: MyRoom[];
  /** Send it as `cursor` for the next page; null on the last one. */
  nextCursor: string | null;
}
/** A room by its id and name. */
export interface Named {
  id: RoomId;
  name: string;
}
/** How a bid stands; `sealed` while it is unknown, until the round ends. */
export type Standing = Open<"leading" | "outbid" | "sealed">;
/** The bid of the caller in a round that is not over. */
export interface StandingBid {
  room: Named;
  state: RoomPhase;
  round: Round;
  item: ResultItem;
  currency: CurrencyCode;
  standing: Standing;
  /** The leading bid, which the server may have placed for the caller; otherwise the latest that they placed themselves. */
  bidId: BidId;
  amount: Amount;
  /** Up to where the server bids for the caller; null unless they lead. */
  maximum: Amount | null;
  bidAt: Time;
  currentPrice: Amount | null;
  /** `currentPrice` with the premium; absent without a premium. */
  total?: Amount | null;
  /** The least amount of the caller's next bid, also while none is taken, as in a pause; null if there is none. */
  nextMinimum: Amount | null;
  endsAt: Time | null;
}
/** Newest room first. */
export interface StandingBidList {
  bids: StandingBid[];
  /** Send it as `cursor` for the next page; null on the last one. */
  nextCursor: string | null;
}
/** What the caller bought. */
export interface Win {
  room: Named;
  round: Round;
  item: ResultItem;
  currency: CurrencyCode;
  /** The hammer price. */
  price: Amount;
  /** Price and premium, which the buyer pays; null if the room cannot be read. */
  total: Amount | null;
  wonAt: Time;
}
/** Newest first. */
export interface WinList {
  wins: Win[];
  /** Send it as `cursor` for the next page; null on the last one. */
  nextCursor: string | null;
}
/** An amount, a maximum, or both: at least one of them. */
export interface PlaceBid {
  amount?: AmountInput | null;
  /** The maximum up to which the server bids on the caller's behalf; at least `amount`. Without `amount` the server opens at the next minimum, or, for the leader, only raises the maximum. Where the next minimum is the buy-now price, `amount` has to name it (`bid.names_no_price`). English auctions only. */
  maximum?: AmountInput | null;
  /** The round that the bid is meant for; refused (409) in any other. */
  round?: number;
  /** The item that the bidder saw; refused (409) for any other. A round that is cancelled before its first bid begins again with the same number, perhaps with another item. */
  item?: ItemId;
  floor?: FloorEntry;
}
/** Makes the bid one of the floor: of a person in the hall or at the telephone, entered by the host or an auctioneer. It has an amount and no maximum. */
export interface FloorEntry {
  /** Who bids, in one line, such as the number of a paddle. Only the host sees it. */
  paddle?: string;
}
export interface Bid {
  id: BidId;
  /** Null where the amount is sealed: until the close for every caller but the bidder, and after it for the own bid of the winner of a `vickrey` round. */
  amount: Amount | null;
  /** The amount with the premium of the sale; absent without a premium. */
  total?: Amount | null;
  /** The maximum of a proxy bid; only in the caller's own bids. */
  maximum?: Amount;
  bidder: Person;
  /** Whether it was the highest when it was placed. */
  leading: boolean;
  /** Whether the server placed it on the bidder's behalf. */
  automatic: boolean;
  /** True if its bidder left it before the lot opened; absent for all others. */
  absentee?: boolean;
  /** True for a floor bid, whose bidder is `user_floor`; absent for all others. */
  floor?: boolean;
  /** The paddle of a floor bid of the current round, if one was noted; only the host sees it. */
  paddle?: string;
  at: Time;
  seq: Seq;
}
export interface Receipt {
  /** When the request reached the server. */
  receivedAt: Time;
  serverTime: Time;
  /** When the running countdown ends; null where there is none. */
  endsAt: Time | null;
  /** The seq of the room; null where there is none, or none that the caller may know. */
  seq: number | null;
}
export interface BidAnswer {
  bid: Bid;
  room: ShortRoom;
  receipt: Receipt;
}
/** Newest first. Retracted bids are left out. */
export interface BidList {
  bids: Bid[];
  /** Send it as `cursor` for the next page; null on the last one. */
  nextCursor: string | null;
}
/** How a finished round ended. */
export interface RoundResult {
  round: Round;
  item: ResultItem;
  result: Open<"sold" | "passed">;
  /** Null if the item passed. */
  winner: Person | null;
  /** The hammer price; null if the item passed. */
  price: Amount | null;
  /** Why the item passed; null if it was sold. */
  reason: Open<"no_bids" | "reserve_not_met"> | null;
  /** What the buyer pays beside the price; null without a premium, and if the sale was voided. */
  premium: Amount | null;
  /** Price and premium; null if the item passed, and if the sale was voided. */
  total: Amount | null;
  voided: VoidedSale | null;
  /** The sale at the end of the round, if that to the next bidder was voided as well. */
  voidedBefore?: VoidedSale | null;
  bids: number;
  /** When bidding began; null if the round was closed before. */
  openedAt: Time | null;
  closedAt: Time;
  /** The owner of the item. */
  seller: Person;
  /** The lot; null if the item was uploaded for this round. */
  lotId: string | null;
  /** The seller's own number of the lot. */
  reference: string | null;
  /** The number of the lot in the room; null if the item was uploaded for this round. */
  number: number | null;
  currency: CurrencyCode;
  room: RoomId;
  offer: RowOffer | null;
  /** The paddle of the floor bid that won, if one was noted and the floor is the buyer still; only the host sees it. */
  paddle?: string;
  /** In responses to voidResult, acceptOffer and declineOffer. */
  receipt?: Receipt;
}
/** The offer to the next bidder that stands; null if none does. */
export interface RowOffer {
  id: OfferId;
  to: Person;
  price: Amount;
  expiresAt: Time;
}
export interface NamedItem {
  id: ItemId;
  name: string;
}
/** An item whose sale was voided, offered to the caller. */
export interface OwnOffer {
  id: OfferId;
  round: Round;
  /** Null if the item was uploaded for its round. */
  lotId: string | null;
  item: NamedItem;
  price: Amount;
  /** Price and premium. */
  total: Amount;
  /** From then on it cannot be accepted. */
  expiresAt: Time;
}
/** The sale that the host voided; null if none was. */
export interface VoidedSale {
  at: Time;
  reason: string;
  /** The host or the operator who voided it. */
  by: Actor;
  /** Who was to buy the item. */
  winner: Person;
  /** The hammer price that does not count. */
  price: Amount;
}
export interface VoidedResult {
  /** Why; shown to everybody. */
  reason: string;
  /** To whom the item is offered: the next bidder of the round. */
  offerTo?: Open<"next">;
}
/** Newest first. */
export interface ResultList {
  results: RoundResult[];
  /** Send it as `cursor` for the next page; null on the last one. */
  nextCursor: string | null;
}
/** At least one of them. */
export interface ConfigureRule {
  /** A permanent rule cannot be switched off. */
  enabled?: boolean;
  /** Higher is asked first. */
  priority?: number;
}
/** The rule that denies the action, or null if it is allowed. */
export interface Denial {
  rule: string;
  category: Category;
  priority: number;
  detail: string;
  required: string | null;
  actual: string | null;
  /** Only with `action`: what the caller may do now. The matrix says it by itself. */
  allowedActions?: Action[];
}
/** Whether the caller may perform an action, and why not. */
export interface Decision {
  action: Action;
  allowed: boolean;
  denial: Denial | null;
  /** Only with `explain=true`: every rule of the action in the order it is asked; the first denial decides. */
  trace?: TraceEntry[];
}
/** One rule and its verdict. */
export interface TraceEntry {
  rule: string;
  category: Category;
  priority: number;
  description: string;
  verdict: Open<"passed" | "disabled" | "denied">;
  /** Why, in the caller's language; it and the two below only with `denied`. */
  detail?: string;
  required?: string | null;
  actual?: string | null;
}
export interface PermissionMatrix {
  role: Role | null;
  permissions: Decision[];
}
export interface PermissionRule {
  id: string;
  action: Action;
  /** Higher is asked first. */
  priority: number;
  category: Category;
  /** Whether it is asked in this room. */
  enabled: boolean;
  /** Whether it can never be switched off. */
  permanent: boolean;
  description: string;
}
export interface PermissionRuleList {
  rules: PermissionRule[];
}
export interface NewMessage {
  text: string;
}
export interface Message {
  id: MessageId;
  author: Person;
  text: string;
  at: Time;
}
export interface NewReport {
  /** What is wrong with the message. */
  reason?: string | null;
}
/** The message of a report. */
export interface ReportedMessage {
  id: MessageId;
  author: Person;
  text: string;
  at: Time;
  /** Whether the host has removed it. */
  removed: boolean;
}
/** A report of a message; visible to the host only. */
export interface Report {
  id: ReportId;
  message: ReportedMessage;
  reporter: Person;
  reason: string | null;
  at: Time;
}
/** Newest first. */
export interface ReportList {
  reports: Report[];
  /** Send it as `cursor` for the next page; null on the last one. */
  nextCursor: string | null;
}
export interface StageRequest {
  role: SeatRole;
}
export interface StageInvitation {
  userId: UserId;
  role: SeatRole;
}
export interface StageSeating {
  userId: UserId;
  role: SeatRole;
}
export interface MoveSeat {
  /** The number of the other seat. */
  to: number;
}
export interface MuteSeat {
  muted?: boolean;
}
/** A request or an invitation, and how far it has come. Every state but `idle` and `onStage` waits for one side, for 30 s. */
export interface Handshake {
  id: StageId;
  role: SeatRole;
  /** requested: the host may accept. accepted: the guest is to confirm. invited: the guest may accept. agreed: the host is to confirm. idle: over. */
  state: Open<"idle" | "requested" | "accepted" | "invited" | "agreed" | "onStage">;
  guest: Person;
  origin: Open<"request" | "invitation">;
  /** When the waiting state times out; null where no side is waited for. */
  expiresAt: Time | null;
}
/** Who sits there, or null. */
export interface SeatOccupant {
  user: Person;
  role: SeatRole;
  since: Time;
}
export interface Seat {
  seat: number;
  occupant: SeatOccupant | null;
  closed: boolean;
  muted: boolean;
}
export interface Stage {
  seats: Seat[];
  /** Requests that wait for the host, oldest first. */
  queue: Handshake[];
  /** The handshake in progress that the host takes part in. */
  handshake: Handshake | null;
}
export interface VoiceToken {
  provider: "livekit";
  /** Of the RTC service: `wss:`, or `ws:` on the server's own machine. */
  url: string;
  /** For joining the room there. */
  token: string;
  expiresAt: Time;
  /** Whether it lets the caller open a microphone. */
  canPublish: boolean;
}
/** The type of an event; new ones may come. */
export type RoomEventType = Open<"room.opened" | "room.archived" | "member.joined" | "member.left" | "member.roleChanged" | "member.kicked" | "member.linked" | "member.erased" | "member.banned" | "member.muted" | "member.creditLimitChanged" | "host.gone" | "host.returned" | "permission.changed" | "item.uploaded" | "rules.adjusted" | "state.changed" | "countdown.started" | "countdown.moved" | "warning.given" | "increment.changed" | "ask.changed" | "draw.committed" | "draw.revealed" | "bid.placed" | "bid.maximumRaised" | "bid.retracted" | "bid.maximumVoided" | "price.dropped" | "item.sold" | "item.passed" | "item.voided" | "offer.made" | "offer.accepted" | "offer.declined" | "offer.expired" | "message.sent" | "message.removed" | "message.reported" | "application.made" | "application.declined" | "message.system" | "stage.requested" | "stage.invited" | "stage.accepted" | "stage.seated" | "stage.declined" | "stage.cancelled" | "stage.timedOut" | "stage.ended" | "stage.seatClosed" | "stage.seatMuted" | "stage.seatCleared" | "stage.moved" | "stage.left" | "lot.queued" | "lot.changed" | "lot.moved" | "lot.withdrawn" | "lot.bidsChanged" | "sale.configured" | "sale.starting" | "sale.started" | "sale.stopped" | "sale.postponed" | "sale.finished">;
/** One thing that happened in the room. Its data depend on `type`: `KnownEvent` has the schema of each known type. Ignore an event of a type that you do not know. */
export interface RoomEvent {
  seq: Seq;
  type: RoomEventType;
  at: Time;
  round: Round;
  /** As in the schema of the type in `KnownEvent`. */
  data: Record<string, any>;
}
/** Who follows the room now. */
export interface Presence {
  viewers: number;
}
export interface EventPage {
  events: RoomEvent[];
  /** The `after` of the next call. */
  next: number;
  /** Whether there are more events already. */
  more: boolean;
  serverTime: Time;
  presence: Presence;
}
export interface Ticket {
  ticket: string;
  expiresAt: Time;
}
export interface NewWebhook {
  /** `https:`, at a public address; others, and `http:`, only where the operator allows it. */
  url: string;
  /** Only events of these types; empty: all. */
  types?: string[];
  /** Only events of these rooms; empty: all. */
  rooms?: RoomId[];
  /** For people. */
  description?: string;
  /** Left out: from now on. */
  after?: FeedStart;
}
export interface WebhookChanges {
  url?: string;
  types?: string[];
  rooms?: RoomId[];
  /** Empty: none. */
  description?: string;
}
export interface WebhookReplay {
  after: FeedStart;
}
/** A cursor of the feed, or `latest`. */
export type FeedStart = string;
/** A URL that events are sent to. */
export interface Webhook {
  id: string;
  url: string;
  types: string[];
  rooms: RoomId[];
  description: string | null;
  createdAt: Time;
  paused: WebhookPause | null;
  /** No delivery has succeeded since. */
  failingSince: Time | null;
  /** Deliveries that will be repeated, as of a few seconds ago. */
  parked: number;
  /** All events before it are delivered or parked, as of a few seconds ago. */
  cursor: FeedCursor;
}
export interface CreatedWebhook {
  id: string;
  url: string;
  types: string[];
  rooms: RoomId[];
  description: string | null;
  createdAt: Time;
  paused: WebhookPause | null;
  /** No delivery has succeeded since. */
  failingSince: Time | null;
  /** Deliveries that will be repeated, as of a few seconds ago. */
  parked: number;
  /** All events before it are delivered or parked, as of a few seconds ago. */
  cursor: FeedCursor;
  /** Signs the messages; shown only here. */
  secret: string;
}
export interface RotatedWebhook {
  /** Signs the messages; shown only here. */
  secret: string;
  /** So long the secret that was replaced signs too. */
  previousUntil: Time;
}
export interface WebhookList {
  webhooks: Webhook[];
}
/** Why a webhook gets no events. */
export interface WebhookPause {
  /** Who or what paused it: an operator, a response of 410, five days without success, or a log in which its position is not. */
  reason: Open<"operator" | "gone" | "failing" | "cursor_gone">;
  at: Time;
}
export interface DeliveryList {
  deliveries: Delivery[];
  /** Deliveries that will be repeated. */
  parked: number;
  failed: FailedDelivery[];
  /** Send it as `cursor` for further `failed`; null if there are none. */
  nextCursor: string | null;
}
/** An attempt to deliver an event. */
export interface Delivery {
  /** Its `webhook-id`. */
  id: string;
  at: Time;
  room: RoomId;
  seq: number;
  type: string;
  attempt: number;
  /** Null without a response. */
  status: number | null;
  milliseconds: number;
  /** Why there was no response. */
  error: string | null;
  /** The first 500 bytes of one that is no 2xx. */
  answer: string | null;
}
/** A delivery that has failed for good. */
export interface FailedDelivery {
  /** Its `webhook-id`. */
  id: string;
  room: RoomId;
  seq: number;
  type: string;
  attempts: number;
  status: number | null;
  failedAt: Time;
}
export interface ResentDeliveries {
  deliveries: number;
}
export interface WebhookTestResult {
  isSuccess: boolean;
  status: number | null;
  milliseconds: number;
  error: string | null;
  answer: string | null;
}
/** A state of the room. */
export interface StateDescription {
  name: RoomPhase;
  description: string;
  /** The actions whose state rules pass here. */
  allows: Action[];
}
/** A step from one state to another. */
export interface StateTransition {
  from: RoomPhase;
  to: RoomPhase;
  cause: Cause;
  /** Who may cause it, or what does. */
  by: Open<"host" | "the clock" | "the bidder">;
}
export interface StateMachine {
  initial: RoomPhase;
  states: StateDescription[];
  transitions: StateTransition[];
}
/** Paths of this server. */
export interface ServiceLinks {
  /** This contract. */
  openapi: string;
  /** The contract of the streams. */
  asyncapi: string;
  stateMachine: string;
  guests: string;
  rooms: string;
  /** The JavaScript client. */
  client: string;
  /** This contract and the articles for people. */
  documentation: string;
  /** Where tokens for a room's sound are; only on servers with an RTC service. */
  voice?: string;
}
export interface Service {
  name: "auction-room";
  /** The version of the program (Semantic Versioning). */
  version: string;
  /** The `info.version` of the contract. */
  contractVersion: string;
  serverTime: Time;
  links: ServiceLinks;
}
export interface Health {
  status: "ok";
}
export interface Readiness {
  status: "ready";
}
export interface Unreadiness {
  status: "not ready";
  /** The log takes no events; open rooms are being loaded after a start; the server stops, or has announced that it will. */
  waitingFor: (Open<"log" | "recovering" | "draining">)[];
}
/** See the table above. */
export type ProblemCode = Open<"request.malformed" | "request.unknown_field" | "money.malformed" | "media.malformed" | "media.removed" | "webhook.url_refused" | "media.unknown" | "token.missing" | "token.invalid" | "token.expired" | "token.revoked" | "ticket.invalid" | "id_token.invalid" | "id_token.expired" | "id_token.used" | "guest.off" | "session.off" | "session.ended" | "nickname.not_ours" | "link.by_guest" | "link.token_invalid" | "token.not_ours" | "member.banned" | "voice.banned" | "application.declined" | "report.not_host" | "stage.not_yours" | "media.not_yours" | "scope.missing" | "token.not_a_person" | "user.banned" | "request.origin_not_allowed" | "item.banned" | "item.not_auctioneer" | "rules.banned" | "rules.not_yours" | "rules.owner_only" | "lot.banned" | "lot.not_auctioneer" | "lot.change_banned" | "lot.not_yours" | "lot.owner_only" | "withdraw.banned" | "withdraw.not_yours" | "reoffer.banned" | "reoffer.not_yours" | "reoffer.owner_only" | "sale.not_host" | "bid.not_member" | "bid.banned" | "bid.viewer" | "bid.host" | "bid.own_item" | "bid.already_leading" | "bid.invited_only" | "bid.new_member" | "bid.not_approved" | "start.not_host" | "end.not_host" | "end.has_bid" | "pause.not_host" | "pause.has_bid" | "resume.not_host" | "cancel.not_host" | "extend.not_host" | "retract.not_host" | "retract.has_bid" | "room.not_host" | "role.not_host" | "role.themself" | "kick.not_host" | "kick.themself" | "ban.not_host" | "ban.themself" | "mute.not_host" | "mute.themself" | "credit.not_host" | "credit.themself" | "permission.not_host" | "stage.not_member" | "stage.banned" | "stage.host" | "stage.not_host" | "message.not_member" | "message.banned" | "message.muted" | "message.not_host" | "warn.not_host" | "ask.not_host" | "ask.has_bid" | "void.not_host" | "offer.banned" | "offer.not_yours" | "floor.not_auctioneer" | "floor.banned" | "bid.floor_off" | "floor.own_item" | "absentee.not_member" | "absentee.banned" | "absentee.not_bidder" | "absentee.own_lot" | "report.not_member" | "report.banned" | "application.not_host" | "pairing.invalid" | "route.not_found" | "room.not_found" | "member.not_found" | "lot.not_found" | "absentee.not_found" | "result.not_found" | "offer.not_found" | "media.not_found" | "media.external_only" | "item.not_found" | "bid.not_found" | "block.not_found" | "message.not_found" | "application.not_found" | "token.not_found" | "webhook.not_found" | "user.not_found" | "rule.not_found" | "stage.not_found" | "stage.seat_unknown" | "request.method_not_allowed" | "request.not_acceptable" | "feed.cursor_gone" | "request.timeout" | "lot.reference_taken" | "sale.premium_in_round" | "result.not_sold" | "offer.no_bidder" | "offer.made_before" | "offer.own" | "offer.too_many" | "offer.lot_reoffered" | "sale.running" | "sale.not_automatic" | "sale.no_lots" | "sale.not_running" | "rule.permanent" | "account.hosts_round" | "account.leads_round" | "link.in_round" | "stage.wrong_step" | "stage.no_seat" | "stage.seat_empty" | "stage.seat_taken" | "stage.no_request" | "stage.queue_full" | "stage.already_seated" | "stage.guest_banned" | "report.own" | "application.too_many" | "room.exists" | "room.unknown_state" | "stage.not_seated" | "extend.too_long" | "auction.state_changed" | "auction.unavailable" | "item.not_preparing" | "item.taken" | "rules.not_preparing" | "lot.not_queued" | "withdraw.not_queued" | "reoffer.not_ended" | "reoffer.again" | "bid.not_auctioning" | "bid.wrong_round" | "bid.wrong_item" | "start.wrong_state" | "start.no_item" | "end.not_auctioning" | "pause.not_running" | "resume.not_paused" | "cancel.not_running" | "cancel.has_bids" | "extend.not_auctioning" | "extend.no_countdown" | "retract.wrong_state" | "retract.not_latest" | "room.round_running" | "room.offer_open" | "permission.not_preparing" | "warn.not_auctioning" | "ask.wrong_state" | "ask.not_english" | "floor.not_auctioning" | "floor.wrong_round" | "floor.wrong_item" | "floor.sealed" | "absentee.not_queued" | "absentee.dutch" | "absentee.used" | "request.too_large" | "media.too_large" | "request.target_too_long" | "request.unsupported_media_type" | "media.unsupported" | "media.range" | "import.bad_rows" | "idempotency.key_reused" | "request.upgrade_required" | "bid.rate" | "command.rate" | "guest.rate" | "pairing.rate" | "media.quota" | "room.too_many" | "token.too_many" | "webhook.too_many" | "webhook.too_many_secrets" | "user.too_many" | "feed.too_many_readers" | "block.too_many" | "room.storage_full" | "member.storage_full" | "address.storage_full" | "stream.too_many" | "request.header_too_large" | "request.socket_over_tls" | "service.internal_error" | "service.unavailable" | "session.provider_away" | "service.overloaded" | "service.too_many_reads" | "service.outcome_unknown" | "service.stale" | "service.stopping" | "media.too_many_uploads" | "media.disk_full" | "log.full" | "media.unavailable" | "idempotency.too_many_keys" | "server.busy" | "connection.too_many" | "response.too_many_bytes" | "server.stopping" | "lot.too_many" | "reoffer.too_many" | "bid.below_minimum" | "bid.names_no_price" | "bid.over_credit" | "message.rate" | "ask.below_price" | "offer.over_credit" | "floor.below_minimum" | "absentee.too_many" | "absentee.below_start" | "absentee.names_no_price" | "absentee.over_credit" | "report.limit">;
/** The kind of problem: a path of this server that explains it. */
export type ProblemType = Open<"/problems/permission-denied" | "/problems/malformed-request" | "/problems/unauthorized" | "/problems/not-found" | "/problems/method-not-allowed" | "/problems/not-acceptable" | "/problems/request-timeout" | "/problems/conflict" | "/problems/gone" | "/problems/length-required" | "/problems/content-too-large" | "/problems/uri-too-long" | "/problems/unsupported-media-type" | "/problems/idempotency-key-reused" | "/problems/import-refused" | "/problems/too-many-requests" | "/problems/header-too-large" | "/problems/internal-error" | "/problems/unavailable" | "/problems/origin-not-allowed" | "/problems/upgrade-required" | "/problems/not-implemented" | "/problems/range-not-satisfiable">;
export interface ProblemExplanation {
  type: ProblemType;
  title: string;
  status: number;
  explanation: string;
}
/** Why the permission center refused. */
export interface Permission {
  action: Action;
  /** The rule that denied; the same as `code`. */
  rule: string;
  category: Category;
  priority: number;
  /** What would have been right; null if nothing the caller can do makes it right. */
  required: string | null;
  /** What was found. */
  actual: string | null;
  /** What the caller may do now. */
  allowedActions: Action[];
}
/** A refusal (RFC 9457). `type` is a path of this server that explains the kind, `code` is for programs, `detail` for people. */
export interface ProblemBody {
  type: ProblemType;
  title: string;
  status: number;
  code: ProblemCode;
  /** For people; in the caller's language where it concerns the auction. */
  detail: string;
  /** The path of the request. */
  instance?: string;
  /** The member of the body, the parameter or the header at fault. */
  field?: string;
  /** The wrong rows of an import. */
  rows?: RowProblem[];
  /** What would have been right. */
  required?: string;
  /** What was found. */
  actual?: string;
  /** Present if a permission rule denied the action; `code` is then the id of the rule. */
  permission?: Permission;
  /** When the bid reached the server. It and the three below are present in refusals of a bid, but for those of requests that could not be read (408, 413, 414, 431) and of the connection (503). */
  receivedAt?: Time;
  serverTime?: Time;
  /** When the running countdown ends; null where there is none. */
  endsAt?: Time | null;
  /** The seq of the room; null where there is none, or none that the caller may know. */
  seq?: number | null;
  requestId?: string;
}
/** The commands on a room whose parameters are those of the contract. */
export interface RoomCommands {
  /** Archive a room. */
  archive(given?: RequestOptions): Promise<null>;
  /** Join a room, or change between viewer and bidder. */
  join(body?: JoinRoom, given?: RequestOptions): Promise<Member>;
  /** Leave a room. */
  leave(given?: RequestOptions): Promise<null>;
  /** Change a member: role, mute, ban, credit limit. */
  changeMember(userID: UserId, body: MemberChanges, given?: RequestOptions): Promise<Member>;
  /** Remove a member. */
  kick(userID: UserId, given?: RequestOptions): Promise<null>;
  /** Approve a bidder. */
  approveApplication(userID: UserId, creditLimit?: AmountInput, given?: RequestOptions): Promise<Member>;
  /** Decline a bidder. */
  declineApplication(userID: UserId, reason?: string | null, given?: RequestOptions): Promise<Application>;
  /** Adjust the rules of the item. */
  adjustRules(itemID: ItemId, rules: RulesPatch, given?: RequestOptions): Promise<Item>;
  /** Queue a lot. */
  queueLot(body: NewLot, given?: RequestOptions): Promise<Lot>;
  /** Change or move a queued lot. */
  changeLot(lotID: LotId, body: LotChanges, given?: RequestOptions): Promise<Lot>;
  /** Withdraw a queued lot. */
  withdrawLot(lotID: LotId, reason?: string, given?: RequestOptions): Promise<Lot>;
  /** Offer a lot again that was not sold. */
  reofferLot(lotID: LotId, rules?: RulesPatch, given?: RequestOptions): Promise<Lot>;
  /** Leave a bid on a lot. */
  placeAbsenteeBid(lotID: LotId, maximum: AmountInput, given?: RequestOptions): Promise<AbsenteeBidAnswer>;
  /** Take back the bid that was left on a lot. */
  withdrawAbsenteeBid(lotID: LotId, given?: RequestOptions): Promise<null>;
  /** Say how the lots are sold. */
  configureSale(body: NewSale, given?: RequestOptions): Promise<Sale>;
  /** Sell by hand again. */
  clearSale(given?: RequestOptions): Promise<Sale>;
  /** Start the automatic sale. */
  startSale(given?: RequestOptions): Promise<Sale>;
  /** Stop the sale after the current lot. */
  stopSale(given?: RequestOptions): Promise<Sale>;
  /** Give the round more time. */
  extend(body: Extension, given?: RequestOptions): Promise<RoomSnapshot>;
  /** Say "going once" or "going twice". */
  warn(body: Warning, given?: RequestOptions): Promise<RoomSnapshot>;
  /** Change the increment, or ask for another next minimum. */
  changeAsk(body: AskChange, given?: RequestOptions): Promise<RoomSnapshot>;
  /** Retract a bid. */
  retractBid(bidID: BidId, reason: string, given?: RequestOptions): Promise<RoomSnapshot>;
  /** Switch a rule on or off, or change its priority. */
  configurePermissions(ruleID: string, body: ConfigureRule, given?: RequestOptions): Promise<PermissionRule>;
  /** Send a message to the room. */
  sendMessage(text: string, given?: RequestOptions): Promise<Message>;
  /** Remove a message. */
  removeMessage(messageID: MessageId, given?: RequestOptions): Promise<null>;
  /** Report a message to the host. */
  reportMessage(messageID: MessageId, reason?: string | null, given?: RequestOptions): Promise<null>;
  /** Ask for a seat. */
  requestStage(role: SeatRole, given?: RequestOptions): Promise<Handshake>;
  /** Ask a member to take a seat. */
  inviteToStage(userID: UserId, role: SeatRole, given?: RequestOptions): Promise<Handshake>;
  /** Seat a member who has asked for it. */
  seatMember(userID: UserId, role: SeatRole, given?: RequestOptions): Promise<Stage>;
  /** Leave the stage. */
  leaveStage(given?: RequestOptions): Promise<Stage>;
  /** Close a seat. */
  closeSeat(seat: number, given?: RequestOptions): Promise<Stage>;
  /** Mute a seat. */
  muteSeat(seat: number, muted?: boolean, given?: RequestOptions): Promise<Stage>;
  /** Clear a seat. */
  clearSeat(seat: number, given?: RequestOptions): Promise<Stage>;
  /** Move to another seat. */
  moveSeat(seat: number, to: number, given?: RequestOptions): Promise<Stage>;
  /** Void a sale. */
  voidResult(round: Round, body: VoidedResult, given?: RequestOptions): Promise<RoundResult>;
  /** Accept an offer. */
  acceptOffer(offerID: OfferId, given?: RequestOptions): Promise<RoundResult>;
  /** Decline an offer. */
  declineOffer(offerID: OfferId, given?: RequestOptions): Promise<RoundResult>;
}

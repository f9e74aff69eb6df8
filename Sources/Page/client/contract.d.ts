// What the server sends, as openapi/openapi.yaml has it. Later versions may add members and values: enumerations are open.

/** One of the known values, or one that a later version has added. */
type Open<Known extends string> = Known | (string & {});

/** A decimal number in major units with exactly the currency's fraction digits, such as "120.00". */
export type Amount = string;
/** RFC 3339 in UTC with milliseconds. */
export type Time = string;
export type Role = Open<"host" | "auctioneer" | "bidder" | "viewer">;
export type RoomPhase = Open<"preparing" | "listing" | "auctioning" | "closing" | "paused" | "closed">;
export type Action = Open<"uploadItem" | "adjustRules" | "startAuction" | "placeBid" | "retractBid" | "endAuction" | "pause" | "resume" | "cancel"
  | "setRole" | "kick" | "ban" | "mute" | "setCreditLimit" | "sendMessage" | "removeMessage" | "configurePermissions" | "requestStage"
  | "manageStage" | "archiveRoom" | "queueLot" | "changeLot" | "withdrawLot" | "runSale">;

export interface Person { id: string; nickname: string }
export interface Session { user: Person; token: string; expiresAt: Time }

export type Increment = { fixed: Amount } | { percent: number } | { tiers: { from: Amount; step: Amount }[] };
export interface Rules {
  startingPrice: Amount;
  increment: Increment;
  reservePrice?: Amount | null;
  buyNowPrice: Amount | null;
  floorPrice: Amount | null;
  listingSeconds: number;
  biddingSeconds: number;
  countdown: Open<"reset" | "extend" | "fixed">;
  extendWindowSeconds: number;
  extendBySeconds: number;
  maxDurationSeconds: number | null;
  dutchTickSeconds: number | null;
  format: Open<"english" | "dutch" | "sealedFirstPrice" | "vickrey">;
  tie: Open<"earliest" | "draw">;
}
export type NewRules = Partial<Rules> & { startingPrice: Amount };
/** Between which prices the seller expects the hammer price. */
export interface Estimate { low: Amount; high: Amount }
export interface NewItem { name: string; description?: string; media?: string[]; estimate?: Estimate | null; condition?: string | null; rules: NewRules }
/** The response to `POST /v1/rooms/{id}/media`; `url` is for `media` of items and lots. */
export interface UploadedPicture { url: string; type: Open<"image/jpeg" | "image/png" | "image/webp" | "image/avif">; width: number; height: number; bytes: number }
export interface Item {
  id: string;
  name: string;
  description: string;
  media: string[];
  /** Absent where the seller names none. */
  estimate?: Estimate;
  /** The state that it is in, one line; absent where nothing is said. */
  condition?: string;
  owner: Person;
  rules?: Rules;
  /** In the response to an upload: the caller's own item that this one replaced. */
  replaced?: string;
}

export type LotState = Open<"queued" | "current" | "sold" | "passed" | "withdrawn">;
/** An item that waits its turn, or has had it. */
export interface Lot {
  id: string;
  /** Its number in the room, by the order of queueing; it never changes. To be shown where there is no `reference`. */
  number: number;
  /** Its place among all lots of the room, from 1. */
  position: number;
  /** The seller's own number. */
  reference: string | null;
  state: LotState;
  round: number | null;
  item: Item;
  rules: Rules;
  /** How its round ended. */
  result: (Outcome & { bids: number; closedAt: Time }) | null;
}
export interface NewLot extends NewItem { reference?: string }
export interface LotChanges {
  name?: string;
  description?: string;
  media?: string[];
  /** Null removes it. */
  estimate?: Estimate | null;
  condition?: string | null;
  rules?: { [Rule in keyof NewRules]?: NewRules[Rule] | null };
  reference?: string | null;
  /** The id of the lot that is to follow it; null: it becomes the last. */
  before?: string | null;
}
export interface ImportedLots {
  rows: number;
  added: number;
  changed: number;
  unchanged: number;
  /** These, too, have the values of their rows; they are not queued again. */
  sold: number;
  passed: number;
  withdrawn: number;
  lots: { line: number; id: string; reference: string | null; outcome: Open<"added" | "changed" | "unchanged" | "sold" | "passed" | "withdrawn"> }[];
  /** The headings of columns that mean nothing to an import. */
  ignoredColumns: string[];
}
/** A wrong row of an import, in `rows` of the refusal's body. */
export interface RowProblem { line: number; field: string | null; code: string; detail: string }
export interface NewSale {
  mode: "manual" | "automatic";
  pauseSeconds?: number;
  startsAt?: Time | null;
  premium?: { percent: string } | null;
  /** Whether an automatic sale needs its host: without one it neither begins nor goes on by itself. */
  attended?: boolean;
}
export interface Sale {
  mode: Open<"manual" | "automatic">;
  pauseSeconds: number;
  startsAt: Time | null;
  premium: { percent: string } | null;
  attended: boolean;
  /** Whether the next lot follows by itself. */
  running: boolean;
  /** Whether it did not begin at its time because its host was absent; the host starts it. */
  postponed: boolean;
  /** Between two lots, when the next one is listed. */
  nextLotAt: Time | null;
  lots: number;
  queued: number;
}

export interface CurrentBid { id: string; amount: Amount; bidder: Person; at: Time }
export interface Me {
  role: Role | null;
  leading: boolean;
  maximum: Amount | null;
  sealedAmount: Amount | null;
  creditLimit: Amount | null;
  muted: boolean;
  banned: boolean;
}
/** The part of a room that the response to a bid shows. */
export interface ShortRoom {
  id: string;
  state: RoomPhase;
  round: number;
  seq: number;
  currentPrice: Amount | null;
  /** `currentPrice` with the premium; absent without a premium. */
  total?: Amount | null;
  currentBid: CurrentBid | null;
  nextMinimum: Amount | null;
  reserveMet: boolean | null;
  endsAt: Time | null;
  nextDropAt: Time | null;
}
export interface RoomSnapshot extends ShortRoom {
  name: string;
  host: Person;
  currency: string;
  visibility: Open<"public" | "private">;
  stateDescription: string;
  item: Item | null;
  rules: Rules | null;
  /** While paused, what was left when the pause began; it does not run then. */
  remainingMs: number | null;
  members: Record<string, number>;
  viewers: number;
  /** What the caller may do now; absent without a token, as `me`. */
  allowedActions?: Action[];
  me?: Me;
  /** Absent in a room without lots that never had a sale. */
  sale?: Sale;
  inviteCode?: string;
  serverTime: Time;
}
export interface RoomRow {
  id: string;
  name: string;
  host: Person;
  currency: string;
  visibility: Open<"public" | "private">;
  state: RoomPhase;
  round: number;
  seq: number;
  itemName: string | null;
  currentPrice: Amount | null;
  /** `currentPrice` with the premium; absent without a premium. */
  total?: Amount | null;
  /** The current item, or else the first lot to come; absent with neither. `picture` with `?preview` is a small one. */
  offer?: { name: string; picture?: string; startingPrice: Amount };
  /** When the sale begins by itself; absent if it does not. */
  startsAt?: Time;
  endsAt: Time | null;
  viewers: number;
  openedAt: Time;
}

export interface Account {
  user: Person;
  tokenExpiresAt: Time;
  /** Of how many rooms the caller is a member. */
  rooms: number;
}
export interface MyRoom { role: Role; room: RoomRow }
export interface Named { id: string; name: string }
/** The caller's bid in a round that is not over. */
export interface StandingBid {
  room: Named;
  state: RoomPhase;
  round: number;
  item: Named;
  currency: string;
  /** "sealed": not known until the round ends. */
  standing: Open<"leading" | "outbid" | "sealed">;
  /** The leading bid, which the server may have placed; otherwise the caller's latest. */
  bidId: string;
  amount: Amount;
  /** Null unless the caller leads. */
  maximum: Amount | null;
  bidAt: Time;
  currentPrice: Amount | null;
  /** `currentPrice` with the premium; absent without a premium. */
  total?: Amount | null;
  nextMinimum: Amount | null;
  endsAt: Time | null;
}
export interface Win {
  room: Named;
  round: number;
  item: Named;
  currency: string;
  /** The hammer price. */
  price: Amount;
  /** What the buyer pays: the price with the premium. Null if the room cannot be read. */
  total: Amount | null;
  wonAt: Time;
}

export interface Member { user: Person; role: Role | null; joinedAt: Time | null; muted: boolean; banned: boolean; creditLimit?: Amount | null }
export interface Bid {
  id: string;
  /** Null where it is sealed. */
  amount: Amount | null;
  /** `amount` with the premium; absent without a premium. */
  total?: Amount | null;
  maximum?: Amount;
  bidder: Person;
  leading: boolean;
  automatic: boolean;
  at: Time;
  seq: number;
}
export interface Receipt { receivedAt: Time; serverTime: Time; endsAt: Time | null; seq: number | null }
export interface Message { id: string; author: Person; text: string; at: Time }
/** What became of an item. */
export interface Outcome {
  result: Open<"sold" | "passed">;
  winner: Person | null;
  /** The hammer price. */
  price: Amount | null;
  reason: Open<"no_bids" | "reserve_not_met"> | null;
  /** What the buyer pays beside the price; null without a premium. */
  premium: Amount | null;
  /** Price and premium. */
  total: Amount | null;
}
export interface RoundResult extends Outcome {
  round: number;
  item: { id: string; name: string; estimate?: Estimate; condition?: string };
  bids: number;
  /** When bidding began; null if it never did. */
  openedAt: Time | null;
  closedAt: Time;
  seller: Person;
  /** Null if the item was uploaded for this round. */
  lotId: string | null;
  reference: string | null;
  /** The number of the lot. */
  number: number | null;
  currency: string;
  /** The room's id. */
  room: string;
}

export interface Handshake {
  id: string;
  role: Open<"auctioneer" | "bidder">;
  state: Open<"idle" | "requested" | "accepted" | "invited" | "agreed" | "onStage">;
  guest: Person;
  origin: Open<"request" | "invitation">;
  expiresAt: Time | null;
}
export interface Seat { seat: number; occupant: { user: Person; role: Role; since: Time } | null; closed: boolean; muted: boolean }
export interface Stage { seats: Seat[]; queue: Handshake[]; handshake: Handshake | null }

export interface Denial {
  rule: string;
  category: string;
  priority: number;
  detail: string;
  required: string | null;
  actual: string | null;
  /** Of one action that is explained: what the caller may do now. */
  allowedActions?: Action[];
}
export interface Decision { action: Action; allowed: boolean; denial: Denial | null }
export interface ExplainedDecision extends Decision { trace: ({ rule: string; verdict: Open<"passed" | "disabled" | "denied"> } & Record<string, unknown>)[] }
export interface PermissionMatrix { role: Role | null; permissions: Decision[] }
export interface PermissionRule {
  id: string;
  action: Action;
  priority: number;
  category: string;
  enabled: boolean;
  permanent: boolean;
  description: string;
}

export type RoomEventType = Open<"bid.maximumRaised" | "bid.maximumVoided" | "bid.placed" | "bid.retracted" | "countdown.moved"
  | "countdown.started" | "draw.committed" | "draw.revealed" | "host.gone" | "host.returned" | "item.passed" | "item.sold" | "item.uploaded"
  | "lot.changed" | "lot.moved" | "lot.queued" | "lot.withdrawn"
  | "member.banned" | "member.creditLimitChanged" | "member.joined" | "member.kicked" | "member.left" | "member.linked" | "member.muted"
  | "member.roleChanged" | "message.removed" | "message.sent" | "message.system" | "permission.changed" | "price.dropped" | "room.archived"
  | "room.opened" | "rules.adjusted" | "sale.configured" | "sale.finished" | "sale.postponed" | "sale.started" | "sale.starting" | "sale.stopped" | "stage.accepted" | "stage.cancelled" | "stage.declined" | "stage.ended" | "stage.invited"
  | "stage.left" | "stage.requested" | "stage.seatCleared" | "stage.seatClosed" | "stage.seatMuted" | "stage.seated" | "stage.timedOut"
  | "state.changed">;
/** Something that happened in the room. `data` depends on `type`; types that this version does not know arrive as well. */
export interface RoomEvent { seq: number; type: RoomEventType; at: Time; round: number; data: Record<string, any> }
/** What a stream says beside the events. */
export interface Notice { notice: Open<"presence">; viewers?: number; serverTime?: Time; [member: string]: unknown }

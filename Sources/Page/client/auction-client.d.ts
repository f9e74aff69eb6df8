// Types of auction-client.js. The article "A client in JavaScript" introduces the module.
import type {
  AbsenteeBid, Account, Action, Amount, Application, ApplicationState, Bid, Block, Decision, Handshake, ImportedLots, Item, Lot, LotResult, LotState, Member, MyRoom, NewItem, NewLot,
  PermissionMatrix, PermissionRule, Person, Receipt, Report, RoomCommands, RoomEvent, RoomPhase, RoomRow, RoomSnapshot, RoundResult, Sale, Session, ShortRoom, Stage,
  StandingBid, Time, UploadedPicture, VoiceToken, Win, GuestLinkResult, NewSession, Pairing,
} from "./contract.js";
import type { AuctionError, Problem, RoomState, ServerClock } from "./values.js";
export * from "./contract.js";
export * from "./values.js";

type Transport = "sse" | "poll" | "socket";

/** How one request is made. */
export interface RequestOptions {
  signal?: AbortSignal;
  /** How often it is repeated where no response arrived, or 502, 503 or 504. Commands: 4. Reads: 0. Never an order without `expectedRound`. */
  retries?: number;
  /** Milliseconds for one attempt; 20,000. Not for commands. */
  timeoutMs?: number;
}

/** A file, or its bytes. */
export type PictureFile = Blob | ArrayBuffer | ArrayBufferView;

/** The device's clock and timers; a test brings its own. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  setTimeout(act: () => void, ms: number): any;
  clearTimeout(timer: any): void;
}

export interface RequestReport {
  phase: "response" | "failed" | "retry";
  method: string;
  path: string;
  attempt: number;
  status?: number;
  requestID?: string | null;
  durationMs?: number;
  delayMs?: number;
  error?: unknown;
}

export interface ClientOptions {
  /** The server's address; left out: where the module was loaded from. Node needs it. */
  baseURL?: string | URL;
  token?: string | null;
  /**
   * Asked for the first token, and again with the one that the server has refused; `rejected` is null then if the request had none. Null: go
   * on without. Requests wait for it until their time is over (20 seconds), a follow two minutes; then, or if it throws, they fail with
   * the code "client.tokenProvider". It may call `signIn`, `renewToken`, `useSession` and `useToken` of the same client, which never ask it;
   * any other request that it waits for would wait for it, and fails with that code.
   */
  tokenProvider?: (question: { rejected: string | null; problem: Problem | null }) => string | null | undefined | Promise<string | null | undefined>;
  /** The user of the token, so that events about them are recognised; a guest's is known. */
  userID?: string;
  /** Of texts for users: a language tag, or a function that returns one. */
  language?: string | (() => string);
  /** The favourite first; ["sse", "poll"]. */
  transports?: Transport[];
  fetch?: typeof fetch;
  /** A WebSocket class, where the platform has none. */
  WebSocket?: any;
  clock?: Timing;
  /** From 0 up to but not including 1; spreads repetitions. */
  random?: () => number;
  /** For logs and figures. Must not throw. */
  onRequest?: (report: RequestReport) => void;
}

export class AuctionClient {
  constructor(options?: ClientOptions);
  readonly baseURL: string;
  readonly clock: ServerClock;
  /** The guest who signed in, or null. */
  readonly user: Person | null;
  /** A guest by a nickname, or a user by a provider's ID token. With the token as it is: the provider of tokens is not asked. */
  signIn(who: string | NewSession, given?: RequestOptions): Promise<Session>;
  /** A code by which another device becomes the same user. */
  createPairing(given?: RequestOptions): Promise<Pairing>;
  /** Becomes the user of another device. The provider of tokens is not asked. */
  redeemPairing(code: string, given?: RequestOptions): Promise<Session>;
  /** Makes what a guest has in rooms the caller's: all pages, one after the other. */
  linkGuest(guestToken: string, given?: RequestOptions): Promise<Pick<GuestLinkResult, "user" | "linked" | "skipped">>;
  /** With the token as it is: the provider of tokens is not asked. */
  renewToken(given?: RequestOptions): Promise<Session>;
  useSession<S extends Session | null>(session: S): S;
  useToken(token: string | null, userID?: string): void;
  me(given?: RequestOptions): Promise<Account>;
  /** Guests only; the session replaces what an app has kept. */
  setNickname(nickname: string, given?: RequestOptions): Promise<Session>;
  room(id: string): Room;
  myRooms(options?: { limit?: number }): Pages<MyRoom, "rooms">;
  myBids(options?: { limit?: number }): Pages<StandingBid, "bids">;
  myWins(options?: { limit?: number }): Pages<Win, "wins">;
  /** The users whom the caller does not want to see, oldest user id first. */
  blocks(options?: { limit?: number }): Pages<Block, "blocks">;
  block(userID: string, given?: RequestOptions): Promise<Block>;
  unblock(userID: string, given?: RequestOptions): Promise<null>;
  leaveForGood(given?: RequestOptions): Promise<null>;
  rooms(options?: { state?: RoomPhase; limit?: number }): Pages<RoomRow, "rooms">;
  openRoom(room: { name: string; currency?: string; visibility?: "public" | "private" }, given?: RequestOptions): Promise<RoomSnapshot>;
  send(command: Command | KeptCommand, given?: RequestOptions): Promise<any>;
  request(method: string, path: string, given?: RequestOptions & { body?: unknown; key?: string }): Promise<any>;
}

/** The type of a decision that was asked for with `explain`. */
export type ExplainedDecision = Required<Decision>;
/** What became of an item. */
export type Outcome = Omit<LotResult, "bids" | "closedAt">;
/** What a stream says beside the events. */
export interface Notice { notice: "presence" | (string & {}); viewers?: number; serverTime?: Time; [member: string]: unknown }

export interface Room extends RoomCommands {}
export class Room {
  private constructor();
  readonly id: string;
  follow(options?: FollowOptions): RoomFollow;
  read(given?: RequestOptions): Promise<RoomSnapshot>;
  stage(given?: RequestOptions): Promise<Stage>;
  /** For LiveKit's `room.connect(url, token)`; a new one before each join. */
  voiceToken(given?: RequestOptions): Promise<VoiceToken>;
  permissions(given?: RequestOptions): Promise<PermissionMatrix>;
  permissionRules(given?: RequestOptions): Promise<{ rules: PermissionRule[] }>;
  explain(action: Action, amount?: Amount, given?: RequestOptions): Promise<ExplainedDecision>;
  bids(options?: { round?: number; limit?: number }): Pages<Bid, "bids">;
  lot(lotID: string, given?: RequestOptions): Promise<Lot>;
  absenteeBid(lotID: string, given?: RequestOptions): Promise<AbsenteeBid>;
  lots(options?: { state?: LotState; bids?: "mine"; limit?: number }): Pages<Lot, "lots">;
  sale(given?: RequestOptions): Promise<Sale>;
  /** The reports of messages, newest first; by the host. */
  reports(options?: { limit?: number }): Pages<Report, "reports">;
  /** The applications of bidders, oldest first; by the host. */
  applications(options?: { state?: ApplicationState; limit?: number }): Pages<Application, "applications">;
  members(options?: { banned?: boolean; limit?: number }): Pages<Member, "members">;
  results(options?: { limit?: number }): Pages<RoundResult, "results">;
  resultTable(given?: RequestOptions): Promise<string>;
  history(options?: { after?: number; limit?: number }): Pages<RoomEvent, "events">;
  /** Throws a TypeError without a round. */
  prepareBid(bid: NewBid): Command;
  bid(bid: NewBid, given?: RequestOptions): Promise<BidOutcome>;
  uploadItem(item: NewItem, given?: RequestOptions): Promise<Item>;
  startAuction(expected?: Expected, given?: RequestOptions): Promise<RoomSnapshot>;
  endAuction(expected?: Expected, given?: RequestOptions): Promise<RoomSnapshot>;
  pause(expected?: Expected, given?: RequestOptions): Promise<RoomSnapshot>;
  resume(expected?: Expected, given?: RequestOptions): Promise<RoomSnapshot>;
  cancel(expected: Expected & { reason: string }, given?: RequestOptions): Promise<RoomSnapshot>;
  importLots(file: string | NewLot[], type?: "text/csv" | "application/x-ndjson", given?: RequestOptions): Promise<ImportedLots>;
  uploadPicture(file: PictureFile, given?: RequestOptions & { preview?: PictureFile | null }): Promise<UploadedPicture>;
  answerStage(stageID: string, step: "accept" | "confirm" | "decline" | "cancel", given?: RequestOptions): Promise<Handshake>;
}

/** What the room is expected to be; otherwise the server refuses with 409. */
export interface Expected {
  expectedState?: RoomPhase;
  /** The round of the room that the user saw. Left out: any, and the order is sent once only; a repetition could end or cancel another lot. */
  expectedRound?: number;
  /**
   * The id of the item that the user saw. A round that was cancelled begins again with the same number, perhaps with another item. Left out:
   * the one that the app saw in `expectedRound`, if the room is followed.
   */
  expectedItem?: string;
  reason?: string;
}

/** An amount, a maximum up to which the server bids on, or both. */
/** `round` and `item` (its id) are those of the room that the user saw: a bid that is sent again when another item is up must not be one on that. Without `item` it is the one that the app saw in the round, if the room is followed. */
export type NewBid = ({ amount: Amount; maximum?: Amount } | { amount?: Amount; maximum: Amount }) & { round: number; item?: string; floor?: { paddle?: string } };

interface Accepted { command: Command; bid: Bid; room: ShortRoom; receipt: Receipt; requestID: string | null; isReplayed: boolean }
export type BidOutcome =
  | ({ kind: "leading" } & Accepted)
  /** Accepted, and at once beaten by a proxy bid. */
  | ({ kind: "outbid" } & Accepted)
  /** Accepted; who leads is known after the close. */
  | ({ kind: "sealed" } & Accepted)
  | {
    kind: "refused"; command: Command; rule: string; required: string | null; actual: string | null; allowedActions: Action[] | null;
    detail: string; retryAfter: number | null; requestID: string | null; problem: Problem;
  }
  /** The bid may have been placed, also where the signal or the provider of tokens ended it: send the command again. */
  | { kind: "unknown"; command: Command; error: AuctionError; requestID: string | null };

/** What JSON.stringify makes of a command. */
export interface KeptCommand {
  /** The operation's id in the contract. */
  kind: string;
  method: string;
  path: string;
  body: unknown;
  /** The media type of a body that is a text; absent of one that is sent as JSON. */
  type?: string;
  key: string;
  /** Milliseconds since 1970. */
  madeAt: number;
}
export class Command implements KeptCommand {
  private constructor();
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly type?: string;
  readonly key: string;
  readonly madeAt: number;
  /** Whether it may have been executed without a response. */
  readonly isInDoubt: boolean;
  static from(kept: unknown): Command;
}

export class Pages<Row, Name extends string> implements AsyncIterable<Row> {
  constructor(read: (cursor: string | number | null) => Promise<Page<Row, Name>>, name: Name);
  page(cursor?: string | number | null): Promise<Page<Row, Name>>;
  pages(): AsyncGenerator<Page<Row, Name>>;
  all(limit?: number): Promise<Row[]>;
  [Symbol.asyncIterator](): AsyncGenerator<Row>;
}
export type Page<Row, Name extends string> = { [member in Name]: Row[] } & { nextCursor: string | number | null };

export interface FollowOptions {
  /** As it was read; left out: it is read first. */
  room?: RoomSnapshot;
  /** How many past events to begin with; 0. */
  history?: number;
  /** Begin after this seq instead, as a follow before this one left off. */
  after?: number;
  transports?: Transport[];
  /** Whether to read the room again after events that may have changed `me` and `allowedActions`; true. */
  refresh?: boolean;
  /** Milliseconds, and how many times a transport may break before another is tried: see `defaults` in follow-rules.js. */
  tuning?: {
    tokenMs?: number; openMs?: number; stallMs?: number; steadyMs?: number; retryMs?: number; missingMs?: number; attemptsBeforeFallback?: number;
    probeMs?: number; blockMs?: number;
  };
}

/** An event, the state with it, and whether the room in the state was older than it. */
export interface FollowedEvent { event: RoomEvent; state: RoomState; isNew: boolean }

export interface FollowStatus {
  state: "idle" | "connecting" | "live" | "reconnecting" | "paused" | "stopped";
  reason: null | "started" | "retry" | "networkReturned" | "resumed" | "unreachable" | "refused" | "broken" | "protocol" | "gap" | "stalled" | "silent"
    | "unsupported" | "unopened" | "preferred" | "missing" | "offline" | "paused" | "congested" | "stopped" | "archived" | "rejected" | "unauthorized" | "forbidden" | "notFound";
  transport: Transport | null;
  error: AuctionError | null;
  retryInMs: number | null;
}

/** A page of queued lots, and one of the current lot, read before it; or with `isMore` the page after those that are known. */
export interface ReadLots { page: Page<Lot, "lots"> & { seq?: number }; current?: Page<Lot, "lots"> & { seq?: number }; isMore?: boolean }

/** The lot on which the caller has left a bid, and that bid as an answer says it; null: they took it back. */
export interface ReadOwnBid { lotID: string; myBid: Lot["myBid"] }

export class RoomFollow implements AsyncIterable<FollowedEvent> {
  private constructor();
  readonly state: RoomState;
  readonly status: FollowStatus;
  readonly cursor: number | null;
  on(name: "events", listener: (entries: FollowedEvent[]) => void): () => void;
  on(name: "change", listener: (state: RoomState) => void): () => void;
  on(name: "status", listener: (status: FollowStatus) => void): () => void;
  on(name: "notice", listener: (notice: Notice) => void): () => void;
  on(name: "end", listener: (error: AuctionError | null) => void): () => void;
  start(): this;
  stop(): void;
  pause(): void;
  resume(): void;
  networkLost(): void;
  networkReturned(options?: { ifSilentForMs?: number }): void;
  statuses(): AsyncIterableIterator<FollowStatus>;
  include(read: { room?: RoomSnapshot; members?: Member[]; member?: Member; bids?: Bid[]; round?: number; lots?: ReadLots; ownBid?: ReadOwnBid }): void;
  refreshSoon(): void;
  [Symbol.asyncIterator](): AsyncIterableIterator<FollowedEvent>;
}

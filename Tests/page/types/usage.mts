// Compiled by Tests/scripts/test-page.sh, never run: a program that uses the types as apps do, and what they must refuse.
import { AuctionClient, Command, Problem, addMoney, encodePicture, formatMoney, minorUnits, phaseOf, scaledSize } from "../../../Sources/Page/client/auction-client.js";
import type { BidOutcome, FollowStatus, RoomEventType, RoomSnapshot } from "../../../Sources/Page/client/auction-client.js";

const client = new AuctionClient({
  baseURL: "https://auction.example",
  tokenProvider: async ({ rejected, problem }) => (problem?.code === "token.expired" ? `${rejected}x` : null),
  transports: ["sse", "socket", "poll"], language: () => "zh", onRequest: ({ phase, status }) => console.log(phase, status?.toFixed()),
});

async function play(): Promise<string> {
  const session = await client.signIn("Ann");
  client.useSession(session);
  client.useSession(null);
  const room = client.room("room_x");
  const snapshot: RoomSnapshot = await room.read({ signal: new AbortController().signal, retries: 2 });
  const known: RoomEventType = "bid.placed";
  const added: RoomEventType = "weather.changed";
  const follow = room.follow({ room: snapshot, history: 20 });
  const off: () => void = follow.on("status", (status: FollowStatus) => console.log(status.state, status.error?.requestID));
  follow.on("events", (entries) => entries.map(({ event, state, isNew }) => [event.seq + 1, state.bids.length, isNew, event.type === known]));
  for await (const { event, state } of follow) {
    if (state.room !== null) console.log(formatMoney(state.room.currentPrice, state.room.currency, "en"), phaseOf(state.room, client.clock.now()));
    if (event.type === added) break;
  }
  for await (const status of follow.statuses()) console.log(status.retryInMs);
  for await (const row of client.rooms({ state: "auctioning" })) console.log(row.name, row.itemName?.length);
  const page = await room.members().page();
  console.log(page.members[0].user.nickname, page.nextCursor);
  for await (const { room: id, currency, total } of room.results()) console.log(id.length, formatMoney(total, currency));
  console.log((await room.uploadItem({ name: "Vase", rules: { startingPrice: "1" } })).replaced?.length);
  await room.endAuction({ expectedRound: snapshot.round });
  console.log((await room.explain("placeBid", "120")).denial?.allowedActions?.includes("requestStage"));
  off();
  return told(await room.bid({ amount: "120", maximum: "200", round: snapshot.round }));
}

function told(outcome: BidOutcome): string {
  switch (outcome.kind) {
    case "leading": case "outbid": case "sealed": return outcome.room.total ?? outcome.bid.amount ?? outcome.receipt.serverTime;
    case "refused": return `${outcome.rule} ${outcome.required} ${outcome.allowedActions?.join()} ${outcome.problem.status}`;
    case "unknown": return outcome.error.message + JSON.stringify(outcome.command) + outcome.command.isInDoubt;
  }
}

const units: bigint = minorUnits(addMoney("1.00", "0.50"), 2);
const kept: Promise<BidOutcome> = client.send(Command.from(JSON.parse("{}")));
const isProblem = (error: unknown): string => (error instanceof Problem && error.isFromServer ? error.body.toString() : "");

// @ts-expect-error An amount is no number.
void client.room("x").bid({ amount: 120, round: 1 });
// @ts-expect-error A bid has a round.
void client.room("x").bid({ amount: "120" });
// @ts-expect-error A bid has an amount or a maximum.
void client.room("x").bid({ round: 1 });
// @ts-expect-error A cancellation has a reason.
void client.room("x").cancel({ expectedRound: 1 });
// @ts-expect-error There is no such report.
client.room("x").follow().on("weather", () => {});

async function photo(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const preview = await encodePicture(bitmap, { ...scaledSize(bitmap, 320), quality: 0.8 }, file.type);
  return (await client.room("x").uploadPicture(file, { preview, retries: 1 })).url;
}

void [play, photo, units, kept, isProblem];

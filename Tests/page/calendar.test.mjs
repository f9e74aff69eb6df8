import assert from "node:assert/strict";
import { test } from "node:test";
import { calendarFile } from "../../Sources/Page/calendar.js";

test("a calendar gets the start in UTC, the name as text, and lines of 75 bytes at most", () => {
  const title = `Pots, jugs; bowls\n${"瓷".repeat(40)}`;
  const file = calendarFile({ id: "room_x", title, url: "https://auction.example/#/rooms/room_x", startsAt: "2030-12-31T20:00:00.000Z" }, Date.UTC(2030, 0, 2));
  assert.ok(file.includes("\r\nDTSTART:20301231T200000Z\r\n"));
  assert.ok(file.includes("\r\nDTSTAMP:20300102T000000Z\r\n"));
  const lines = file.split("\r\n");
  assert.equal(lines.pop(), "");
  for (const line of lines) assert.ok(new TextEncoder().encode(line).length <= 75, line);
  assert.ok(file.replaceAll("\r\n ", "").includes(`SUMMARY:Pots\\, jugs\\; bowls\\n${"瓷".repeat(40)}\r\n`));
  assert.equal(lines[0], "BEGIN:VCALENDAR");
  assert.equal(lines.at(-1), "END:VCALENDAR");
});

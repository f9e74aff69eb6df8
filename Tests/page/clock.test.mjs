import assert from "node:assert/strict";
import { test } from "node:test";
import { ServerClock, countdownText } from "../../Sources/Page/client/clock.js";

const stamp = (ms) => new Date(ms).toISOString();

test("a device whose clock is wrong shows the server's time", () => {
  let device = 1_000_000;
  const clock = new ServerClock(() => device);
  clock.sample(stamp(5_000_000), 999_900, 1_000_100);
  assert.equal(clock.now(), 5_000_000);
  device += 700;
  assert.equal(clock.now(), 5_000_700);
});

test("a fast clock sample is preferred over a slow one until it is old", () => {
  let device = 0;
  const clock = new ServerClock(() => device);
  clock.sample(stamp(1_000_010), 0, 20);
  clock.sample(stamp(1_000_900), 0, 1_000);
  assert.equal(clock.now(), 1_000_000);
  device = 200_000;
  clock.sample(stamp(1_200_300), 200_000, 200_400);
  assert.equal(clock.now(), 1_200_100);
});

test("a jump of the device's clock is detected from events of the stream", () => {
  let device = 0;
  const clock = new ServerClock(() => device);
  clock.sample(stamp(1_000_000), 0, 0);
  device = 3_600_000;
  clock.hint(stamp(1_010_000));
  assert.equal(clock.now(), 1_010_000);
  clock.hint(stamp(1_009_500));
  assert.equal(clock.now(), 1_010_000, "a late notice is not a jump");
});

test("a malformed time is ignored", () => {
  const clock = new ServerClock(() => 5);
  clock.sample(undefined, 0, 0);
  clock.sample("soon", 0, 0);
  clock.hint("");
  assert.equal(clock.now(), 5);
});

test("a countdown shows 0:01 until its deadline, tenths only near it and not with reduced motion", () => {
  assert.equal(countdownText(61_000), "1:01");
  assert.equal(countdownText(60_001), "1:01");
  assert.equal(countdownText(3_725_000), "1:02:05");
  assert.equal(countdownText(9_990), "9.9");
  assert.equal(countdownText(9_990, false), "0:10");
  assert.equal(countdownText(1, false), "0:01");
  assert.equal(countdownText(-5, false), "0:00");
});

test("the clock says how far it may be off, and what remains", () => {
  let device = 0;
  const clock = new ServerClock(() => device);
  assert.equal(clock.uncertainty, Infinity);
  clock.sample(stamp(60_000), 0, 200);
  assert.deepEqual([clock.offset, clock.uncertainty], [59_900, 100]);
  device = 200;
  assert.equal(clock.remaining(stamp(61_000)), 900);
  assert.equal(clock.remaining(stamp(60_000)), 0);
  assert.deepEqual([clock.remaining(null), clock.remaining("soon")], [null, null]);
});

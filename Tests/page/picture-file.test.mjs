// What is sent of a file that was chosen as a picture. The pixels are those of a browser, so here they are values.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem, scaledSize } from "../../Sources/Page/client/auction-client.js";
import { sendPicture } from "../../Sources/Page/picture-file.js";
import { setLanguage, textOf } from "../../Sources/Page/strings.js";

const file = (bytes, type, name = "photo") => Object.assign(new Blob([bytes], { type }), { name });
const pixels = (width, height) => {
  const told = { closed: 0 };
  return { told, decode: async () => ({ width, height, encode: async (size) => size, close: () => { told.closed += 1; } }) };
};
const unreadable = async () => { throw new Error("The source image could not be decoded."); };
const upload = async (blob) => blob;

test("a large photo is sent with a longest side of 2,048 pixels", async () => {
  const { told, decode } = pixels(4_032, 3_024);
  assert.deepEqual(await sendPicture(file("jpeg", "image/jpeg"), upload, decode), { width: 2_048, height: 1_536, quality: 0.85 });
  assert.equal(told.closed, 1);
  assert.deepEqual(scaledSize({ width: 3, height: 9_000 }, 2_048), { width: 1, height: 2_048 });
  assert.deepEqual(scaledSize({ width: 640, height: 480 }, 2_048), { width: 640, height: 480 });
});

test("a small picture goes as it is, unless the server does not take its format", async () => {
  const png = file("png", "image/png");
  assert.equal(await sendPicture(png, upload, pixels(2_048, 10).decode), png);
  assert.deepEqual(await sendPicture(file("gif", "image/gif"), upload, pixels(64, 10).decode), { width: 64, height: 10, quality: 0.85 });
  assert.deepEqual(await sendPicture(file(new Uint8Array((1 << 20) + 1), "image/png"), upload, pixels(64, 10).decode), { width: 64, height: 10, quality: 0.85 });
});

test("what the server finds too large is sent smaller, twice", async () => {
  const sent = [];
  const refuse = (status, times) => async (blob) => { if (sent.push(blob.width) <= times) throw new Problem({ detail: "No." }, status); return "there"; };
  const photo = file("jpeg", "image/jpeg");
  assert.equal(await sendPicture(photo, refuse(413, 2), pixels(4_000, 10).decode), "there");
  assert.deepEqual(sent.splice(0), [2_048, 1_600, 1_024]);
  await assert.rejects(sendPicture(photo, refuse(413, 3), pixels(4_000, 10).decode), { status: 413 });
  assert.equal(sent.splice(0).length, 3);
  const { told, decode } = pixels(4_000, 10);
  await assert.rejects(sendPicture(photo, refuse(403, 1), decode), { status: 403 });
  assert.deepEqual([sent.length, told.closed], [1, 1]);
});

test("what the browser cannot read is sent only if the server may read it, and HEIC has words of its own", async () => {
  setLanguage("en");
  const avif = file("avif", "image/avif");
  assert.equal(await sendPicture(avif, upload, unreadable), avif);
  const refused = [
    [file("text", "text/plain"), "picture.none"], [file(new Uint8Array((4 << 20) + 1), "image/avif"), "picture.none"],
    [file("x", "", "IMG_1.HEIC"), "picture.heic"], [file("x", "image/heif"), "picture.heic"], [file("\0\0\0\x18ftypheic\0", "", "IMG_1"), "picture.heic"],
  ];
  for (const [given, key] of refused) await assert.rejects(sendPicture(given, upload, unreadable), { status: 415, detail: textOf(key, "en") });
});

test("of several photos one is decoded at a time, also after one that failed", async () => {
  const open = { now: 0, most: 0 };
  const decode = async () => {
    open.most = Math.max(open.most, open.now += 1);
    return { width: 9_000, height: 10, encode: async () => "blob", close: () => { open.now -= 1; } };
  };
  const late = async (blob) => { await new Promise((resolve) => { setTimeout(resolve, 1); }); return blob; };
  const results = await Promise.allSettled([1, 2, 3].map((n) => sendPicture(file("jpeg", "image/jpeg"), n === 1 ? async () => { throw new Error("lost"); } : late, decode)));
  assert.deepEqual([results.map(({ status }) => status), open.most], [["rejected", "fulfilled", "fulfilled"], 1]);
});

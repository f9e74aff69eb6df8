// QR codes of texts. The expected symbols were made by another program (PyPI's qrcode 8.2); test-page.sh has a decoder read many more.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { qrImage, qrModules } from "../../Sources/Page/qr.js";
import { makeHost } from "../../Sources/Page/views/host.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { mountedBody } from "./support/mounted.mjs";
import { shown } from "./support/page-dom.mjs";

const linesOf = (text) => qrModules(text).map((row) => row.map(Number).join(""));
const link = "https://auction.example/#/rooms/room_3pype17b8wec585enw02ex8qa0?invite=cwjcncaqzx54";

test("a QR code has the modules of the standard", () => {
  assert.deepEqual(linesOf("拍卖厅"), [
    "111111100101101111111", "100000101100101000001", "101110100111101011101", "101110100011101011101", "101110101000101011101", "100000100010101000001",
    "111111101010101111111", "000000000011100000000", "101010100101000010010", "010101011100001101110", "100100100100100001000", "110100001010011001111",
    "101010110010101110111", "000000001001000110111", "111111100101011101110", "100000100011110110100", "101110101111001110000", "101110100000001000010",
    "101110101100100001101", "100000100010001001110", "111111101110101100111",
  ]);
  const printable = (length) => String.fromCharCode(...Array.from({ length }, (_, at) => 33 + ((at * 7 + length * 13) % 90)));
  for (const [text, size, digest] of [
    [link, 37, "74e40fa02ff4dc1b0541e69af11df8232f8c1554cb222619884e5aedd4bb8675"],
    [printable(150), 49, "a9ba414b03a5994f7a797583bc6b56ed78b8781592447d4faafac4cea31207a0"],
    [printable(213), 57, "e1e20da2c9665ffa0d45beece5dd4e3790ccfedd6ae0d64dfa8ba39423ce5572"],
  ]) {
    const lines = linesOf(text);
    assert.equal(lines.length, size);
    assert.equal(createHash("sha256").update(lines.join("\n")).digest("hex"), digest);
  }
});

test("a text that is too long for a code has none", () => {
  assert.equal(qrModules("x".repeat(214)), null);
  assert.equal(qrImage("拍".repeat(72), "code"), null);
});

test("the invitation to a room shows its link as a code with a name, in either language", () => {
  for (const [language, title, name] of [["en", "Invite people", "QR code of the link to this room"], ["zh", "邀请他人", "房间链接的二维码"]]) {
    const body = mountedBody();
    setLanguage(language);
    const room = { id: "room_3pype17b8wec585enw02ex8qa0", name: "Friends", visibility: "private", inviteCode: "cwjcncaqzx54", state: "preparing", round: 1, item: null, sale: null };
    const model = () => ({ room, phase: "preparing", me: { role: "host" }, can: () => false, userID: "user_h", sale: null, results: [], lots: { queued: [] }, state: { bids: [] } });
    const view = makeHost({ model });
    body.append(view.element);
    view.update(model());
    shown(body, "button", title)[0].click();
    const dialogs = () => shown(body, "dialog");
    const [code] = shown(body, "dialog svg[role=img]");
    assert.equal(code.getAttribute("aria-label"), name);
    assert.equal(shown(body, ".qr-hint").length, 1);
    for (const unfit of [{ hostname: "127.0.0.1", origin: "http://127.0.0.1:8080" }, { hostname: "x.example", origin: `https://${"x".repeat(150)}.example` }]) {
      dialogs()[0].close();
      Object.assign(location, unfit);
      shown(body, "button", title)[0].click();
      assert.deepEqual([dialogs().length, shown(body, "dialog .qr").length, shown(body, ".qr-hint").length], [1, 0, 0], unfit.hostname);
    }
    const dark = linesOf(link).join("").split("1").length - 1;
    assert.equal(code.querySelector("path").getAttribute("d").split("M").length - 1, dark);
  }
});

// The totals of a sale, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addMoney, formatMoney } from "../../Sources/Page/client/auction-client.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { showOwn } from "../../Sources/Page/views/totals.js";
import { makeDocument } from "./support/page-dom.mjs";

const bo = { id: "user_b", nickname: "Bo" };
const row = (winner, price, premium) => ({
  result: "sold", round: 1, item: { id: "item_1", name: "Vase" }, seller: { id: "usr_seller", nickname: "Sam" }, winner, price, ...premium && { premium, total: addMoney(price, premium) },
});

test("a sum of nothing has the digits of the currency, as every other amount of the table", async () => {
  setLanguage("en");
  for (const [currency, rows, expected] of [
    ["CNY", [row(bo, "50.00"), row({ id: "user_c", nickname: "Cy" }, "100.00", "10.00")], ["¥50.00", "¥0.00", "¥50.00", "¥100.00", "¥10.00", "¥110.00"]],
    ["JPY", [row(bo, "50"), row({ id: "user_c", nickname: "Cy" }, "100", "10")], ["¥50", "¥0", "¥50", "¥100", "¥10", "¥110"]],
  ]) {
    const body = makeDocument();
    const money = (amount) => formatMoney(amount, currency, "en");
    await showOwn({ allResults: async () => rows, model: () => ({ userID: "user_h", money, lots: {}, me: { role: "host" }, room: { name: "Sale", currency } }) });
    const amounts = body.querySelectorAll("tbody td").map((cell) => cell.textContent).filter((text) => text.startsWith("¥"));
    assert.deepEqual(amounts, expected);
  }
});

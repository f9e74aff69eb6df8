import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { formatMoney } from "../../Sources/Page/client/auction-client.js";
import { fieldFor } from "../../Sources/Page/forms.js";
import { layout } from "../../Sources/Page/plot.js";
import { RoomClient } from "../../Sources/Page/room-client.js";
import { labelOf, plainLabel, problemWords, termWords, withMoney } from "../../Sources/Page/problem-words.js";
import { Session } from "../../Sources/Page/session.js";
import { safeStorage } from "../../Sources/Page/storage.js";
import { allKeys, knows, pickLanguage, setLanguage, t, textOf } from "../../Sources/Page/strings.js";
import { changed } from "../../Sources/Page/views/item-rules.js";
import { ruleRows } from "../../Sources/Page/views/lot.js";
import { csvTable } from "../../Sources/Page/views/totals.js";

const page = new URL("../../Sources/Page/", import.meta.url);
const inFolder = (folder) => readdirSync(new URL(`${folder}/`, page)).map((name) => `${folder}/${name}`);
const scripts = [...readdirSync(page), ...inFolder("client"), ...inFolder("docs"), ...inFolder("operator"), ...inFolder("views")].filter((name) => name.endsWith(".js"));
const source = (name) => readFileSync(new URL(name, page), "utf8");

test("every text exists in both languages, with the same placeholders", () => {
  const values = (text) => (text.match(/\{\w+\}/g) ?? []).sort().join();
  for (const key of allKeys()) {
    const [english, chinese] = ["en", "zh"].map((language) => textOf(key, language));
    assert.ok(english && chinese, key);
    assert.equal(values(english), values(chinese), key);
    if (key !== "app.language" && key !== "app.languageLabel") assert.ok(/[\u4e00-\u9fff]/.test(chinese), `${key}: ${chinese}`);
  }
});

test("a Chinese text has the punctuation and the units of its language", () => {
  for (const key of allKeys()) assert.doesNotMatch(textOf(key, "zh"), /[\u4e00-\u9fff}][,;:!?()]|[,;:!?()][\u4e00-\u9fff{]|[\d}]\s*s\b/, key);
  const rules = { format: "english", countdown: "extend", extendWindowSeconds: 5, extendBySeconds: 10, startingPrice: "1.00", biddingSeconds: 15 };
  const countdown = () => ruleRows(rules, String).find(([name]) => name === t("rule.countdown"))[1];
  setLanguage("zh");
  assert.equal(countdown(), "临近结束的出价会延长时间（5 秒 → +10 秒）");
  setLanguage("en");
  assert.equal(countdown(), "A bid near the end extends it (5\u00a0s → +10\u00a0s)");
});

test("no text states a limit, which is the operator's to choose", () => {
  for (const key of allKeys()) for (const language of ["en", "zh"]) assert.doesNotMatch(textOf(key, language), /\d ?[kM]i?B|\d{3}/, key);
});

test("every text that the page uses exists, and none is unused", () => {
  const all = scripts.filter((name) => name !== "strings.js").map(source).join("\n");
  for (const [, key] of all.matchAll(/\bt\("([\w.]+)"/g)) assert.ok(knows(key), key);
  const begun = [...all.matchAll(/`(\w+\.[\w.]*)\$\{/g)].map(([, beginning]) => beginning);
  // Of a choice with an answer each, and a hint.
  const families = [...all.matchAll(/(?:options\(|key: )"([\w.]+)"/g)].map(([, family]) => family);
  for (const key of allKeys()) {
    assert.ok(all.includes(`"${key}"`) || begun.some((each) => key.startsWith(each)) || families.includes(key.replace(/\.\w+$/, "")), `${key} is not used`);
  }
});

test("nothing in the page parses HTML, runs text, or styles inline", () => {
  for (const name of scripts) assert.doesNotMatch(source(name), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function|srcdoc/, name);
  for (const name of ["index.html", "docs/index.html", "operator/index.html"]) assert.doesNotMatch(source(name), /style=|<style|<script>|\son\w+=|https?:\/\//, name);
});

/** The module and all that it loads, by their paths below the page. */
function loadedBy(name, found = new Set([name])) {
  for (const [, path] of source(name).matchAll(/from "(\.[^"]+)"/g)) {
    const imported = new URL(path, new URL(name, page)).href.slice(page.href.length);
    if (!found.has(imported)) loadedBy(imported, found.add(imported));
  }
  return found;
}

test("all documents preload the modules that they use, and no other, and each module is used", () => {
  const used = ["", "docs/", "operator/"].map((folder) => {
    const loaded = loadedBy(`${folder}main.js`);
    const named = [...source(`${folder}index.html`).matchAll(/"\/page\/([^"]+\.js)"/g)].map(([, path]) => path);
    assert.deepEqual([...named].sort(), [...loaded].sort(), folder);
    return named;
  });
  assert.deepEqual([...new Set(used.flat())].sort(), [...scripts].sort());
});

test("only the client makes requests, and the page uses it by its front door", () => {
  // A call of the contract that a reader tries is sent as it is written, and not as the client would.
  // And the provider that signs users in is another server.
  for (const name of scripts.filter((each) => !each.startsWith("client/") && !["docs/requests.js", "provider-sign-in.js"].includes(each))) {
    assert.doesNotMatch(source(name), /\bfetch\(|\bEventSource\b|\bWebSocket\b|XMLHttpRequest/, name);
    for (const [, path] of source(name).matchAll(/from "([^"]*client\/[^"]*)"/g)) assert.match(path, /client\/auction-client\.js$/, name);
  }
  for (const name of scripts.filter((each) => each.startsWith("client/"))) {
    for (const [, path] of source(name).matchAll(/from "([^"]+)"/g)) assert.match(path, /^\.\/[\w-]+\.js$/, `${name}: only its own modules`);
  }
});

test("the parts of a room may call what its client does, by names that it has, and each of these", () => {
  const lists = [...source("views/room.js").matchAll(/for \(const name of \[([^\]]*)\]\) \{?\s*controls\[name\]/g)].map(([, names]) => [...names.matchAll(/"(\w+)"/g)].map(([, name]) => name));
  // What the view of the room calls itself.
  const own = ["constructor", "read", "readRest", "readNow", "refreshSoon", "follow", "stop", "sleep", "wake", "enter", "bid", "state", "room", "hasMoreBids"];
  assert.deepEqual([...lists.flat(), ...own].sort(), Object.getOwnPropertyNames(RoomClient.prototype).sort());
});

test("the language is the chosen one, else the browser's first supported one, else English", () => {
  assert.equal(pickLanguage("zh", ["en"]), "zh");
  assert.equal(pickLanguage(null, ["fr-FR", "zh-Hant-TW", "en"]), "zh");
  assert.equal(pickLanguage("xx", ["de"]), "en");
  setLanguage("zh");
  assert.equal(t("bid.one", { amount: "¥5" }), "出价 ¥5");
  setLanguage("en");
  assert.equal(t("bid.one", { amount: "{name}" }), "Bid {name}", "a value is not a template");
});

test("a problem is shown at its field", () => {
  const names = ["name", "rules.increment", "rules.increment.tiers", "rules.startingPrice"];
  assert.equal(fieldFor(names, "rules.increment.tiers[0].from"), "rules.increment.tiers");
  assert.equal(fieldFor(names, "startingPrice"), "rules.startingPrice");
  assert.equal(fieldFor(names, "visibility"), null);
  assert.equal(fieldFor(names, null), null);
});

test("a refusal is in the page's language, and says the labels of the form instead of paths", () => {
  const says = (detail, field, name) => problemWords({ detail, field }, name);
  const tooLow = '"rules.reservePrice" must be at least "rules.startingPrice".';
  const cases = [
    [tooLow, "rules.reservePrice", "“Reserve” must not be below “Starting price”.", "“保留价”不得低于“起拍价”。"],
    ["rules.reservePrice 不得低于 rules.startingPrice。", "rules.reservePrice", "“Reserve” must not be below “Starting price”.", "“保留价”不得低于“起拍价”。"],
    ['"rules.floorPrice" must be at most "rules.startingPrice".', "rules.floorPrice", "“Floor price” must not be above “Starting price”.", "“最低价”不得高于“起拍价”。"],
    ['"name" is required.', "name", "Please fill in “Name”.", "请填写“名称”。"],
    ['"rules.startingPrice": "" is not a decimal number with at most 2 fraction digits, such as "120.00".', "rules.startingPrice", "Please fill in “Starting price”.", "请填写“起拍价”。"],
    ['"startingPrice": "abc" is not a decimal number with at most 2 fraction digits, such as "120.00".', "startingPrice", "“abc” is not an amount. Write it like 120.00.", "“abc”不是金额，请按 120.00 的形式填写。"],
    ['"premium.percent" must be a percentage from 0 to 100 with at most two decimals, such as "12.5".', "premium.percent",
      "“Buyer's premium” must be a percentage from 0 to 100, such as 12.5.", "“买方佣金”须为 0 到 100 的百分比，如 12.5。"],
    ['"rules.biddingSeconds" must be from 1 to 3600 seconds, not 0.', "rules.biddingSeconds", /must be from 1 to 3600\.$/, /须在 1 到 3600 之间。$/],
    ['"rules.increment" must be fixed in the format "dutch".', "rules.increment", '“Step” must be fixed in the format "dutch".', '“每次加价” must be fixed in the format "dutch".'],
    ['"rules.format" must be one of "english", "dutch", "vickrey".', "format", "“Format” must be one of english, dutch, vickrey.", "“拍卖方式”须为以下之一：english、dutch、vickrey。"],
    ['字段 "rules.format" 的值无效:"rules.format" must be one of "english", "dutch".', "format", "“Format” must be one of english, dutch.", "“拍卖方式”须为以下之一：english、dutch。"],
    ['rules.format 须为 "english", "dutch" 之一。', "rules.format", "“Format” must be one of english, dutch.", "“拍卖方式”须为以下之一：english、dutch。"],
    ['字段 "name" 的值无效:"name" must have 1 to 80 characters, not 90.', "name", "“Name” must have 1 to 80 characters.", "“名称”须有 1 到 80 个字符。"],
    ['"name" must have 1 to 80 characters, not 0.', "name", "Please fill in “Name”.", "请填写“名称”。"],
    ['"currency" must be an active ISO 4217 code such as "CNY".', "currency", "“Currency” must be the code of a currency, such as EUR.", "“货币”须为货币代码，如 CNY。"],
    ['"rules.increment.percent" must be a number from 0.01 to 1000 with at most two decimals.', "rules.increment.percent", "“Percent” must be from 0.01 to 1000.", "“百分比”须在 0.01 到 1000 之间。"],
    ['"rules.increment.tiers" must begin at zero and rise from tier to tier.', "rules.increment.tiers", "“Tiers” must begin at 0 and rise from line to line.", "“阶梯”须从 0 开始，逐级递增。"],
    ['"media": address 2 must begin with https://, or be that of a picture that was uploaded here.', "media", "Address 2 of “Pictures” must begin with https://.", "“图片”中的第 2 个地址须以 https:// 开头。"],
    ['字段 "media" 的值无效:"media": address 1 has no valid host.', "media", "Address 1 of “Pictures” names no server.", "“图片”中的第 1 个地址没有有效的服务器名。"],
    ['"media": address 3 must have a port from 1 to 65535, or none.', "media", /Address 3 .* from 1 to 65535, or left out\.$/, /第 3 个地址端口无效：须为 1 到 65535，或不写。$/],
    ['"media": address 1 must not contain a user name or a password.', "media", /^Address 1 .* user name or a password\.$/, /不得包含用户名或密码。$/],
    ['"media": address 1 must have two hexadecimal digits after each %.', "media", /has a % without two/, /% 之后须有两位十六进制数字。$/],
    ['"media": address 1 must have at most 2000 bytes.', "media", /at most 2000 bytes\.$/, /最多 2000 字节。$/],
    ['"media": address 1 must not contain U+0022 (").', "media", 'Address 1 of “Pictures” must not contain "', '“图片”中的第 1 个地址不得包含 "'],
    ['"media": address 1 must not contain U+202E.', "media", /turns the text around\.$/, /改变文字方向的字符。$/],
    ['"text" must not contain characters that reverse the text after them.', "text", /turns the text after it around\.$/, /会改变后续文字方向的字符。$/],
    ["The bid of 5.00 is below the minimum of 120.00.", null, "The bid of 5.00 is below the minimum of 120.00.", "The bid of 5.00 is below the minimum of 120.00."],
  ];
  for (const [detail, field, ...expected] of cases) {
    for (const [index, language] of ["en", "zh"].entries()) {
      setLanguage(language);
      if (expected[index] instanceof RegExp) assert.match(says(detail, field), expected[index]); else assert.equal(says(detail, field), expected[index]);
    }
  }
  setLanguage("en");
  assert.equal(says(tooLow, "rules.reservePrice", (path) => (path === "rules.reservePrice" ? "Secret" : null)), "“Secret” must not be below “Starting price”.");
  assert.equal(plainLabel("Shown before bidding, s"), "Shown before bidding");
  assert.equal(labelOf("rules.increment.tiers[0].from"), "rules.increment.tiers[0].from");
});

test("what a refusal requires is in the page's words too", () => {
  setLanguage("zh");
  assert.deepEqual(["auctioning", "host, auctioneer", "¥120.00", "none"].map(termWords), ["拍卖中", "房主、拍卖人", "¥120.00", null]);
  setLanguage("en");
  assert.deepEqual(["auctioning", "none"].map(termWords), ["Bidding open", "none"]);
});

test("a refusal of an amount writes money as the page does", () => {
  const money = (amount) => formatMoney(amount, "EUR", "en");
  const refusal = { category: "amount", detail: "The bid of 1.00 is below the minimum of 1121.00 EUR.", required: "1121.00", actual: "1.00" };
  assert.deepEqual(withMoney({ ...refusal }, money), {
    category: "amount", detail: "The bid of €1.00 is below the minimum of €1,121.00.", required: "€1,121.00", actual: "€1.00",
  });
  assert.equal(withMoney({ category: "amount", detail: "It must be above the current price of 9.00 EUR.", required: "9.01", actual: "5.00" }, money).detail,
    "It must be above the current price of €9.00.");
  assert.deepEqual(withMoney({ ...refusal, category: "rate" }, money), { ...refusal, category: "rate" });
});

test("a table that is saved has no formulas, and quotes what needs it", () => {
  assert.equal(csvTable([["Buyer", "Total (EUR)"], ["=1+1", "-5"], ['A "B", C', "84.94"], ["'@x", "\tx"], [";=1", "a|'=1\n-2"], [';"=1', "\t=1"], ["", "a;b,"]]),
    "Buyer,Total (EUR)\r\n'=1+1,'-5\r\n\"A \"\"B\"\", C\",84.94\r\n''@x,\"'\tx\"\r\n\";'=1\",\"a|''=1\n'-2\"\r\n\";'\"\"=1\",\"'\t'=1\"\r\n,\"a;b,\"\r\n");
});

test("adjusting sends changed members, and null for emptied ones", () => {
  const now = { startingPrice: "100.00", reservePrice: "150.00", biddingSeconds: 15, format: "english", countdown: "fixed", increment: { fixed: "1.00" } };
  assert.deepEqual(changed({ startingPrice: "100.00", biddingSeconds: 30, increment: { fixed: "1.00" } }, now),
    { biddingSeconds: 30, reservePrice: null, countdown: "reset" });
});

test("a Dutch item that gets another format loses what only a Dutch one has", () => {
  const increment = { fixed: "10.00" };
  const now = { startingPrice: "100.00", increment, floorPrice: "50.00", dutchTickSeconds: 5, format: "dutch", countdown: "reset", tie: "earliest" };
  assert.deepEqual(changed({ startingPrice: "100.00", increment }, now), { floorPrice: null, dutchTickSeconds: null, format: "english" });
  const same = { startingPrice: "100.00", format: "dutch", increment, floorPrice: "50.00", dutchTickSeconds: 5 };
  assert.deepEqual(changed(same, now), {});
});

test("the plot follows the price up to the end of the time range", () => {
  const steps = [{ at: 1000, amount: "100.00" }, { at: 3000, amount: "120.00" }];
  const { points, path } = layout(steps, 0, 4000, 300);
  assert.ok(points[0].y > points[1].y);
  assert.match(path, /^M[\d. ]+H[\d.]+V[\d.]+H290$/);
  assert.equal(layout([], 0, 1).path, "");
  assert.doesNotMatch(layout([{ at: 5, amount: "1" }], 5, 5).path, /NaN|Infinity/);
});

test("a guest session is stored, renewed before expiry, and discarded after it", async () => {
  const kept = new Map();
  const storage = { get: (name) => kept.get(name) ?? null, set: (name, value) => kept.set(name, value), remove: (name) => kept.delete(name) };
  const guest = (expiresAt, token = "a") => ({ user: { id: "u", nickname: "Ann" }, token, expiresAt });
  const day = 24 * 3600 * 1000;
  const session = new Session(storage, () => 0);
  session.keep(guest(new Date(7 * day).toISOString()));
  assert.equal(await session.renewIfDue(null), false);
  const later = new Session(storage, () => 6 * day);
  assert.equal(later.user.nickname, "Ann");
  later.onChange = () => assert.fail("a renewed token is nobody new");
  assert.equal(await later.renewIfDue(async () => guest(new Date(13 * day).toISOString(), "b")), true);
  assert.equal(later.current.token, "b");
  assert.equal(new Session(storage, () => 14 * day).user, null);
  let shown = null;
  later.onChange = () => { shown = later.user.nickname; };
  later.keep({ ...guest(new Date(13 * day).toISOString(), "c"), user: { id: "u", nickname: "Anna" } });
  assert.equal(shown, "Anna", "a new nickname is shown");
});

test("signing in works in a browser without storage", () => {
  const storage = safeStorage(() => { throw new Error("denied"); });
  storage.set("a", "1");
  assert.equal(storage.get("a"), "1");
  storage.remove("a");
  assert.equal(storage.get("a"), null);
});

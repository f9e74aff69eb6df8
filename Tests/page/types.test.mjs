// The types name exactly what the module has. (Tests/scripts/test-page.sh also compiles a program with them, where tsc is installed.)
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as client from "../../Sources/Page/client/auction-client.js";
import { RoomCommands } from "../../Sources/Page/client/operations.js";

const source = (name) => readFileSync(new URL(`../../Sources/Page/client/${name}.d.ts`, import.meta.url), "utf8");
const types = source("auction-client") + source("values");
const names = (pattern, text) => [...text.matchAll(pattern)].map((match) => match[1]).sort();

test("every export has a type, and every type of a value an export", () => {
  assert.deepEqual(names(/^export (?:class|function) (\w+)/gm, types), Object.keys(client).sort());
});

test("every class has the methods that its type has", () => {
  for (const [, name, parent, body] of types.matchAll(/^export class (\w+)(?:<[^>]*>)?(?: extends (\w+))?[^{]*(\{[^\n]*\}$|\{\n[\s\S]*?^\})/gm)) {
    const has = Object.getOwnPropertyDescriptors(client[name].prototype);
    const methods = Object.keys(has).filter((each) => each !== "constructor" && typeof has[each].value === "function").sort();
    const typed = [...new Set(names(/^ {2}(?:static )?(\w+)(?:<[^(]*>)?\(/gm, body))].filter((each) => each !== "constructor" && !(each in client[name]));
    // A command is sent by the client; its own method is for that only.
    assert.deepEqual(typed, methods.filter((each) => !(name === "Command" && each === "send")), name);
    const getters = Object.keys(has).filter((each) => has[each].get);
    for (const getter of getters) assert.match(body, new RegExp(`readonly ${getter}\\b`), `${name}.${getter}`);
    if (parent) assert.ok(client[name].prototype instanceof (client[parent] ?? Error), `${name} extends ${parent}`);
  }
});

test("a room has the methods that follow from the contract, with a type each", () => {
  const body = /^export interface RoomCommands \{\n([\s\S]*?)^\}/m.exec(source("contract"))[1];
  const methods = Object.getOwnPropertyNames(RoomCommands.prototype).filter((name) => name !== "constructor").sort();
  assert.deepEqual(names(/^ {2}(\w+)\(/gm, body), methods);
  for (const name of methods) {
    assert.ok(!Object.hasOwn(client.Room.prototype, name), `${name} is also written by hand`);
    assert.equal(typeof client.Room.prototype[name], "function", name);
  }
});

test("the article fetches every file of the client", () => {
  const article = readFileSync(new URL("../../Sources/AuctionServer/AuctionServer.docc/JavaScriptClient.md", import.meta.url), "utf8");
  const folder = readdirSync(new URL("../../Sources/Page/client/", import.meta.url)).filter((name) => name.endsWith(".js"));
  assert.deepEqual(/\/client\/\{([^}]*)\}\.js/.exec(article)[1].split(",").map((name) => `${name}.js`).sort(), folder.sort());
});

// The pictures of an item's form, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setLanguage } from "../../Sources/Page/strings.js";
import { addressesIn, makePictures } from "../../Sources/Page/views/pictures.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { tick } from "./support/timers.mjs";

test("what becomes of a picture is announced, and the announcement is taken away, so that the same one can be made again", async () => {
  for (const [language, words] of [["en", "vase.png is there"], ["zh", "vase.png 已上传"]]) {
    const body = mountedBody();
    setLanguage(language);
    const pictures = makePictures({ uploadPicture: async () => ({ url: "/v1/media/a" }) });
    body.append(pictures.element);
    const input = body.querySelector("input[type=file]");
    const status = pictures.element.querySelector("[role=status]");
    const heard = [];
    for (let count = 0; count < 2; count += 1) {
      input.files = [Object.assign(new Blob(["png"], { type: "image/png" }), { name: "vase.png" })];
      input.dispatch("change");
      for (let step = 0; step < 20; step += 1) await turn();
      heard.push(status.textContent);
      tick(20_000);
      heard.push(status.textContent);
    }
    assert.deepEqual(heard, [words, "", words, ""]);
  }
});

test("a picture of an item is shown small, and itself where the server refuses its preview", () => {
  const body = mountedBody();
  body.append(makePictures({}, ["/v1/media/a"]).element);
  const image = body.querySelector(".picture img");
  assert.equal(image.getAttribute("src"), "/v1/media/a?preview");
  for (let count = 0; count < 2; count += 1) {
    image.dispatch("error");
    assert.equal(body.querySelector(".picture img").getAttribute("src"), "/v1/media/a");
  }
});

test("addresses are found as they are pasted, and what separates them stays in none", async () => {
  const [a, b] = ["https://x/a.jpg", "https://x/b.jpg"];
  for (const text of [`${a}, ${b}`, `${a},${b}`, `${a};${b}`, `${a} | ${b}`, `${a}|${b}`, `${a}\n${b}\n`, `${a}\t;\r\n${b};`, `,${a},,${b},`, ` ${a} ${b} `]) {
    assert.deepEqual(addressesIn(text), [a, b], text);
    mountedBody();
    const pictures = makePictures({});
    pictures.element.querySelector("textarea").value = text;
    assert.deepEqual(await pictures.addresses(), [a, b], text);
  }
  assert.deepEqual(addressesIn("https://x/w_3,h_2;a.jpg"), ["https://x/w_3,h_2;a.jpg"], "an address may have a comma itself");
  assert.deepEqual(addressesIn(`${a},www.example.org/b;/v1/media/c,HTTPS://x/d`), [a, "www.example.org/b", "/v1/media/c", "HTTPS://x/d"], "a wrong address is named, not hidden in another");
  assert.deepEqual(addressesIn(" ,; | "), []);
});

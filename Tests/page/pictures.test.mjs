// The pictures of an item's form, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setLanguage } from "../../Sources/Page/strings.js";
import { makePictures } from "../../Sources/Page/views/pictures.js";
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

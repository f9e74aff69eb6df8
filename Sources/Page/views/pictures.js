// Pictures of an item: files that are chosen or dropped and sent at once, and addresses of others.
import { Problem } from "../client/auction-client.js";
import { h, icon, reconcile, show } from "../dom.js";
import { explain, makeStatus } from "../feedback.js";
import { changedIn, field } from "../forms.js";
import { sendPicture } from "../picture-file.js";
import { t } from "../strings.js";
import { smallPicture } from "./lot.js";

const size = 88;

/**
 * The addresses in a text, by the rule of the server's imports: between them are blanks, lines or bars, or a comma or semicolon, which an
 * address may have itself where no other begins behind it.
 */
export function addressesIn(text) {
  return text.split(/[\s|]+/).flatMap((part) => part.split(/[,;](?=$|https?:|www\.|\/v1\/media\/)/i)).map((each) => each.replace(/^[,;]+|[,;]+$/g, "")).filter(Boolean);
}

/** @param media the addresses that the item has already */
export function makePictures(room, media = []) {
  let count = 0;
  /** `{ url }` of one that is there, `{ sending }` (a promise) of one on its way, `{ error }` of one that was not sent; each with `id` and `name`. */
  const [uploaded, linked] = [media.filter((url) => url.startsWith("/")), media.filter((url) => !url.startsWith("/"))];
  let pictures = uploaded.map((url) => ({ id: ++count, url, name: "" }));
  const links = h("textarea", { rows: 2, inputmode: "url", spellcheck: "false" });
  links.value = linked.join("\n");
  const input = h("input.unseen", { type: "file", multiple: true, accept: "image/*", onchange: () => { add(input.files); input.value = ""; } });
  const zone = h("label.drop-zone", input, icon("picture"), h("span", t("picture.choose")), h("span.choice-hint", t("picture.hint")));
  const list = h("ul.picture-list", { "aria-label": t("picture.title"), hidden: true });
  const status = makeStatus();
  const element = h("div.field.pictures", { role: "group", tabindex: "-1", "data-field": "pictures", "data-label": t("picture.title"), "aria-label": t("picture.title") },
    h("span.label", t("picture.title")), list, zone, h("p.field-error", { hidden: true }),
    h("details", { open: links.value !== "" }, h("summary", t("picture.links")), field(t("item.media"), links, { name: "media" })), status.element);

  for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
    zone.addEventListener(name, (event) => {
      event.preventDefault();
      zone.classList.toggle("over", name === "dragenter" || name === "dragover");
      if (name === "drop") add(event.dataTransfer.files);
    });
  }

  function add(files) {
    for (const file of files) {
      const picture = { id: ++count, name: file.name, file };
      pictures.push(picture);
      send(picture);
    }
    changedIn(input);
    draw();
  }

  function send(picture) {
    picture.error = null;
    picture.sending = sendPicture(picture.file, (blob) => room.uploadPicture(blob)).then(({ url }) => { picture.url = url; }, (error) => {
      picture.error = explain(error)[0];
      picture.mayRetry = !(error instanceof Problem);
    })
      .then(() => {
        picture.sending = null;
        status.say(picture.error ?? t("picture.done", { name: picture.name }));
        draw();
      });
  }

  function draw() {
    show(list, pictures.length > 0);
    reconcile(list, pictures, (picture) => picture.id, (picture) => `${picture.url} ${picture.error} ${Boolean(picture.sending)}`, tile);
  }

  function tile(picture) {
    const { name, url, error } = picture;
    const index = pictures.indexOf(picture);
    return h("li.picture", error ? h("div.picture-error", h("p", `${name}: ${error}`), picture.mayRetry && h("button.tiny", {
      type: "button", onclick: () => { send(picture); draw(); },
    }, t("app.retry")))
      : url ? smallPicture("img", url, { alt: name || t("picture.number", { n: index + 1 }), width: size, height: size })
      : h("span.picture-busy", h("progress", { "aria-label": t("picture.sending", { name }) }), h("span", name)),
    !picture.sending && h("button.quiet.round.tiny.picture-remove", {
      type: "button", "aria-label": t("picture.remove", { name: name || index + 1 }), onclick() {
        const place = pictures.indexOf(picture);
        pictures = pictures.filter((each) => each !== picture);
        changedIn(input);
        draw();
        (list.children[place]?.querySelector(".picture-remove") ?? input).focus();
      },
    }, icon("close")));
  }

  draw();
  return {
    element,
    /**
     * The addresses of all pictures, once those on their way have arrived; in the order that the item has, if they were not changed.
     * @throws Problem if one that was chosen is not there: a seller who wants the item without it removes it
     */
    async addresses() {
      await Promise.all(pictures.map((picture) => picture.sending));
      const missing = pictures.filter((picture) => picture.error).map((picture) => picture.name);
      if (missing.length > 0) throw new Problem({ detail: t("picture.unsent", { names: missing.join(", ") }), field: "pictures" }, 400);
      const all = [...pictures.map((picture) => picture.url).filter(Boolean), ...addressesIn(links.value)];
      // Links in another order are a change: the first picture stands for the item.
      const before = [...uploaded, ...linked];
      return all.length === before.length && all.every((address, place) => address === before[place]) ? media : all;
    },
    clear() {
      pictures = [];
      links.value = "";
      status.say("");
      draw();
    },
  };
}

// The same user on another device: a code, as a QR code and as a link.
import { dialog, h, setText } from "../dom.js";
import { qrImage } from "../qr.js";
import { t } from "../strings.js";
import { copyable, isLoopback } from "./share.js";

const everyMs = 1000;

/** Makes a code and shows it until it expires. */
export async function showPairing(app) {
  const { code, expiresAt } = await app.client.createPairing();
  const link = `${location.origin}/#/pair/${code}`;
  const left = h("p.quiet-text", { role: "timer" });
  const update = () => {
    const seconds = Math.ceil(app.clock.remaining(expiresAt) / 1000);
    setText(left, seconds > 0 ? t("pair.left", { n: Math.ceil(seconds / 60) }) : t("pair.expired"));
  };
  update();
  const timer = setInterval(update, everyMs);
  dialog(t("pair.title"), h("div.stack",
    h("p", t("pair.how")),
    // Another device that opens such an address reaches itself.
    isLoopback(location.hostname) ? h("p.offline", t("host.loopback")) : qrImage(link, t("pair.qr")),
    copyable(t("pair.code"), `${code.slice(0, 4)}-${code.slice(4)}`, "pair-code"),
    copyable(t("pair.link"), link, "pair-link", t("pair.linkHint")),
    left), { closeLabel: t("app.close"), onclose: () => clearInterval(timer) }).classList.add("narrow");
}

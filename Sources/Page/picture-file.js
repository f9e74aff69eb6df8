// Photos as they are sent: no larger than a screen shows, and in a format that the server takes.
import { encodePicture, Problem, scaledSize } from "./client/auction-client.js";
import { t } from "./strings.js";

/** The longest side in pixels and the quality; what follows is tried where the server says that it is too large. */
const attempts = [{ side: 2_048, quality: 0.85 }, { side: 1_600, quality: 0.75 }, { side: 1_024, quality: 0.7 }];
/** A picture of the server's formats that has no more bytes than this, and no longer side, is sent as it is. */
const smallBytes = 1 << 20;
/** The server's limit. What the browser cannot read, though the server may, is sent as it is up to this. */
const largestBytes = 4 << 20;
const taken = ["image/jpeg", "image/png", "image/webp", "image/avif"];

/** A decoded photo takes 4 bytes a pixel: of many that are chosen at once, one is in memory. */
let last = Promise.resolve();
function inTurn(work) {
  const next = last.then(work);
  last = next.catch(() => {});
  return next;
}

/**
 * Sends a file as a picture, smaller if it is large.
 * @param upload sends a Blob; what it returns is returned
 * @param decode the pixels of a file: `width`, `height`, `encode(size)` and `close()`
 * @throws Problem if it is no picture, with what to do about it, and what `upload` throws
 */
export function sendPicture(file, upload, decode = decoded) {
  return inTurn(async () => {
    const pixels = await decode(file).catch(() => null);
    if (!pixels) return upload(await asItIs(file));
    try {
      const isSmall = taken.includes(file.type) && file.size <= smallBytes && Math.max(pixels.width, pixels.height) <= attempts[0].side;
      if (isSmall) return await upload(file);
      for (const [index, { side, quality }] of attempts.entries()) {
        try {
          return await upload(await pixels.encode({ ...scaledSize(pixels, side), quality }));
        } catch (error) {
          if (error?.status !== 413 || index === attempts.length - 1) throw error;
        }
      }
    } finally {
      pixels.close();
    }
  });
}

async function asItIs(file) {
  if (await isHEIC(file)) throw new Problem({ detail: t("picture.heic") }, 415);
  if (!taken.includes(file.type) || file.size > largestBytes) throw new Problem({ detail: t("picture.none") }, 415);
  return file;
}

/** Phones write it; few browsers read it. Many systems do not know its type by the name. */
async function isHEIC(file) {
  if (/^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name ?? "")) return true;
  const head = String.fromCharCode(...new Uint8Array(await file.slice(4, 12).arrayBuffer()));
  return /^ftyp(hei|hev|mif1|msf1)/.test(head);
}

/** Upright, as the photo's own orientation says. */
async function decoded(file) {
  const bitmap = await createImageBitmap(file);
  return {
    width: bitmap.width, height: bitmap.height, close: () => bitmap.close(),
    encode: async (size) => await encodePicture(bitmap, size, file.type) ?? Promise.reject(new Problem({ detail: t("picture.none") }, 415)),
  };
}

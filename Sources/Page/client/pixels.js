// Pictures made smaller, where the system has a canvas: in a browser's page or worker, not in Node.

/** The longest side of a preview, and the most bytes that the server takes of one. */
const previewSide = 320;
const previewBytes = 65_536;

/** Width and height with no side longer than `side`, in the same proportion. */
export function scaledSize({ width, height }, side) {
  const factor = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/**
 * The file of a bitmap, in a size. A photo has no transparency, and every browser writes JPEG; of another picture that does not write
 * WebP, a JPEG on white.
 * @param type the media type of the file that the bitmap is from
 * @returns a Blob, or null if there is none
 */
export async function encodePicture(bitmap, { width, height, quality }, type) {
  const canvas = typeof OffscreenCanvas === "function" ? new OffscreenCanvas(width, height) : Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  const blob = (format) => (canvas.convertToBlob ? canvas.convertToBlob({ type: format, quality }) : new Promise((resolve) => { canvas.toBlob(resolve, format, quality); }));
  const first = /jpeg|hei[cf]/.test(type) ? null : await blob("image/webp");
  // A browser that does not write WebP gives a PNG instead, which may be larger than the picture was.
  if (first?.type === "image/webp") return first;
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  return blob("image/jpeg");
}

/** The preview of a picture; null where there is no canvas, and for what it cannot read or what is as small already. @param file a Blob, or bytes */
export async function previewOf(file) {
  if (typeof createImageBitmap !== "function") return null;
  try {
    const whole = file instanceof Blob ? file : new Blob([file]);
    const bitmap = await createImageBitmap(whole);
    try {
      if (Math.max(bitmap.width, bitmap.height) <= previewSide) return null;
      for (const quality of [0.8, 0.5, 0.2]) {
        const preview = await encodePicture(bitmap, { ...scaledSize(bitmap, previewSide), quality }, whole.type);
        if (preview && preview.size <= previewBytes) return preview.size < whole.size ? preview : null;
      }
    } finally {
      bitmap.close();
    }
  } catch {
    // The picture is there without it.
  }
  return null;
}

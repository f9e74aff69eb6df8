// Files in a ZIP archive, as far as office programs use it: stored or deflated, not encrypted, below 4 GiB.

/** More than any file has whose rows an import takes; what a small archive becomes larger than is not read. */
const mostBytes = 64 << 20;
const entrySignature = 0x02014b50;
const endSignature = 0x06054b50;
const endLength = 22;
const longestComment = 0xFFFF;

/** @param buffer the archive as an ArrayBuffer @returns the entries by name; null if it is no archive */
export function zipEntries(buffer) {
  const view = new DataView(buffer);
  const end = endOf(view);
  if (end === null) return null;
  const entries = new Map();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== entrySignature) return null;
    const [name, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    if (at + 46 + name > view.byteLength) return null;
    entries.set(new TextDecoder().decode(new Uint8Array(buffer, at + 46, name)), {
      method: view.getUint16(at + 10, true), packed: view.getUint32(at + 20, true), header: view.getUint32(at + 42, true),
    });
    at += 46 + name + extra + comment;
  }
  return entries;
}

/** Where the end of the directory begins, behind which there may be a comment. */
function endOf(view) {
  for (let at = view.byteLength - endLength; at >= Math.max(0, view.byteLength - endLength - longestComment); at -= 1) {
    if (view.getUint32(at, true) === endSignature) return at;
  }
  return null;
}

/** The text of an entry; null if there is none, or it cannot be read. */
export async function zipText(buffer, entry) {
  const view = new DataView(buffer);
  if (!entry || entry.header + 30 > buffer.byteLength) return null;
  const start = entry.header + 30 + view.getUint16(entry.header + 26, true) + view.getUint16(entry.header + 28, true);
  if (start + entry.packed > buffer.byteLength) return null;
  const bytes = new Blob([new Uint8Array(buffer, start, entry.packed)]);
  if (entry.method === 0) return bytes.text();
  if (entry.method !== 8) return null;
  try {
    return await limitedText(bytes.stream().pipeThrough(new DecompressionStream("deflate-raw")));
  } catch {
    return null;
  }
}

async function limitedText(stream) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let count = 0; ;) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    count += value.length;
    if (count > mostBytes) { await reader.cancel(); return null; }
    text += decoder.decode(value, { stream: true });
  }
}

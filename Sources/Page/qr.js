// QR codes (ISO/IEC 18004): texts as bytes, error correction level M, versions 1 to 10. That is 213 bytes, and a link has some 120.
import { h } from "./dom.js";

/** Of each version from 1 on: error correction codewords of a block, and how many data codewords its blocks have. */
const blocksOf = [
  [10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]], [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]], [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]],
];
/** The second and third place of alignment patterns; the first is 6. Version 1 has none. */
const alignments = [[], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]];

// Powers of the generator of GF(256), by the polynomial x^8 + x^4 + x^3 + x^2 + 1, and logarithms.
const powers = [];
const logarithms = [];
for (let power = 0, value = 1; power < 255; power += 1) {
  powers.push(value);
  logarithms[value] = power;
  value = value & 0x80 ? (value << 1) ^ 0x11D : value << 1;
}
const product = (a, b) => (a && b ? powers[(logarithms[a] + logarithms[b]) % 255] : 0);

/** The Reed-Solomon codewords of a block: the remainder by (x - 2^0)(x - 2^1)… */
function correction(data, count) {
  let generator = [1];
  for (let root = 0; root < count; root += 1) {
    const next = [...generator, 0];
    for (const [at, factor] of generator.entries()) next[at + 1] ^= product(factor, powers[root]);
    generator = next;
  }
  const rest = [...data, ...new Array(count).fill(0)];
  for (let at = 0; at < data.length; at += 1) {
    const factor = rest[at];
    for (const [step, each] of generator.entries()) rest[at + step] ^= product(each, factor);
  }
  return rest.slice(data.length);
}

/** The remainder of a binary code. @param generator its polynomial @param bits how many the remainder has */
function remainder(value, generator, bits) {
  let rest = value << bits;
  for (let at = 31 - Math.clz32(rest); at >= bits; at = 31 - Math.clz32(rest)) rest ^= generator << (at - bits);
  return rest;
}

/** Mode, length, bytes and padding as codewords. */
function dataCodewords(bytes, version, capacity) {
  const bits = [];
  const put = (value, count) => { for (let at = count - 1; at >= 0; at -= 1) bits.push((value >> at) & 1); };
  put(0b0100, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, capacity * 8 - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  const words = [];
  for (let at = 0; at < bits.length; at += 8) words.push(parseInt(bits.slice(at, at + 8).join(""), 2));
  for (let isFirst = true; words.length < capacity; isFirst = !isFirst) words.push(isFirst ? 0xEC : 0x11);
  return words;
}

/** All codewords of a symbol: those of its blocks in turn, data first. */
function codewords(bytes, version) {
  const [count, sizes] = blocksOf[version - 1];
  const data = dataCodewords(bytes, version, sizes.reduce((sum, size) => sum + size));
  let taken = 0;
  const blocks = sizes.map((size) => data.slice(taken, taken += size));
  const corrections = blocks.map((block) => correction(block, count));
  const inTurn = (lists) => Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, at) => lists.filter((list) => at < list.length).map((list) => list[at])).flat();
  return [...inTurn(blocks), ...inTurn(corrections)];
}

/** The modules that are the same for every text of a version: true is dark. Undefined is where data goes. */
function patterns(version) {
  const size = 17 + 4 * version;
  const rows = Array.from({ length: size }, () => new Array(size));
  /** Concentric squares around a centre; `isDark` by the distance to it. */
  const square = (row, column, radius, isDark) => {
    for (let y = -radius; y <= radius; y += 1) {
      for (let x = -radius; x <= radius; x += 1) if (rows[row + y] && column + x >= 0 && column + x < size) rows[row + y][column + x] = isDark(Math.max(Math.abs(x), Math.abs(y)));
    }
  };
  for (let at = 8; at < size - 8; at += 1) rows[6][at] = rows[at][6] = at % 2 === 0;
  // Three finders with their margins.
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) square(row, column, 4, (distance) => distance !== 2 && distance !== 4);
  const places = alignments[version - 1].length > 0 ? [6, ...alignments[version - 1]] : [];
  for (const row of places) {
    for (const column of places) if (!(row === 6 && (column === 6 || column === places.at(-1))) && !(column === 6 && row === places.at(-1))) square(row, column, 2, (distance) => distance !== 1);
  }
  if (version >= 7) {
    const bits = (version << 12) | remainder(version, 0x1F25, 12);
    for (let at = 0; at < 18; at += 1) {
      const [long, short] = [Math.floor(at / 3), size - 11 + (at % 3)];
      rows[long][short] = rows[short][long] = ((bits >> at) & 1) === 1;
    }
  }
  return rows;
}

/** Level M (00) and the mask, twice beside the finders, and the module that is always dark. */
function putFormat(rows, mask) {
  const size = rows.length;
  const bits = ((mask << 10) | remainder(mask, 0x537, 10)) ^ 0x5412;
  for (let at = 0; at < 15; at += 1) {
    const isDark = ((bits >> at) & 1) === 1;
    const [row, column] = at < 8 ? [at < 6 ? at : at + 1, 8] : [8, at === 8 ? 7 : 14 - at];
    rows[row][column] = isDark;
    if (at < 8) rows[8][size - 1 - at] = isDark; else rows[size - 15 + at][8] = isDark;
  }
  rows[size - 8][8] = true;
}

const masks = [
  (i, j) => (i + j) % 2, (i) => i % 2, (_, j) => j % 3, (i, j) => (i + j) % 3, (i, j) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2,
  (i, j) => ((i * j) % 2) + ((i * j) % 3), (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2, (i, j) => (((i + j) % 2) + ((i * j) % 3)) % 2,
];

/** The codewords in columns of two modules, from the right, upwards and downwards in turn. */
function putData(rows, isFree, words, mask) {
  const size = rows.length;
  let at = 0;
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    // The column of the timing pattern is left out.
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (!isFree[row][column]) continue;
        const bit = at < words.length * 8 ? (words[at >> 3] >> (7 - (at & 7))) & 1 : 0;
        rows[row][column] = (bit === 1) !== (masks[mask](row, column) === 0);
        at += 1;
      }
    }
  }
}

/** How hard a symbol is to read: long runs, squares, what looks like a finder, and too much of one colour. */
function penalty(rows) {
  const size = rows.length;
  let points = 0;
  for (const lines of [rows, rows.map((_, column) => rows.map((row) => row[column]))]) {
    for (const line of lines) {
      const text = line.map(Number).join("");
      for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) points += run.length - 2;
      for (let at = 0; at + 11 <= size; at += 1) if (["10111010000", "00001011101"].includes(text.slice(at, at + 11))) points += 40;
    }
  }
  for (let row = 1; row < size; row += 1) {
    for (let column = 1; column < size; column += 1) {
      const isDark = rows[row][column];
      if (rows[row - 1][column] === isDark && rows[row][column - 1] === isDark && rows[row - 1][column - 1] === isDark) points += 3;
    }
  }
  const dark = rows.flat().filter(Boolean).length;
  return points + 10 * Math.floor(Math.abs(dark / (size * size) - 0.5) * 20);
}

/** The rows of modules, true for dark ones, in the smallest version and with the best mask; null for a text that is too long. */
export function qrModules(text) {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + blocksOf.findIndex(([, sizes], index) => bytes.length * 8 + (index < 9 ? 12 : 20) <= 8 * sizes.reduce((sum, size) => sum + size));
  if (version === 0) return null;
  const words = codewords(bytes, version);
  let best = null;
  for (const mask of masks.keys()) {
    const rows = patterns(version);
    putFormat(rows, mask);
    putData(rows, rows.map((row) => Array.from(row, (module) => module === undefined)), words, mask);
    const points = penalty(rows);
    if (best === null || points < best.points) best = { points, rows };
  }
  return best.rows;
}

/** Modules of light around the code, as the standard wants them. */
const margin = 4;

/** The code as a drawing with a name; null for a text that is too long. Dark on light in any theme, or few cameras would read it. */
export function qrImage(text, label) {
  const rows = qrModules(text);
  if (rows === null) return null;
  const size = rows.length + 2 * margin;
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + margin} ${y + margin}h1v1h-1z` : ""))).join("");
  return h("svg.qr", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    h("rect", { width: size, height: size, fill: "#fff" }), h("path", { d: path, fill: "#000" }));
}

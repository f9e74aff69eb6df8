// The part of Markdown in which the articles and the descriptions of the contract are written, as values: headings, paragraphs, lists, tables,
// code, and links. What shows them makes elements of the values; no text becomes HTML.

const marks = /``([^`]+)``|`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|!\[([^\]]*)\]\([^)]*\)|\[([^\]]+)\]\(([^)\s]*)\)|<doc:([\w-]+)>|(https?:\/\/[^\s<>)`]*[^\s<>)`.,:;])/g;
const bullet = /^(\s*)(?:[-*]|(\d+)\.) +(.*)$/;

/** @returns texts: strings, and objects with a `kind`: code, strong, em, picture, link (`to`), article (`name`) */
export function inlines(text) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(marks)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    const [whole, symbol, code, strong, em, picture, words, to, name, address] = match;
    if (symbol ?? code) parts.push({ kind: "code", text: symbol ?? code });
    else if (strong) parts.push({ kind: "strong", parts: inlines(strong) });
    else if (em) parts.push({ kind: "em", parts: inlines(em) });
    else if (picture !== undefined) parts.push({ kind: "picture", text: picture });
    else if (words) parts.push({ kind: "link", to, parts: inlines(words) });
    else if (name) parts.push({ kind: "article", name });
    else parts.push({ kind: "link", to: address, parts: [address] });
    from = match.index + whole.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** The words alone. */
export const plainText = (parts) => parts.map((part) => (typeof part === "string" ? part : part.text ?? part.name ?? plainText(part.parts))).join("");

/** The names of the headings of a document in addresses, in their order. */
export function anchorsOf(texts) {
  const seen = new Map();
  return texts.map((text) => {
    const anchor = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
    seen.set(anchor, (seen.get(anchor) ?? 0) + 1);
    return seen.get(anchor) > 1 ? `${anchor}-${seen.get(anchor)}` : anchor;
  });
}

/** @returns the blocks of a document: objects with a `kind`: heading, paragraph, list, table, code */
export function blocks(text) {
  const lines = text.replace(/\r\n/g, "\n").split("\n");
  const found = [];
  let at = 0;
  const ends = (line) => line.trim() === "" || /^(#{1,6} |```|\|)/.test(line) || bullet.test(line);
  while (at < lines.length) {
    const line = lines[at];
    const heading = /^(#{1,6}) +(.*)$/.exec(line);
    if (line.trim() === "") at += 1;
    else if (heading) {
      found.push({ kind: "heading", level: heading[1].length, parts: inlines(heading[2]), id: null });
      at += 1;
    } else if (line.startsWith("```")) {
      const end = lines.findIndex((each, index) => index > at && each.startsWith("```"));
      found.push({ kind: "code", language: line.slice(3).trim(), text: lines.slice(at + 1, end < 0 ? lines.length : end).join("\n") });
      at = end < 0 ? lines.length : end + 1;
    } else if (line.startsWith("|")) {
      const from = at;
      while (lines[at]?.startsWith("|")) at += 1;
      const [head, , ...rows] = lines.slice(from, at).map(cells);
      found.push({ kind: "table", head, rows });
    } else if (bullet.test(line)) {
      const from = at;
      for (at += 1; at < lines.length && (bullet.test(lines[at]) || /^\s+\S/.test(lines[at])); at += 1);
      found.push(list(lines.slice(from, at)));
    } else {
      const from = at;
      for (at += 1; at < lines.length && !ends(lines[at]); at += 1);
      found.push({ kind: "paragraph", parts: inlines(lines.slice(from, at).map((each) => each.trim()).join(" ")) });
    }
  }
  const headings = found.filter(({ kind }) => kind === "heading");
  for (const [index, id] of anchorsOf(headings.map(({ parts }) => plainText(parts))).entries()) headings[index].id = id;
  return found;
}

const cells = (row) => row.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/).map((cell) => inlines(cell.trim().replaceAll("\\|", "|")));

/** Lines of one list; what is indented further than the first mark belongs to the item before it. */
function list(lines) {
  const [, outer, number] = bullet.exec(lines[0]);
  const items = [];
  for (const line of lines) {
    const match = bullet.exec(line);
    if (match && match[1].length <= outer.length) items.push({ words: [match[3]], inner: [] });
    else if (match || items.at(-1).inner.length > 0) items.at(-1).inner.push(line);
    else items.at(-1).words.push(line.trim());
  }
  return {
    kind: "list", isOrdered: number !== undefined,
    items: items.map(({ words, inner }) => ({ parts: inlines(words.join(" ")), inner: inner.length > 0 ? [list(inner)] : [] })),
  };
}

// A date for the user's own calendar, as iCalendar (RFC 5545).

const escaped = (text) => text.replace(/[\\;,]/g, "\\$&").replace(/\r\n?|\n/g, "\\n");
/** 20301231T200000Z */
const stamp = (time) => `${new Date(time).toISOString().replace(/[-:]/g, "").slice(0, 15)}Z`;

/** A line has 75 bytes at most; what is more goes on in the next, behind a blank. */
function folded(line) {
  const encoder = new TextEncoder();
  const lines = [""];
  let length = 0;
  for (const letter of line) {
    const bytes = encoder.encode(letter).length;
    if (length + bytes > 75) { lines.push(" "); length = 1; }
    lines[lines.length - 1] += letter;
    length += bytes;
  }
  return lines.join("\r\n");
}

/** @param event `id`, `title`, `url` and `startsAt`; it has no end, since how long a sale takes is not known */
export function calendarFile({ id, title, url, startsAt }, now = Date.now()) {
  return [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//auction-room//page//EN", "BEGIN:VEVENT", `UID:${id}`, `DTSTAMP:${stamp(now)}`, `DTSTART:${stamp(startsAt)}`,
    `SUMMARY:${escaped(title)}`, `DESCRIPTION:${escaped(url)}`, `URL:${url}`,
    "BEGIN:VALARM", "ACTION:DISPLAY", `DESCRIPTION:${escaped(title)}`, "TRIGGER:-PT15M", "END:VALARM", "END:VEVENT", "END:VCALENDAR",
  ].map((line) => `${folded(line)}\r\n`).join("");
}

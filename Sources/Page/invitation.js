// What a host gives to those who are invited: a link, or the id of the room and its invite code.

/** The link to a room; for a private one with the invite code, in the fragment, which never reaches the server. */
export const linkTo = ({ id, visibility, inviteCode }) =>
  `${location.origin}/#/rooms/${id}${visibility === "private" && inviteCode ? `?invite=${inviteCode}` : ""}`;

const alphabet = "0-9a-hjkmnp-tv-z";
/** Not beyond its length: a field of one line puts what stood in the next line right behind it. */
const roomID = new RegExp(`room_[${alphabet}]{10,26}`);
const inLink = /[?&]invite=([0-9a-z]{1,12})/i;
/** A link up to the room; what stands behind that, glued to it perhaps, may be a code. */
const link = new RegExp(`https?:\\S*?(${roomID.source}|(?=\\s|$))`, "gi");
const aloneCode = new RegExp(`(?<![0-9a-z])[${alphabet}]{12}(?![0-9a-z])`, "gi");

/** What a text says of an invitation, however it was copied. @returns `room` (its id) and `code`, each null where the text has none */
export function readInvitation(text) {
  const room = roomID.exec(text)?.[0] ?? null;
  // A code has digits in all likelihood, and a word of that length none; a number of that length is one of a telephone.
  const alone = [...text.replace(link, " ").replace(room ?? "", " ").matchAll(aloneCode)].map(([code]) => code).filter((each) => /[a-z]/i.test(each));
  const code = inLink.exec(text)?.[1] ?? alone.find((each) => /\d/.test(each)) ?? alone[0] ?? null;
  return { room, code: code?.toLowerCase() ?? null };
}

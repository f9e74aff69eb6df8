// What users are called where the page names them otherwise than the server: those whom the reader blocks, and the floor, which is no user.
import { t } from "./strings.js";

/** The bidder of floor bids. */
export const floorID = "user_floor";

/** A person in a sentence: `name` within it, and `Name` where it begins with them. */
export function named(person) {
  const isFloor = person?.id === floorID;
  return { name: isFloor ? t("floor.within") : person?.nickname, Name: isFloor ? t("floor.first") : person?.nickname };
}

/**
 * A copy of values of JSON, maps among them, in which persons have other nicknames; a part without such a person is the same as before.
 * @param nameOf what the user with an id is called; undefined: as the server says
 * @param copies those that were made before with the same names, by their originals: an unchanged part is copied once
 */
export function renamed(value, nameOf, copies) {
  if (value === null || typeof value !== "object") return value;
  if (copies.has(value)) return copies.get(value);
  const copy = copied(value, (part) => renamed(part, nameOf, copies), nameOf);
  copies.set(value, copy);
  return copy;
}

function copied(value, of, nameOf) {
  if (Array.isArray(value)) {
    const parts = value.map(of);
    return parts.some((part, index) => part !== value[index]) ? parts : value;
  }
  if (value instanceof Map) {
    const parts = [...value].map(([key, part]) => [key, of(part)]);
    return parts.some(([key, part]) => part !== value.get(key)) ? new Map(parts) : value;
  }
  const changes = Object.entries(value).map(([key, part]) => [key, of(part)]).filter(([key, part]) => part !== value[key]);
  const nickname = typeof value.nickname === "string" ? nameOf(value.id) ?? value.nickname : value.nickname;
  return changes.length > 0 || nickname !== value.nickname ? { ...value, ...Object.fromEntries(changes), ...("nickname" in value && { nickname }) } : value;
}

// Types of the contract, as tables of their members.
import { h } from "../dom.js";
import { t } from "../strings.js";
import { boundWords, exampleOf, typeWords } from "./contract.js";
import { code, line, markdown, scrolling } from "./elements.js";

export const typeAddress = (name) => `/docs#type-${name}`;

export const words = (schema) => typeWords(schema).map((part) => (typeof part === "string" ? part : h("a", { href: typeAddress(part.type) }, part.type)));

const withBounds = (schema) => [words(schema), boundWords(schema).map((each) => h("span.bound", each))];

/** The rows of a table: name, whether it is needed, type, meaning. */
export function table(label, rows, linkOf) {
  return scrolling(label, h("table",
    h("thead", h("tr", [t("docs.name"), t("docs.type"), t("docs.meaning")].map((each) => h("th", { scope: "col" }, each)))),
    h("tbody", rows.map(({ name, place, isRequired, schema, description }) => h("tr",
      h("th", { scope: "row" }, h("code", name), place && h("span.bound", place), isRequired && h("span.bound.needed", t("docs.required"))),
      h("td", withBounds(schema)),
      h("td", line(description ?? "", linkOf)))))));
}

/** What a type is: its members where it has some. */
export function schemaView(contract, schema, linkOf) {
  const whole = contract.resolve(schema);
  const parts = [whole, ...(whole.allOf ?? []).map((each) => contract.resolve(each))];
  const members = parts.flatMap((part) => Object.entries(part.properties ?? {}).map(([name, member]) => ({
    name, schema: member, isRequired: parts.some((each) => each.required?.includes(name)),
    description: member.description ?? (member.$ref || member.items?.$ref ? "" : contract.resolve(member).description),
  })));
  return [
    h("p.type-words", schema.$ref ? words(schema) : withBounds(whole)),
    members.length > 0 && table(t("docs.members"), members, linkOf),
  ];
}

/** A named type, which is rendered when it is opened. */
export function typeView(contract, { name, schema }, linkOf) {
  const box = h("details.entry", { id: `type-${name}` }, h("summary", h("code", name)));
  box.addEventListener("toggle", () => {
    if (!box.open || box.children.length > 1) return;
    const example = exampleOf(schema);
    box.append(h("div.entry-body", markdown(schema.description ?? "", { linkOf, shift: 3 }), schemaView(contract, schema, linkOf),
      example !== undefined && code(typeof example === "string" ? example : JSON.stringify(example, null, 2))));
  });
  return box;
}

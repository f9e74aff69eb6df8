// The contract as values that the views show: its calls and types, and what a search finds in them.

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

export class Contract {
  #document;
  #searched;

  /** @param document what `parseYAML` makes of an OpenAPI document */
  constructor(document) {
    this.#document = document;
    this.info = document.info;
    this.tags = document.tags ?? [];
    /** In the order of the contract. */
    this.calls = Object.entries(document.paths).flatMap(([path, item]) => methods.filter((method) => item[method])
      .map((method) => this.#call(path, method, item)));
    this.types = Object.entries(document.components.schemas).map(([name, schema]) => ({ name, schema }));
  }

  /** What a reference points at, or else the node itself. */
  resolve(node) {
    let at = node;
    for (let hops = 0; at?.$ref && hops < 8; hops += 1) {
      at = at.$ref.replace(/^#\//, "").split("/").reduce((value, name) => value?.[name.replaceAll("~1", "/").replaceAll("~0", "~")], this.#document);
    }
    return at ?? {};
  }

  call(id) { return this.calls.find((each) => each.id === id); }
  type(name) { return this.types.find((each) => each.name === name); }

  #call(path, method, item) {
    const operation = item[method];
    const security = operation.security ?? this.#document.security ?? [];
    const answers = Object.entries(operation.responses).map(([status, response]) => ({ status, ...this.resolve(response) }));
    return {
      id: operation.operationId, method: method.toUpperCase(), path, tag: operation.tags?.[0],
      summary: operation.summary, description: operation.description ?? "",
      actions: operation["x-permission-actions"] ?? [],
      parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) => this.resolve(each)),
      body: operation.requestBody ? this.resolve(operation.requestBody) : null, answers,
      token: security.length === 0 ? "none" : security.some((each) => Object.keys(each).length === 0) ? "optional" : "required",
      isForGuests: isForGuests(security, answers),
    };
  }

  /** @returns the calls and types that have all words of the text, those first that have them in their names and paths */
  search(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return { calls: [], types: [] };
    this.#searched ??= {
      calls: this.calls.map((call) => [call, `${call.id} ${call.method} ${call.path}`, wordsOfCall(call)]),
      types: this.types.map((type) => [type, type.name, JSON.stringify(type.schema)]),
    };
    return { calls: ranked(this.#searched.calls, words), types: ranked(this.#searched.types, words) };
  }
}

/** Operators and users of an identity provider alone have other tokens; a refusal that ends with `by_guest` is of every guest. */
function isForGuests(security, answers) {
  const isOpen = security.length === 0 || security.some((each) => each.bearer);
  return isOpen && !answers.some((answer) => (answer["x-problem-codes"] ?? []).some((code) => code.endsWith(".by_guest")));
}

const wordsOfCall = (call) => JSON.stringify([
  call.summary, call.tag, call.description, call.actions, call.parameters.map(({ name, description }) => [name, description]), call.body,
  call.answers.map((answer) => [answer.description, answer["x-problem-codes"]]),
]);

/** @param entries `[value, name, text]`; @returns the values that have all words: by how many are in the name, then as they were */
export function ranked(entries, words) {
  // Within a text words are found where they begin: "bid" does not find what is forbidden.
  const begins = words.map((word) => new RegExp(`(?<!\\p{L})${word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}`, "iu"));
  const found = entries.flatMap(([value, name, text], index) => {
    const missing = words.filter((word) => !name.toLowerCase().includes(word)).length;
    const isFound = words.every((word, at) => name.toLowerCase().includes(word) || begins[at].test(text));
    return isFound ? [{ value, index, missing }] : [];
  });
  return found.sort((a, b) => a.missing - b.missing || a.index - b.index).map(({ value }) => value);
}

/** @returns a type in words, as strings and `{type}` with the name of another one */
export function typeWords(schema) {
  if (schema === undefined || schema === true) return ["any value"];
  if (schema.$ref) return [{ type: schema.$ref.split("/").at(-1) }];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return [schema.enum.map((each) => JSON.stringify(each)).join(" or ")];
  const some = schema.oneOf ?? schema.anyOf;
  if (some) return some.flatMap((each, index) => [...(index > 0 ? [" or "] : []), ...typeWords(each)]);
  const types = [schema.type ?? (schema.properties ? "object" : "any value")].flat();
  return types.flatMap((type, index) => [
    ...(index > 0 ? [" or "] : []),
    ...(type === "array" && schema.items ? ["array of ", ...typeWords(schema.items)] : [type]),
  ]);
}

const bounds = {
  format: "format", minimum: "at least", maximum: "at most", minLength: "characters at least", maxLength: "characters at most",
  minItems: "elements at least", maxItems: "elements at most", minProperties: "members at least", maxProperties: "members at most",
  pattern: "pattern", default: "default",
};

/** @returns what values of a type must be like, in words */
export function boundWords(schema) {
  const words = Object.entries(bounds).filter(([name]) => schema[name] !== undefined)
    .map(([name, said]) => `${said} ${typeof schema[name] === "string" ? schema[name] : JSON.stringify(schema[name])}`);
  const known = schema["x-extensible-enum"];
  return known ? [...words, `so far: ${known.join(", ")}`] : words;
}

/** An example of a media type, a parameter or a schema; undefined if there is none. */
export const exampleOf = (node) => node?.example ?? Object.values(node?.examples ?? {})[0]?.value ?? node?.schema?.examples?.[0] ?? node?.schema?.default;

/**
 * Moves headers, errors and parameters that occur in several operations into the description's components. Each
 * component is named after its content. If several would get the same name, they are also named after the operations
 * that use them.
 */

import { asList, asObject, type Json, type JsonObject } from "../platform/json/index.ts";
import { type Document, failureName } from "./examples/index.ts";

/** The operation that a part was found in. */
interface User {
  readonly id: string;
  readonly tag: string;
}

interface Part {
  readonly value: JsonObject;
  readonly base: string;
  readonly users: User[];
}

/** Returns the replacement for a part of a description. `base` is the part's base name. */
type Visit = (part: JsonObject, base: string, user: User) => JsonObject;

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Moves the repeated parts that `walk` visits into the components of the given kind. */
function share(
  document: JsonObject,
  kind: string,
  walk: (operation: JsonObject, user: User, visit: Visit) => JsonObject,
): JsonObject {
  const parts = new Map<string, Part>();
  eachOperation(document, (operation, user) =>
    walk(operation, user, (value, base, by) => {
      const key = JSON.stringify(value);
      const part = parts.get(key) ?? { value, base, users: [] };
      parts.set(key, part);
      part.users.push(by);
      return value;
    }),
  );
  const shared = [...parts].filter(([, { users }]) => users.length > 1);
  const names = namesOf(new Map(shared));
  const replaced = eachOperation(document, (operation, user) =>
    walk(operation, user, (value) => {
      const name = names.get(JSON.stringify(value));
      return name === undefined ? value : { $ref: `#/components/${kind}/${name}` };
    }),
  );
  const components = asObject(document["components"]);
  const known = Object.entries(asObject(components[kind]));
  const all = [
    ...known,
    ...shared.map(([key, { value }]) => [names.get(key) ?? "", value] as const),
  ].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...replaced, components: { ...components, [kind]: Object.fromEntries(all) } };
}

/** Chooses a name for each part. Returns a map from each part's key to its name. */
function namesOf(parts: ReadonlyMap<string, Part>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const give = (key: string, wanted: string): void => {
    let name = wanted;
    for (let count = 2; taken.has(name); count += 1) name = `${wanted}${count}`;
    taken.add(name);
    names.set(key, name);
  };
  for (const [base, alike] of Map.groupBy(parts, ([, part]) => part.base)) {
    for (const [key, { users }] of alike) {
      const prefix = alike.length === 1 ? "" : commonName(users, base);
      give(key, prefix + base);
    }
  }
  return names;
}

/**
 * Returns the words that these operations' ids have in common. If there are none, returns their common tag, or an empty
 * string.
 */
function commonName(users: readonly User[], base: string): string {
  const [first, ...others] = users.map(({ id }) => id.split("_"));
  const words = (first ?? []).filter((word) => others.every((other) => other.includes(word)));
  const tags = new Set(users.map(({ tag }) => tag));
  const own = words.map(pascal).filter((word) => !base.includes(word));
  if (own.length > 0 || words.length > 0) return own.join("");
  return tags.size === 1 ? pascal([...tags].join("")) : "";
}

/** Converts `X-Request-Id` to `RequestId`, and `page_size` to `PageSize`. */
const pascal = (name: string): string =>
  name
    .replace(/^X-/, "")
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

function eachOperation(
  document: JsonObject,
  change: (operation: JsonObject, user: User) => JsonObject,
): JsonObject {
  const changePaths = (paths: Json | undefined): JsonObject =>
    mapped(paths, (methods) =>
      mapped(methods, (operation, method) => {
        if (!METHODS.includes(method)) return operation;
        const { operationId = "", tags } = asObject(operation);
        const [tag = ""] = asList(tags);
        return change(asObject(operation), { id: String(operationId), tag: String(tag) });
      }),
    );
  return { ...document, paths: changePaths(document["paths"]) };
}

const mapped = (given: Json | undefined, change: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(
    Object.entries(asObject(given)).map(([name, value]) => [name, change(value, name)]),
  );

/** Visits the headers of all responses of an operation. */
const headersOf = (operation: JsonObject, user: User, visit: Visit): JsonObject => ({
  ...operation,
  responses: mapped(operation["responses"], (response) => {
    const { headers, ...rest } = asObject(response);
    if (headers === undefined) return response;
    const changed = mapped(headers, (header, name) => visit(asObject(header), pascal(name), user));
    return { ...rest, headers: changed };
  }),
});

/**
 * Visits error responses. Success responses are not moved, because some code generators ignore the media type of a
 * success response if the response is a reference.
 */
const failuresOf = (operation: JsonObject, user: User, visit: Visit): JsonObject => ({
  ...operation,
  responses: mapped(operation["responses"], (response, status) => {
    const name = failureName(status);
    return name === undefined ? response : visit(asObject(response), name, user);
  }),
});

const parametersOf = (operation: JsonObject, user: User, visit: Visit): JsonObject => {
  const { parameters } = operation;
  if (!Array.isArray(parameters)) return operation;
  const changed = parameters.map((parameter: Json) => {
    const described = asObject(parameter);
    const suffix = described["in"] === "header" ? "Header" : "";
    return visit(described, pascal(String(described["name"])) + suffix, user);
  });
  return { ...operation, parameters: changed };
};

/** Returns the description with all repeated parts moved into the components. */
export function withSharedComponents(document: Document): Document {
  const given = document as unknown as JsonObject;
  const headers = share(given, "headers", headersOf);
  const responses = share(headers, "responses", failuresOf);
  return share(responses, "parameters", parametersOf) as unknown as Document;
}

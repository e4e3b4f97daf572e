/**
 * Sends a value of every JSON type in place of every member that openapi.json describes, and in place of the whole
 * body.
 */

import type { Answer, Api, Client, RawRequest } from "../../kit/api.ts";
import { ownerOf, SAME_ORIGIN } from "../../people/people-kit.ts";
import { oneOfEach } from "../one-of-each.ts";
import { filled, leastOf, readDocument, resolved, type Document } from "../operations.ts";

/** A value of each JSON type, including nonempty lists and objects. */
export const VALUES = [null, true, 0.5, -7, "x", "", [], [5], {}, { x: null }] as const;

type Way = readonly (string | number)[];

/** Returns the paths to the members that a schema describes, down to a given depth. */
function membersOf(
  document: Document,
  given: Document,
  depth: number,
  way: Way = [],
): readonly Way[] {
  if (way.length === depth) return [];
  const schema = resolved(document, given);
  const branches: readonly Document[] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const inner = Object.entries<Document>(schema.properties ?? {}).flatMap(([name, member]) => [
    [...way, name],
    ...membersOf(document, member, depth, [...way, name]),
  ]);
  const items: readonly Way[] = schema.items === undefined ? [] : [[...way, 0]];
  return [
    ...inner,
    ...items,
    ...items.flatMap((item) => membersOf(document, schema.items, depth, item)),
    ...branches.flatMap((branch) => membersOf(document, branch, depth, way)),
  ];
}

/** Returns a body with a value at the end of a path, creating lists and objects along the way. */
function withValue(body: unknown, [part, ...rest]: Way, value: unknown): unknown {
  if (part === undefined) return value;
  if (typeof part === "number") return [withValue(undefined, rest, value)];
  const members = typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
  const inner = (members as Record<string, unknown>)[part];
  return { ...members, [part]: withValue(inner, rest, value) };
}

export interface Attempt extends RawRequest {
  readonly id: string;
  readonly body: string;
  readonly send: () => Promise<Answer>;
}

export interface Effort {
  /** The depth down to which members are replaced. 1 means only the body's own members. */
  readonly depth: number;
  /** The values to try in each member. */
  readonly values: readonly unknown[];
}

/**
 * Builds the requests for every operation that accepts JSON. The requests have the required credential and refer to
 * objects of a new tenant.
 */
export async function everyAttempt(
  api: Api,
  acme: Client,
  { depth, values }: Effort,
): Promise<Attempt[]> {
  const document = await readDocument(acme);
  const { owned, keys, partner } = await oneOfEach(acme, document);
  const page = await ownerOf(api, acme, "ada@example.com");
  const session = { authorization: null, ...SAME_ORIGIN, cookie: page.cookie ?? null };
  const credentials: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
    APIKeyHeader: {},
    PartnerToken: { authorization: `Partner ${partner.token}` },
    SessionCookie: session,
    none: { authorization: null },
  };
  const idOf = (name: string) => owned[name] ?? encodeURIComponent(keys[name] ?? "x");
  return Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods).flatMap(([method, operation]): Attempt[] => {
      const schema = operation.requestBody?.content?.["application/json"]?.schema;
      if (schema === undefined) return [];
      const [scheme = "none"] = Object.keys(operation.security[0] ?? {});
      const headers = { "content-type": "application/json", ...credentials[scheme] };
      const request = { method: method.toUpperCase(), path: filled(path, idOf), headers };
      const least = leastOf(document, schema);
      const bodies = [
        ...VALUES,
        ...membersOf(document, schema, depth).flatMap((way) =>
          values.map((value) => withValue(least, way, value)),
        ),
      ];
      return bodies.map((value) => {
        const sent = { ...request, body: JSON.stringify(value) };
        return { ...sent, id: operation.operationId, send: () => acme.request(sent) };
      });
    }),
  );
}

/** Sends the requests, up to `at_once` at a time, and returns a description of each that failed with a 5xx. */
export async function failuresOf(attempts: readonly Attempt[], at_once = 8): Promise<string[]> {
  const left = [...attempts];
  const failures: string[] = [];
  const work = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { status, text } = await next.send();
      if (status >= 500) failures.push(`${next.id} ${next.body}: ${status} ${text.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: at_once }, work));
  return failures;
}

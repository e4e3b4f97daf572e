/**
 * The curl command that the reference should show for each operation. test/pages/shell/docs.more.ts compares it with the
 * command on the page.
 */

import type { Document } from "../api/operations.ts";

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Placeholders for credentials in samples, by security scheme. */
export const PLACEHOLDERS = {
  APIKeyHeader: "Bearer <token>",
  PartnerToken: "Partner <token>",
  SessionCookie: "YOUR_SECRET_TOKEN",
  PartnerCookie: "YOUR_SECRET_TOKEN",
} as const;

export type Scheme = keyof typeof PLACEHOLDERS;

export interface Sample {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The operation's credential; undefined if it needs none. */
  readonly scheme: Scheme | undefined;
  readonly tag: string;
  readonly curl: string;
  readonly operation: Document;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns a parameter's value in the sample, or undefined if the sample omits the parameter. */
function sentValue({ example, examples }: Document): unknown {
  if (example !== undefined) return example;
  const [first] = Object.values<Document>(examples ?? {});
  return first === undefined || first["x-disabled"] === true ? undefined : first.value;
}

function urlOf(server: string, path: string, parameters: readonly Document[]): string {
  const given = parameters.map((one) => ({ ...one, value: sentValue(one) }));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { value } = given.find((one) => one.in === "path" && one.name === name);
    return String(value);
  });
  const query = given
    .filter(({ in: place, value }) => place === "query" && value !== undefined)
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  return `${server}${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

function bodyOf({
  requestBody,
}: Document): { readonly type: string; readonly text: string } | undefined {
  const [type, content] = Object.entries<Document>(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return undefined;
  const { value } = content.examples.example;
  return { type, text: typeof value === "string" ? value : JSON.stringify(value, undefined, 2) };
}

function credentials(document: Document, scheme: Scheme | undefined): readonly string[] {
  if (scheme === undefined) return [];
  const { in: place, name } = document.components.securitySchemes[scheme];
  const value = PLACEHOLDERS[scheme];
  return [place === "cookie" ? `--cookie '${name}=${value}'` : `--header '${name}: ${value}'`];
}

function curlOf(document: Document, method: string, path: string, operation: Document): string {
  const { parameters = [], security = [] } = operation;
  const [scheme] = Object.keys(security[0] ?? {}) as Scheme[];
  const url = urlOf(document.servers[0].url, path, parameters);
  const body = bodyOf(operation);
  const headers = parameters
    .filter((one: Document) => one.in === "header" && sentValue(one) !== undefined)
    .map((one: Document) => `--header '${one.name}: ${String(sentValue(one))}'`);
  return [
    `curl ${/^[A-Za-z0-9._~:/%@+,=-]*$/.test(url) ? url : quoted(url)}`,
    ...(method === "GET" ? [] : [`--request ${method}`]),
    ...headers,
    ...(body === undefined ? [] : [`--header 'Content-Type: ${body.type}'`]),
    ...credentials(document, scheme),
    ...(body === undefined ? [] : [`--data ${quoted(body.text)}`]),
  ].join(" \\\n  ");
}

/** Returns the samples of all operations in a document. */
export const samplesOf = (document: Document): readonly Sample[] =>
  Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    METHODS.filter((name) => name in methods).map((name) => {
      const operation = methods[name];
      const method = name.toUpperCase();
      const [scheme] = Object.keys(operation.security?.[0] ?? {}) as Scheme[];
      const curl = curlOf(document, method, path, operation);
      const { operationId: id, tags } = operation;
      return { id, method, path, scheme, tag: String(tags[0]), curl, operation };
    }),
  );

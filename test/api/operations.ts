/** The operations listed in GET /openapi.json, so that new operations are tested automatically. */

import type { Client } from "../kit/api.ts";
import { type Document, expanded } from "../kit/openapi.ts";
import { ok } from "./samples.ts";

export type { Document } from "../kit/openapi.ts";

export interface ListedOperation {
  readonly method: string;
  /** The path, with `{name}` in place of each parameter. */
  readonly path: string;
  readonly permission: string;
  /** The names of the path parameters. */
  readonly names: readonly string[];
  /** The media type and schema of the body. */
  readonly body?: { readonly type: string; readonly schema: Document };
  readonly id: string;
}

/** The upgrade tests also read the documents of earlier versions, which contain "Needs" instead of "Requires". */
const PERMISSION = /(?:Requires|Needs) the `([^`]+)` permission/;

export const readDocument = async (client: Client): Promise<Document> =>
  expanded(ok(await client.get("/openapi.json")).body);

/** Returns every operation that accepts an access token or a partner token. */
export function operationsOf(
  document: Document,
  scheme: "APIKeyHeader" | "PartnerToken" = "APIKeyHeader",
): readonly ListedOperation[] {
  return Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods).flatMap(([method, operation]) => {
      const opens = operation.security?.some((needed: object) => scheme in needed);
      if (!opens) return [];
      const named = PERMISSION.exec(operation.description)?.[1];
      // Operations without a permission are open to every credential that the scheme accepts.
      const permission = named ?? "own";
      const [type, content] =
        Object.entries<Document>(operation.requestBody?.content ?? {})[0] ?? [];
      return [
        {
          method: method.toUpperCase(),
          path,
          permission,
          id: String(operation.operationId),
          names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
          ...(type !== undefined && { body: { type, schema: resolved(document, content.schema) } }),
        },
      ];
    }),
  );
}

const WITHOUT_PERMISSION: Readonly<Record<string, string>> = {
  APIKeyHeader: "tenant own",
  PartnerToken: "partner own",
  SessionCookie: "session",
  PartnerCookie: "partner session",
};

/** Returns every operation with its requirement, named as in the permission table. */
export const everyOperation = (document: Document) =>
  Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods).map(([method, { security, description }]) => {
      const [scheme] = Object.keys(security?.[0] ?? {});
      const named = PERMISSION.exec(description)?.[1];
      const right = scheme === "PartnerToken" && named !== undefined ? `partner ${named}` : named;
      const opener = right ?? (scheme === undefined ? "anyone" : WITHOUT_PERMISSION[scheme]);
      return { method: method.toUpperCase(), path, opener: opener ?? `unknown ${scheme}` };
    }),
  );

/** Resolves the `$ref` of a schema. */
export function resolved(document: Document, schema: Document): Document {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(schema?.$ref ?? "")?.[1];
  return name === undefined ? schema : document.components.schemas[name];
}

/**
 * Returns the smallest value that a schema accepts. An object gets at least one member, so that a PATCH is not empty.
 */
export function leastOf(document: Document, given: Document): unknown {
  const schema = resolved(document, given);
  const [type] = [schema.type].flat();
  if (schema.enum !== undefined) return schema.enum[0];
  switch (type) {
    case "object": {
      const names: string[] = schema.required ?? Object.keys(schema.properties ?? {}).slice(0, 1);
      return Object.fromEntries(
        names.map((name) => [name, leastOf(document, schema.properties[name])]),
      );
    }
    case "array":
      return schema.minItems > 0 ? [leastOf(document, schema.items)] : [];
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    default:
      return "x".repeat(schema.minLength ?? 1);
  }
}

/** Returns the path with its parameters filled in. */
export const filled = (path: string, idOf: (name: string) => string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name));

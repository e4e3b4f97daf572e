/**
 * Prints the operations as methods of the client's resources (sdk/src/resources.ts), from openapi.json.
 *
 *     node tools/sdk-resources.ts > sdk/src/resources.ts
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expanded } from "../test/kit/openapi.ts";
import { ROOT } from "./sources.ts";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content?: object } | undefined>>;
}

/** One method of a resource. */
export interface ResourceMethod {
  /** The resource, or "" for a method of the client itself. */
  readonly resource: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly input: string;
  readonly summary: string;
}

/**
 * Operations that have no method on a resource. The client itself covers the change feed (`changes`, `changeStream`)
 * and the partner token. The stream of pushed leads is read without the client.
 */
const WITHOUT_METHOD = [
  "list_changes",
  "stream_changes",
  "stream_pushed_leads",
  "create_partner_token",
];

/** Resources whose name in operation ids differs from their path. */
const NOUNS: Readonly<Record<string, readonly string[]>> = {
  webhooks: ["event_webhooks", "event_webhook", "partner_webhooks", "partner_webhook"],
  import_webhook: ["import_webhook", "webhook"],
  opportunities: ["opportunities", "opportunity"],
  people: ["people", "person"],
};

/** Methods of the partner's client itself. */
const ALONE: Readonly<Record<string, string>> = {
  get_partner_self: "me",
  partner_lookup: "lookup",
  partner_push: "push",
  partner_analytics: "analytics",
};

/** Methods whose names would otherwise be the same as those of other methods. */
const NAMES: Readonly<Record<string, string>> = { resend_deliveries: "resendMany" };

const camelCase = (text: string): string =>
  text.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const singular = (plural: string): string => plural.replace(/ies$/, "y").replace(/s$/, "");

/**
 * Derives a method's name by removing the resource's name from the operation id. For example,
 * `undo_lead_merge` in `leads` becomes `undoMerge`.
 */
function nameOf(operation: Operation, segment: string, path: string): string {
  if (path.endsWith("/batch")) return "batch";
  const { operationId } = operation;
  const given = NAMES[operationId];
  if (given !== undefined) return given;
  const nouns = NOUNS[segment] ?? [segment, singular(segment)];
  const known = nouns.flatMap((noun) => [`partner_${noun}`, noun]);
  const verb = operationId.replace(new RegExp(`_(?:${known.join("|")})(?=_|$)`), "");
  const listed = inputOf(operation, path) === "list" ? verb.replace(/^get_/, "list_") : verb;
  return camelCase(listed.replace(/^put_by/, "upsert_by").replace(/^put$/, "set"));
}

/** Returns the kind of input that a method takes after the ids: see sdk/src/resource-methods.ts. */
function inputOf({ parameters = [], requestBody, responses }: Operation, path: string): string {
  const query = parameters.filter(({ in: place }) => place === "query").map(({ name }) => name);
  const isJson = Object.values(responses).some(
    (response) => "application/json" in (response?.content ?? {}),
  );
  const success = responses["200"]?.content ?? responses["207"]?.content ?? {};
  if (requestBody !== undefined) return "body";
  if (isJson && !("application/json" in success)) return "stream";
  if (query.includes("cursor")) return "list";
  // For a single record, the query parameters are part of the options.
  return query.length > 0 && !path.endsWith("}") ? "query" : "none";
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const described = (): Paths =>
  expanded(JSON.parse(readFileSync(join(ROOT, "openapi.json"), "utf8"))).paths as Paths;

/** Returns the writes that ignore the header Idempotency-Key, such as `post /auth/sign_in`. */
export const keylessWrites = (): readonly string[] =>
  Object.entries(described()).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => ["post", "put", "patch"].includes(method))
      .filter(
        ([, { parameters = [] }]) => !parameters.some(({ name }) => name === "Idempotency-Key"),
      )
      .map(([method]) => `${method} ${path}`),
  );

/** Returns the methods of the operations below `/crm`: either the partner operations or all other operations. */
export function resourceMethods(isPartners: boolean): readonly ResourceMethod[] {
  const found = new Map<string, ResourceMethod>();
  for (const [path, operations] of Object.entries(described())) {
    const [, rest = ""] = /^\/crm\/(?:admin\/)?(.*)$/.exec(path) ?? [];
    if (rest === "" || path.startsWith("/crm/partner/") !== isPartners) continue;
    const [segment = ""] = rest.replace(/^partner\//, "").split("/");
    for (const [method, operation] of Object.entries(operations)) {
      const { operationId, summary } = operation;
      if (WITHOUT_METHOD.includes(operationId)) continue;
      const alone = ALONE[operationId];
      // Deals are written as opportunities, and read under both names.
      const resource =
        alone === undefined ? camelCase(segment === "opportunities" ? "deals" : segment) : "";
      const name = alone ?? nameOf(operation, segment, path);
      const key = `${resource}.${name}`;
      if (found.has(key) && segment === "opportunities") continue;
      const input = inputOf(operation, path);
      found.set(key, { resource, name, method, path, input, summary });
    }
  }
  return [...found.values()];
}

function table(name: string, methods: readonly ResourceMethod[]): readonly string[] {
  const byResource = [...Map.groupBy(methods, ({ resource }) => resource)];
  const rows = (of: readonly ResourceMethod[], indent: string) =>
    of.flatMap(({ name: method, method: verb, path, input, summary }) => [
      `${indent}/** ${summary} */`,
      `${indent}${method}: ["${verb}", "${path}", "${input}"],`,
    ]);
  return [
    `export const ${name} = {`,
    ...byResource.flatMap(([resource, of]) =>
      resource === "" ? rows(of, "  ") : [`  ${resource}: {`, ...rows(of, "    "), "  },"],
    ),
    "} as const;",
    "",
  ];
}

export const sdkResources = (): string =>
  [
    "/** The operations as methods of resources. Printed by `npm run print`. */",
    "",
    ...table("CRM_RESOURCES", resourceMethods(false)),
    ...table("PARTNER_RESOURCES", resourceMethods(true)),
    "/**",
    " * The writes that ignore an Idempotency-Key, except those below `/auth/`, which all ignore it: a second request would",
    " * run a second time.",
    " */",
    "export const KEYLESS: ReadonlySet<string> = new Set([",
    ...keylessWrites()
      .filter((write) => !write.includes(" /auth/"))
      .map((write) => `  "${write}",`),
    "]);",
    "",
  ].join("\n");

if (import.meta.main) process.stdout.write(sdkResources());

/** Reads everything that a tenant and its partner can read, and compares two such snapshots. */

import assert from "node:assert/strict";
import { operationsOf } from "../../test/api/operations.ts";
import { ok } from "../../test/api/samples.ts";
import type { Client } from "../../test/kit/api.ts";
import { parseRfc4180 } from "../../test/kit/rfc4180.ts";
import type { PartnerClient } from "../../test/exchange/partner-kit.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- documents and responses of any shape
type Any = any;

/** A reader for each kind of credential. */
export interface Readers {
  readonly APIKeyHeader: Pick<Client, "get">;
  readonly PartnerToken: Pick<PartnerClient, "get">;
}

/** The list that contains the ids for a path parameter. Null if there is no such list, so nothing is read. */
const IDS: Readonly<Record<string, string | null>> = {
  lead_id: "/crm/leads",
  contact_id: "/crm/contacts",
  account_id: "/crm/accounts",
  opportunity_id: "/crm/deals",
  invoice_id: "/crm/invoices",
  order_id: "/crm/orders",
  task_id: "/crm/tasks",
  import_id: "/crm/imports",
  partner_id: "/crm/admin/partners",
  pushed_lead_id: "/crm/admin/pushed_leads",
  delivery_id: "/crm/admin/deliveries",
  erasure_id: "/crm/admin/persons/erasures",
  webhook_id: "/crm/webhooks",
  partner_webhook_id: "/crm/partner/webhooks",
  export_id: null,
};

/** Whether a path is a stream. Streams never end, so they cannot be read completely. */
const isStream = (path: string): boolean => path.endsWith("/stream");

/**
 * Returns the responses of every GET operation in the document, by path. Lists contain up to 500
 * entries. Operations with an id are called once for each id that their reader can see.
 */
export async function readAll(document: Any, readers: Readers): Promise<ReadonlyMap<string, Any>> {
  const responses = new Map<string, Any>();
  for (const scheme of ["APIKeyHeader", "PartnerToken"] as const) {
    const reader = readers[scheme];
    const read = async (path: string): Promise<Any> => {
      const { body, text } = ok(await reader.get(path));
      responses.set(`${scheme} ${path}`, body ?? text);
      return body;
    };
    for (const { method, path, names } of operationsOf(document, scheme)) {
      if (method !== "GET" || isStream(path)) continue;
      const [name] = names;
      if (name === undefined) await read(path + pageOf(document.paths[path].get));
      else {
        for (const id of await idsOf(reader, scheme, name)) {
          await read(path.replace(`{${name}}`, id));
        }
      }
    }
  }
  return responses;
}

/** Returns the query string for the largest page of a list. */
function pageOf(operation: Any): string {
  const names = operation.parameters?.map(({ name }: Any) => name) ?? [];
  if (names.includes("page_size")) return "?page_size=500";
  return names.includes("limit") ? "?limit=1000" : "";
}

async function idsOf(
  reader: Pick<Client, "get">,
  scheme: keyof Readers,
  name: string,
): Promise<readonly string[]> {
  const isOwnPush = scheme === "PartnerToken" && name === "pushed_lead_id";
  const path = isOwnPush ? "/crm/partner/pushed" : IDS[name];
  if (path === undefined) throw new Error(`No list is known for the path parameter ${name}`);
  if (path === null) return [];
  const { body } = ok(await reader.get(path));
  const entries = (Array.isArray(body) ? body : Object.values(body).find(Array.isArray)) as Any[];
  return entries.map((entry) => String(entry._id ?? entry.id ?? entry[name]));
}

/**
 * Members that change without a write, such as the time when a token was last used. `installation` describes the running
 * processes and the database server.
 */
const MOVES =
  /^(?:last_used|next_attempt|next$|cursor$|size_bytes$|change_feed_lag_s$|installation$)/;

/**
 * Returns the first difference between an earlier and a later response, or undefined if there is
 * none. A later release may add members to objects, but it may neither add list entries nor change
 * values.
 */
function lackOf(earlier: Any, later: Any, place = ""): string | undefined {
  if (typeof earlier === "string" || typeof earlier !== "object" || earlier === null) {
    return Object.is(earlier, later)
      ? undefined
      : `${place || "the response"} was ${shown(earlier)} and is ${shown(later)}`;
  }
  if (typeof later !== "object" || later === null) return `${place} is ${shown(later)}`;
  if (Array.isArray(earlier) && earlier.length !== later.length) {
    return `${place || "the list"} had ${earlier.length} entries and has ${later.length}`;
  }
  for (const [name, value] of Object.entries(earlier)) {
    if (MOVES.test(name)) continue;
    const lack = lackOf(value, later[name], `${place}/${name}`);
    if (lack !== undefined) return lack;
  }
  return undefined;
}

/** Asserts that later responses lack nothing of the earlier ones. */
export function mustLackNothing(
  earlier: ReadonlyMap<string, Any>,
  later: ReadonlyMap<string, Any>,
): void {
  const lacks = [...earlier].flatMap(([path, body]) => {
    const read = later.get(path);
    // The upgrade adds entries to the audit log. Entries are listed newest first, so the entries from before the
    // upgrade are at the end.
    const comparable = path.includes("/audit") ? read.slice(-body.length) : read;
    const lack = path.endsWith("/export")
      ? lackOf(tableOf(body), tableOf(comparable))
      : lackOf(body, comparable);
    return lack === undefined ? [] : [`${path}: ${lack}`];
  });
  assert.deepEqual(lacks, []);
}

/** Returns the rows of a CSV export by column, because a later release may add columns. */
function tableOf(text: string): Any {
  const [head = [], ...rows] = parseRfc4180(text.replace(/^\uFEFF/, ""));
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? "absent";

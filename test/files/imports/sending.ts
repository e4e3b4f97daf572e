/** Sends files to a running app: prepares an import, sends the file, and returns the result. */

import assert from "node:assert/strict";
import type { TenantId } from "../../../src/audit/index.ts";
import { planExport } from "../../../src/records/list/index.ts";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import type { Answer, Client } from "../../kit/api.ts";

export type Import = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly state: string;
  readonly rejects: readonly {
    readonly line: number;
    readonly reason: string;
    readonly raw: string;
  }[];
};

/** Prepares an import and returns its id. */
export async function prepare(client: Client, type: string, options: object = {}): Promise<string> {
  const answer = await client.post("/crm/imports", { type, ...options });
  assert.equal(answer.status, 200, answer.text);
  return (answer.body as Import).id;
}

export const send = (client: Client, id: string, content: string | Buffer): Promise<Answer> =>
  client.request({
    method: "PUT",
    path: `/crm/imports/${id}/data`,
    headers: { "content-type": "text/csv" },
    body: content,
  });

/** Imports a file and returns its result. */
export async function importFile(
  client: Client,
  type: string,
  content: string | Buffer,
  options: object = {},
): Promise<Import> {
  const answer = await send(client, await prepare(client, type, options), content);
  assert.equal(answer.status, 200, answer.text);
  return answer.body as Import;
}

export const countsOf = ({ rows, created, updated, unchanged, refused }: Import) => ({
  rows,
  created,
  updated,
  unchanged,
  refused,
});

/** Asserts the counts of an import. Counts that are not listed must be 0. */
export function assertCounts(done: Import, expected: Readonly<Record<string, number>>): void {
  const none = { rows: 0, created: 0, updated: 0, unchanged: 0, refused: 0 };
  assert.deepEqual(countsOf(done), { ...none, ...expected }, JSON.stringify(done.rejects));
}

/** Returns all records of a list, newest first. */
export async function recordsOf(client: Client, path: string) {
  const answer = await client.get(path, { page_size: 500 });
  assert.equal(answer.status, 200, answer.text);
  const body = answer.body as unknown;
  const list = Array.isArray(body) ? body : Object.values(body as object)[0];
  return list as readonly Readonly<Record<string, unknown>>[];
}

/** Returns the options to export all of a tenant's leads. */
export const exportOfLeads = ({ tenantId }: Client) => {
  const type = BUILT_IN_TYPES.lead;
  const given = { tenantId: tenantId as TenantId, country: "US", now_s: 2_000_000_000 } as const;
  return { type, format: "ndjson", plan: planExport({ ...given, type, query: {} }) } as const;
};

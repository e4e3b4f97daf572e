/** Long filters and long cursors: clients that accept only 16 KiB of headers, such as Node's fetch, can read all pages. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../../../sdk/src/index.ts";
import type { Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { ok } from "../samples.ts";
import { nextOf } from "./sorting.ts";

const api = await sharedApi();
const acme = await api.tenant();
const NAMES = ["Carol", "Bob", "Ann"];
const REST = { title: "t", profession: "p", employer_name: "e", tags: ["z"] };
for (const name of NAMES) {
  ok(await acme.post("/crm/leads", { ...REST, name, email: `${name}@x.example` }));
}

/** With these sort keys, the statement for a later page has nine parts, each of which contains the filter. */
const SORT = { title: -1, profession: -1, employer_name: -1, name: -1 } as const;

const repeated = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const addresses = [...NAMES.map((name) => `${name}@x.example`), ...repeated(450, "x")];

const LONG = {
  addresses: { $and: repeated(16, { email_list: { $in: addresses } }) },
  "lists of tags": { $and: repeated(16, { tags: { $in: [["z"], ...repeated(480, [])] } }) },
};

/** Reads the names of all leads, with one lead per page. */
async function namesOf({ bearer: token }: Client, query: object): Promise<unknown[]> {
  const leadport = createClient({ url: api.url, token });
  const names: unknown[] = [];
  for await (const { name } of leadport.leads.list({ ...query, page_size: 1 })) names.push(name);
  return names;
}

for (const [what, match_filter_dict] of Object.entries(LONG)) {
  test(`a list filtered by thousands of ${what} has all its pages`, async () => {
    const query = { match_filter_dict, sort_dict: SORT };
    assert.deepEqual(await namesOf(acme, query), NAMES);
    const { headers } = ok(await acme.get("/crm/leads", { ...query, page_size: 1 }));
    const link = nextOf(headers) ?? "";
    assert.match(link, /^\/crm\/leads\?cursor=[\w-]+$/);
    assert.equal((await acme.get(link)).status, 422);
  });
}

test("a cursor may contain the longest sort values", async () => {
  const client = await api.tenant();
  const name = `${"\u0001".repeat(499)}x`;
  const title = name.slice(-200);
  const body = { name, employer_name: name, title, profession: title };
  for (let n = 0; n < 2; n++) ok(await client.post("/crm/leads", body));
  assert.deepEqual(await namesOf(client, { sort_dict: SORT }), [name, name]);
});

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { SERVICE, type TenantId } from "../../src/audit/index.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { createSealer } from "../../src/platform/secrets/sealing.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { draftOf } from "../../src/records/body/present.ts";
import { createDrafts } from "../../src/records/write/write.ts";
import { startApi, type Client } from "../kit/api.ts";

const { lead } = BUILT_IN_TYPES;

/**
 * The number of records with the same address. This is too many records to read and sort when a list is filtered by the
 * address.
 */
const MANY = 1100;
const FEW = 60;

interface Listed {
  readonly _id: string;
  readonly name: string;
}

/** Returns the records on all pages of a query by following the links. */
async function walk(client: Client, query: Readonly<Record<string, unknown>>): Promise<Listed[]> {
  const found: Listed[] = [];
  let answer = await client.get("/crm/leads", { page_size: 47, ...query });
  for (;;) {
    assert.equal(answer.status, 200, answer.text);
    found.push(...(answer.body.leads as Listed[]));
    const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
    if (next === undefined) return found;
    answer = await client.get(next);
  }
}

test("leads of one address are listed alike, whether few or many have it", async (t) => {
  const api = await startApi(t);
  const client = await api.tenant();
  const clock = systemClock();
  const deps = {
    clock,
    makeId: idSource(clock),
    sealer: createSealer({ all: [randomBytes(32)] }),
    participants: [],
  };
  const scope = { db: api.sql, tenantId: client.tenantId as TenantId, actor: SERVICE };
  const author = { country: "US", person: { id: client.personId, name: "Owner" } } as const;
  const drafts = Array.from({ length: MANY }, (_, n) => {
    const email = n % 18 === 0 && n < FEW * 18 ? "Few@example.com" : "many@example.com";
    return {
      draft: draftOf(lead, { name: `Lead ${n % 7}`, email, status: "open" }, "US"),
      ssn: undefined,
    };
  });
  drafts.push(...drafts.filter(({ draft }) => draft.values["email"] === "Few@example.com"));
  drafts.push(...Array.from({ length: FEW * 2 }, () => drafts[1] as (typeof drafts)[number]));
  const made = await createDrafts({ scope, deps, author, type: lead }, drafts);
  const leads = drafts.map(({ draft: { values } }, at): Listed & { email: string } => ({
    _id: made[at] ?? "",
    name: String(values["name"]),
    email: String(values["email"]),
  }));
  const newestFirst = leads.toReversed();
  const byName = newestFirst.toSorted((a, b) => (a.name < b.name ? 1 : a.name > b.name ? -1 : 0));

  const addresses = { "few@example.com": FEW * 2, "MANY@example.com": MANY + FEW };
  for (const [address, count] of Object.entries(addresses)) {
    const has = ({ email }: { email: string }) => email.toLowerCase() === address.toLowerCase();
    const filters = [
      { email_list: address },
      { email_list: { $in: [address, "nobody@example.com"] } },
      { $and: [{ lead_status: "open" }, { email_list: { $eq: address } }] },
    ];
    for (const match_filter_dict of filters) {
      const ids = (listed: readonly Listed[]) => listed.map(({ _id }) => _id);
      const expected = newestFirst.filter(has);
      assert.equal(expected.length, count);
      assert.deepEqual(ids(await walk(client, { match_filter_dict })), ids(expected));
      const sorted = await walk(client, { match_filter_dict, sort_dict: { name: -1 } });
      assert.deepEqual(ids(sorted), ids(byName.filter(has)));
      const page = await client.get("/crm/leads", {
        match_filter_dict,
        page_size: 25,
        page_num: 3,
      });
      assert.deepEqual(ids(page.body.leads as Listed[]), ids(expected.slice(50, 75)));
    }
  }
});

test("the time limit for lists applies to a lookup with conditions that take long", async (t) => {
  const api = await startApi(t, { listTimeout_ms: 2000 });
  const client = await api.tenant();
  const email = "shared@example.com";
  const items = Array.from({ length: 500 }, () => ({ name: "a".repeat(200), email }));
  assert.equal((await client.post("/crm/leads/batch", { items })).status, 207);
  // More patterns than PostgreSQL caches, so that it compiles each pattern for each record. That takes a minute, and the
  // lookup alone a few milliseconds, so the limit lies between them on every machine.
  const costly = Array.from({ length: 95 }, (_, n) => ({
    name: { $not: { $regex: `(b?c?){20}${n}$` } },
  }));
  const match_filter_dict = { email_list: email };
  const answer = await client.get("/crm/leads", {
    match_filter_dict: { ...match_filter_dict, $and: costly },
  });
  assert.equal(answer.status, 422, answer.text);
  assert.match(answer.text, /takes too long/);
  assert.equal((await client.get("/crm/leads", { match_filter_dict })).status, 200);
});

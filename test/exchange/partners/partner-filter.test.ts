/** The `partner_id` filter for leads, contacts and deals, including the contacts of one account. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ok, recordsIn, type Body } from "../../api/samples.ts";
import type { Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { faultsOf, importPushed, NOBODY, partnerOf, type TestPartner } from "../exchange-kit.ts";

const api = await sharedApi();

/** Creates records attributed to a partner: a lead, the contact it is converted to, and that contact's deal. */
async function bring(client: Client, partner: TestPartner) {
  const lead = await importPushed(client, (await partner.push()).id);
  const path = `/crm/leads/${String(lead["_id"])}/convert`;
  const body = { account: { name: "Example Mills" }, deal: { name: "Forty looms" } };
  return ok(await client.post(path, body)).body;
}

const idsOf = (records: readonly Body[]): unknown[] => records.map(({ _id }) => _id);

test("leads, contacts and deals are filtered, sorted and counted by partner", async () => {
  const acme = await api.tenant();
  const one = await partnerOf(acme);
  const other = await partnerOf(acme);
  const brought = await bring(acme, one);
  await bring(acme, other);
  ok(await acme.post("/crm/leads", { name: "Ann Lee" }));
  ok(await acme.post("/crm/contacts", { name: "Ann Lee" }));
  const list = async (path: string, filter: unknown, sort_dict?: Body) =>
    recordsIn(ok(await acme.get(path, { match_filter_dict: filter, sort_dict })));
  const paths = ["leads", "contacts", "deals"].flatMap((table) =>
    (table === "deals" ? ["", "/created", "/updated"] : ["", "/created", "/status_updated"]).map(
      (window) => `/crm/${table}${window}`,
    ),
  );
  for (const path of paths) {
    const own = await list(path, { partner_id: one.partner_id });
    assert.deepEqual(
      own.map(({ partner_id }) => partner_id),
      [one.partner_id],
      path,
    );
    assert.deepEqual(await list(path, { partner_id: NOBODY }), []);
    const all = await list(path, { partner_id: { $ne: null } }, { partner_id: 1 });
    const sorted = [one.partner_id, other.partner_id].toSorted();
    assert.deepEqual(
      all.map(({ partner_id }) => partner_id),
      sorted,
      path,
    );
    const none = await list(path, { partner_id: null });
    assert.equal(none.length, path.startsWith("/crm/deals") ? 0 : 1, path);
  }
  const contacts = await list("/crm/contacts", { account_id: brought.account_id });
  assert.deepEqual(idsOf(contacts), [brought.contact_id]);
  const { groups } = ok(
    await acme.get("/crm/deals/summary", { group_by: "partner_id", sort_dict: undefined }),
  ).body;
  assert.deepEqual(
    groups.map(({ count }: { count: number }) => count),
    [1, 1],
  );
});

test("a partner cannot filter or sort its view by partner", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  for (const path of ["/crm/partner/leads", "/crm/partner/contacts"]) {
    const filter = { match_filter_dict: { partner_id: partner.partner_id } };
    assert.match(faultsOf(await partner.get(path, filter))[0] ?? "", /^query.match_filter_dict/);
    const sort = { sort_dict: { partner_id: 1 } };
    assert.match(faultsOf(await partner.get(path, sort))[0] ?? "", /^query.sort_dict/);
  }
});

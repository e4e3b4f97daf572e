/** Analytics: the counts add up after any decisions, and the amounts are exact. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { epochSeconds, isoSeconds } from "../../../src/platform/clock/clock.ts";
import { fileApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import type { Client } from "../../kit/api.ts";
import {
  decide,
  faultsOf,
  importPushed,
  NOBODY,
  partnerOf,
  refused,
  REVIEW,
  type DecisionWord,
  type PushedBody,
  type TestPartner,
} from "../exchange-kit.ts";
import { movableClock } from "../../kit/clock.ts";

const clock = movableClock();
const api = await fileApi({ clock });
const PARTNER = "/crm/partner/analytics";
const ADMIN = "/crm/admin/analytics";
const LIFE_s = 5;

const COUNTED: Readonly<Record<string, string>> = {
  pending_review: "pending",
  accepted: "accepted",
  imported: "imported",
  rejected: "rejected",
  expired: "expired",
};

/** Counts the pushed leads in a list by status. */
function countsIn(leads: readonly PushedBody[]): Body {
  const count = (state: string) => leads.filter(({ status }) => status === state).length;
  const counts = Object.entries(COUNTED).map(([name, state]) => [name, count(state)]);
  return { total_pushed: leads.length, ...(Object.fromEntries(counts) as Body) };
}

function countsOf({ body }: { readonly body: Body }): Body {
  const names = ["total_pushed", ...Object.keys(COUNTED)];
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}

type Act =
  | { readonly kind: "push"; readonly expires: boolean; readonly by: 0 | 1 }
  | { readonly kind: DecisionWord; readonly at: number }
  | { readonly kind: "wait" };

const acts = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("push" as const),
        expires: fc.boolean(),
        by: fc.constantFrom(0 as const, 1 as const),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom("accept" as const, "reject" as const, "import" as const),
        at: fc.nat(20),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const) }) },
  ),
  { minLength: 10, maxLength: 25 },
);

async function act(acme: Client, partners: readonly TestPartner[], ids: string[], step: Act) {
  if (step.kind === "wait") return clock.forward_s(LIFE_s);
  if (step.kind === "push") {
    const expiration_date = step.expires ? epochSeconds(clock) + LIFE_s : undefined;
    const lead = await partners[step.by]?.push({ expiration_date });
    if (lead !== undefined) ids.push(lead.id);
    return;
  }
  const id = ids[step.at % Math.max(ids.length, 1)];
  if (id !== undefined) await decide(acme, id, step.kind);
}

test("after any sequence of pushes and decisions the counts match the list, and add up", async () => {
  const seen = new Set<string>();
  const holds = fc.asyncProperty(acts, async (steps) => {
    const acme = await api.tenant();
    const partners = [await partnerOf(acme), await partnerOf(acme)] as const;
    const ids: string[] = [];
    for (const step of steps) await act(acme, partners, ids, step);
    const all = ok(await acme.get(REVIEW, { page_size: 500 })).body as PushedBody[];
    for (const { status } of all) seen.add(status);
    assert.equal(all.length, ids.length);
    const { total_pushed, ...each } = countsOf(ok(await acme.get(ADMIN)));
    assert.deepEqual({ total_pushed, ...each }, countsIn(all));
    assert.equal(
      Object.values(each).reduce((sum: number, one) => sum + Number(one), 0),
      total_pushed,
    );
    for (const partner of partners) {
      const { partner_id } = partner;
      const own = countsIn(all.filter((lead) => lead["partner_id"] === partner_id));
      assert.deepEqual(countsOf(ok(await partner.get(PARTNER))), own);
      assert.deepEqual(countsOf(ok(await acme.get(ADMIN, { partner_id }))), own);
    }
  });
  await fc.assert(holds, { numRuns: 25 });
  assert.deepEqual([...seen].toSorted(), Object.values(COUNTED).toSorted());
});

test("dates select counts by submission, both ends included", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const noon = Date.UTC(2026, 5, 1, 12) / 1000;
  for (const seconds of [0, 60, 120]) {
    const { id } = await partner.push();
    await api.sql`update pushed_leads set submitted_ts = ${noon + seconds} where id = ${id}`;
  }
  const cases = [
    [{ start_date: isoSeconds(noon) }, 3],
    [{ start_date: isoSeconds(noon + 1) }, 2],
    [{ end_date: isoSeconds(noon + 60) }, 2],
    [{ end_date: isoSeconds(noon + 59) }, 1],
    [{ start_date: isoSeconds(noon + 60), end_date: isoSeconds(noon + 60) }, 1],
    [{ start_date: "2026-06-02" }, 0],
    [{ start_date: "2026-06-01", end_date: "2026-06-02" }, 3],
  ] as const;
  for (const [query, total] of cases) {
    for (const answer of [await partner.get(PARTNER, query), await acme.get(ADMIN, query)]) {
      const { total_pushed, pending_review } = ok(answer).body;
      assert.deepEqual([total_pushed, pending_review], [total, total], JSON.stringify(query));
    }
  }
});

test("dates select earnings by close date, whenever the deal and its lead were created", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme, { commission_rate: 10 });
  const lead = await importPushed(acme, (await partner.push()).id);
  const { contact_id } = ok(await acme.post(`/crm/leads/${String(lead["_id"])}/convert`)).body;
  const closes = [
    ["2026-01-31", 100],
    ["2026-02-01", 200],
    ["2026-02-28", 400],
  ] as const;
  for (const [day, value_of_sale] of closes) {
    const body = { name: "Looms", contact_id, value_of_sale, stage: "closed_won" };
    const { _id } = ok(await acme.post("/crm/opportunities", body)).body;
    await closeOn(_id, Date.parse(day) / 1000);
  }
  const cases = [
    [{}, 70],
    [{ start_date: "2026-02-01" }, 60],
    [{ end_date: "2026-02-01" }, 30],
    [{ start_date: "2026-02-01", end_date: "2026-02-28" }, 60],
    [{ start_date: "2026-02-01T00:00:01Z" }, 40],
    [{ start_date: "2026-03-01" }, 0],
  ] as const;
  for (const [query, earned] of cases) {
    for (const answer of [await partner.get(PARTNER, query), await acme.get(ADMIN, query)]) {
      assert.equal(ok(answer).body.estimated_earnings, earned, JSON.stringify(query));
    }
  }
});

async function closeOn(id: string, close_date: number): Promise<void> {
  await api.sql`
    update deals set close_date = ${close_date},
           body = jsonb_set(body::jsonb, '{close_date}', to_jsonb(${close_date}::bigint))::json
     where id = ${id}`;
}

test("invalid dates are rejected, on both sides", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  for (const [query, fault] of [
    [{ start_date: "2026-02-02", end_date: "2026-02-01" }, "query.start_date value_error"],
    [{ end_date: "soon" }, "query.end_date datetime_parsing"],
    [{ colour: "red" }, "query.colour extra_forbidden"],
  ] as const) {
    assert.deepEqual(faultsOf(await partner.get(PARTNER, query)), [fault]);
    assert.deepEqual(faultsOf(await acme.get(ADMIN, query)), [fault]);
  }
});

test("a tenant that asks for another tenant's partner gets nothing", async () => {
  const acme = await api.tenant();
  const rival = await api.tenant();
  const { partner_id } = await partnerOf(rival);
  for (const unknown of [NOBODY, "nonsense", partner_id]) {
    refused(await acme.get(ADMIN, { partner_id: unknown }), 404);
  }
});

test("a partner cannot ask for another one, and nothing without the analytics permission", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const other = await partnerOf(acme, { permissions: [] });
  const asked = await partner.get(PARTNER, { partner_id: other.partner_id });
  assert.deepEqual(faultsOf(asked), ["query.partner_id extra_forbidden"]);
  assert.ok(String(refused(await other.get(PARTNER), 403)["detail"]).includes("analytics"));
});

test("the currency is the tenant's, as it is today", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme, { commission_rate: 12.5 });
  const look = async () => [
    ok(await partner.get(PARTNER)).body,
    ok(await acme.get(ADMIN)).body,
    ok(await acme.get(ADMIN, { partner_id: partner.partner_id })).body,
  ];
  assert.deepEqual(
    (await look()).map(({ currency }) => currency),
    ["USD", "USD", "USD"],
  );
  ok(await acme.patch("/crm/admin/tenant", { currency: "EUR" }));
  const told = await look();
  assert.deepEqual(
    told.map(({ currency }) => currency),
    ["EUR", "EUR", "EUR"],
  );
  assert.deepEqual(
    told.map(({ commission_rate }) => commission_rate),
    [12.5, null, 12.5],
  );
});

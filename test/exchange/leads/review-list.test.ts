/** The buffer as a list, for reviewers and partners: filters, pages and cursors. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isoSeconds } from "../../../src/platform/clock/clock.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import type { Answer } from "../../kit/api.ts";
import {
  decide,
  faultsOf,
  NOBODY,
  nextOf,
  partnerOf,
  refused,
  REVIEW,
  type PushedBody,
} from "../exchange-kit.ts";

const api = await sharedApi();
const acme = await api.tenant();
const OWN = "/crm/partner/pushed";
const google = await partnerOf(acme);
const referral = await partnerOf(acme);

/** The leads were pushed one day apart, starting on 2027-01-01, so that date filters can tell them apart. */
const DAY_s = 86_400;
const FIRST_s = Date.UTC(2027, 0, 1) / 1000;

await acme.post("/crm/leads", { name: "Known", email: "known@example.com" });
const pushed: PushedBody[] = [];
for (const [at, [partner, fields]] of [
  [google, { source: "Google" }],
  [google, { source: "Referral" }],
  [referral, { source: "Google", email: "known@example.com" }],
  [referral, { source: "Referral" }],
  [google, { source: "Google", email: "known@example.com" }],
  [referral, { source: "Referral" }],
].entries() as unknown as [number, [typeof google, Body]][]) {
  const lead = await partner.push(fields);
  const submitted_ts = FIRST_s + at * DAY_s;
  await api.sql`update pushed_leads set submitted_ts = ${submitted_ts} where id = ${lead.id}`;
  pushed.push(lead);
}
const idOf = (at: number): string => pushed[at]?.id ?? "";
ok(await decide(acme, idOf(0), "accept"));
ok(await decide(acme, idOf(1), "reject"));
ok(await decide(acme, idOf(3), "accept"));
ok(await decide(acme, idOf(3), "import"));

const placesIn = (answer: Answer): readonly number[] =>
  (ok(answer).body as PushedBody[]).map(({ id }) => pushed.findIndex((one) => one.id === id));

const day = (at: number): string => isoSeconds(FIRST_s + at * DAY_s);

/** Queries with the leads that they match, newest first. */
const FILTERS: readonly (readonly [query: Body, places: readonly number[]])[] = [
  [{}, [5, 4, 3, 2, 1, 0]],
  [{ status: "pending" }, [5, 4, 2]],
  [{ status: "accepted" }, [0]],
  [{ status: "rejected" }, [1]],
  [{ status: "imported" }, [3]],
  [{ status: "expired" }, []],
  [{ partner_id: google.partner_id }, [4, 1, 0]],
  [{ partner_id: NOBODY }, []],
  [{ source: "Google" }, [4, 2, 0]],
  [{ source: "google" }, []],
  [{ possible_duplicate: true }, [4, 2]],
  [{ possible_duplicate: false }, [5, 3, 1, 0]],
  [{ start_date: day(4) }, [5, 4]],
  [{ end_date: day(1) }, [1, 0]],
  [{ start_date: day(2), end_date: day(3) }, [3, 2]],
  [{ start_date: day(2), end_date: day(2) }, [2]],
  [{ start_date: "2027-01-05" }, [5, 4]],
  [{ source: "Google", status: "pending", possible_duplicate: true }, [4, 2]],
  [{ source: "Google", partner_id: referral.partner_id, start_date: day(0) }, [2]],
  [{ status: "" }, [5, 4, 3, 2, 1, 0]],
];

for (const [query, places] of FILTERS) {
  test(`the buffer filtered by ${JSON.stringify(query)} contains the matching leads`, async () => {
    assert.deepEqual(placesIn(await acme.get(REVIEW, query)), places);
  });
}

for (const [query, places] of FILTERS) {
  if ("partner_id" in query || "possible_duplicate" in query) continue;
  test(`a partner's own pushes filtered by ${JSON.stringify(query)} are its part of the buffer`, async () => {
    const own = new Set([4, 1, 0]);
    const expected = places.filter((at) => own.has(at));
    assert.deepEqual(placesIn(await google.get(OWN, query)), expected);
  });
}

test("each lead shows its partner, by id and by name", async () => {
  await acme.patch(`/crm/admin/partners/${referral.partner_id}`, { name: "Renamed" });
  const [newest] = ok(await acme.get(REVIEW)).body;
  assert.deepEqual([newest.partner_id, newest.partner_name], [referral.partner_id, "Renamed"]);
});

const REFUSED: readonly (readonly [query: Body, fault: string])[] = [
  [{ status: "open" }, "query.status enum"],
  [{ start_date: "yesterday" }, "query.start_date datetime_parsing"],
  [{ start_date: day(2), end_date: day(1) }, "query.start_date value_error"],
  [{ page_size: 0 }, "query.page_size greater_than_equal"],
  [{ page_size: 501 }, "query.page_size less_than_equal"],
  [{ page_num: 0 }, "query.page_num greater_than_equal"],
  [{ cursor: "x" }, "query.cursor value_error"],
  [{ cursor: `${NOBODY}0` }, "query.cursor value_error"],
  [{ cursor: NOBODY, page_num: 2 }, "query.page_num value_error"],
  [{ colour: "red" }, "query.colour extra_forbidden"],
];

for (const [query, fault] of REFUSED) {
  test(`${JSON.stringify(query)} is rejected, on both lists`, async () => {
    assert.deepEqual(faultsOf(await acme.get(REVIEW, query)), [fault]);
    assert.deepEqual(faultsOf(await google.get(OWN, query)), [fault]);
  });
}

test("possible_duplicate and partner_id are no parameters for partners", async () => {
  for (const query of [{ possible_duplicate: true }, { partner_id: referral.partner_id }]) {
    const [name] = Object.keys(query);
    assert.deepEqual(faultsOf(await google.get(OWN, query)), [`query.${name} extra_forbidden`]);
  }
});

const page = async (page_num: number) =>
  placesIn(await acme.get(REVIEW, { page_size: 4, page_num }));

test("numbered pages divide the list, and the last ones are short and empty", async () => {
  assert.deepEqual([await page(1), await page(2), await page(3)], [[5, 4, 3, 2], [1, 0], []]);
});

test("a page with the whole list has no next page", async () => {
  assert.equal(nextOf(ok(await acme.get(REVIEW, { page_size: 6 }))), undefined);
  const first = nextOf(ok(await acme.get(REVIEW, { page_size: 5, status: "" })));
  assert.ok(first);
  assert.deepEqual(placesIn(await acme.get(first)), [0]);
});

test("the link keeps the filter", async () => {
  const query = { source: "Google", page_size: 2 };
  const next = nextOf(ok(await acme.get(REVIEW, query)));
  assert.ok(next);
  assert.ok(next.includes("source=Google"));
  assert.deepEqual(placesIn(await acme.get(next)), [0]);
});

test("paging by cursor during pushes and decisions returns each lead that existed once", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  const there: string[] = [];
  for (let at = 0; at < 30; at++) there.push((await partner.push()).id);
  for (const [get, path] of [
    [(to: string) => tenant.get(to), REVIEW],
    [(to: string) => partner.get(to), OWN],
  ] as const) {
    const met: string[] = [];
    let next: string | undefined = `${path}?page_size=4`;
    while (next !== undefined) {
      const answer: Answer = ok(await get(next));
      met.push(...(answer.body as PushedBody[]).map(({ id }) => id));
      const [busy] = there.filter((id) => met.includes(id)).slice(-1);
      await Promise.all([partner.push(), partner.push(), busy && decide(tenant, busy, "accept")]);
      next = nextOf(answer);
    }
    assert.equal(new Set(met).size, met.length);
    assert.deepEqual(
      met.filter((id) => there.includes(id)),
      there.toReversed(),
    );
  }
});

test("a cursor is valid only with its own query: not for another partner, nor with other filters", async () => {
  const next = nextOf(ok(await google.get(OWN, { page_size: 1 })));
  assert.ok(next);
  assert.equal((await google.get(next)).status, 200);
  for (const answer of [await referral.get(next), await google.get(`${next}&status=accepted`)]) {
    assert.equal(answer.status, 422);
    assert.match(answer.text, /not valid for this list/);
  }
});

test("reviewing needs exchange:review, and permissions for records do not matter", async () => {
  const reviewer = await acme.token(["exchange:review"]);
  const { id } = await google.push();
  assert.equal((await reviewer.get(REVIEW)).status, 200);
  assert.equal((await reviewer.get(`${REVIEW}/${id}`)).status, 200);
  assert.equal(ok(await decide(reviewer, id, "accept")).body.status, "accepted");
  assert.equal(ok(await decide(reviewer, id, "import")).body.status, "imported");
  const batch = { ids: [id], action: "accept" };
  assert.equal((await reviewer.post(`${REVIEW}/batch`, batch)).status, 200);
  refused(await reviewer.get("/crm/leads"), 403);
  const writer = await acme.token(["records:write"]);
  for (const answer of [
    await writer.get(REVIEW),
    await writer.get(`${REVIEW}/${id}`),
    await decide(writer, id, "accept"),
    await writer.post(`${REVIEW}/batch`, batch),
  ]) {
    assert.ok(String(refused(answer, 403)["detail"]).includes("exchange:review"));
  }
});

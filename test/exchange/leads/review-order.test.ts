/** The buffer's sort orders, their cursors, and the total count. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import type { Client } from "../../kit/api.ts";
import { decide, faultsOf, nextOf, partnerOf, REVIEW, type PushedBody } from "../exchange-kit.ts";

const api = await sharedApi();
const acme = await api.tenant();
const partner = await partnerOf(acme);

/** The expiration times of the leads, oldest lead first. Two leads expire at the same time, and two never expire. */
const SOON_s = Math.floor(Date.now() / 1000) + 86_400;
const EXPIRATIONS = [
  SOON_s + 50,
  undefined,
  SOON_s + 10.25,
  SOON_s + 90,
  undefined,
  SOON_s + 10.25,
];
const pushed: PushedBody[] = [];
for (const expiration_date of EXPIRATIONS) {
  pushed.push(await partner.push(expiration_date === undefined ? {} : { expiration_date }));
}
ok(await decide(acme, pushed[3]?.id ?? "", "accept"));

const ORDERED = {
  newest: [5, 4, 3, 2, 1, 0],
  oldest: [0, 1, 2, 3, 4, 5],
  expiring: [2, 5, 0, 3, 1, 4],
} as const;
type Order = keyof typeof ORDERED;
const ORDERS = Object.entries(ORDERED) as [Order, readonly number[]][];

const placesIn = (body: Body): number[] =>
  (body as unknown as readonly PushedBody[]).map(({ id }) =>
    pushed.findIndex((one) => one.id === id),
  );

/** Returns the ids on all pages, in order. */
async function walk(client: Client, query: Body, between = async () => {}): Promise<string[]> {
  const met: string[] = [];
  let answer = ok(await client.get(REVIEW, query));
  for (;;) {
    met.push(...(answer.body as PushedBody[]).map(({ id }) => id));
    const next = nextOf(answer);
    if (next === undefined) return met;
    await between();
    answer = ok(await client.get(next));
  }
}

for (const [order, places] of ORDERS) {
  test(`${order} orders the buffer, in one page, by number and by cursor`, async () => {
    assert.deepEqual(placesIn(ok(await acme.get(REVIEW, { order })).body), places);
    const second = ok(await acme.get(REVIEW, { order, page_size: 4, page_num: 2 }));
    assert.deepEqual(placesIn(second.body), places.slice(4));
    const ids = places.map((at) => pushed[at]?.id);
    for (const page_size of [1, 2, 5]) {
      assert.deepEqual(await walk(acme, { order, page_size }), ids);
    }
  });

  test(`${order} orders a filtered list`, async () => {
    const query = { order, status: "pending", page_size: 2 };
    const left = places.filter((at) => at !== 3).map((at) => pushed[at]?.id);
    assert.deepEqual(await walk(acme, query), left);
  });

  test(`paging in the order ${order} during pushes and decisions returns each lead once`, async () => {
    const tenant = await api.tenant();
    const busy = await partnerOf(tenant);
    const there: string[] = [];
    for (let at = 0; at < 20; at++) {
      const until = at % 3 === 0 ? {} : { expiration_date: SOON_s + ((at * 7) % 10) };
      there.push((await busy.push(until)).id);
    }
    let decided = 0;
    const met = await walk(tenant, { order, page_size: 3 }, async () => {
      await Promise.all([
        busy.push(),
        busy.push({ expiration_date: SOON_s + decided }),
        decide(tenant, there[decided++] ?? "", "reject"),
      ]);
    });
    assert.equal(new Set(met).size, met.length);
    assert.deepEqual(met.filter((id) => there.includes(id)).toSorted(), there.toSorted());
  });
}

test("a cursor is valid only in its own order; naming the default order is the same as omitting it", async () => {
  const cursorOf = async (query: Body): Promise<string> => {
    const next = nextOf(ok(await acme.get(REVIEW, { page_size: 2, ...query }))) ?? "";
    return new URLSearchParams(next.split("?")[1]).get("cursor") ?? "";
  };
  for (const [from] of ORDERS) {
    const cursor = await cursorOf({ order: from });
    for (const [to] of ORDERS) {
      const answer = await acme.get(REVIEW, { order: to, cursor });
      if (from === to) ok(answer);
      else assert.deepEqual(faultsOf(answer), ["query.cursor value_error"], `${from} to ${to}`);
    }
  }
  const cursor = await cursorOf({});
  assert.equal(cursor, await cursorOf({ order: "newest" }));
  const expiring = await cursorOf({ order: "expiring" });
  const [id, question] = expiring.split(".");
  for (const made of [`${id}.${question}`, `${id}.${question}.`, `${id}.${question}.x`]) {
    const answer = await acme.get(REVIEW, { order: "expiring", cursor: made });
    assert.deepEqual(faultsOf(answer), ["query.cursor value_error"], made);
  }
  const keyed = await acme.get(REVIEW, { cursor: `${cursor}.1` });
  assert.deepEqual(faultsOf(keyed), ["query.cursor value_error"]);
});

test("another order is rejected, and a partner's own list has none", async () => {
  assert.deepEqual(faultsOf(await acme.get(REVIEW, { order: "name" })), ["query.order enum"]);
  const own = await partner.get("/crm/partner/pushed", { order: "oldest" });
  assert.deepEqual(faultsOf(own), ["query.order extra_forbidden"]);
});

/** Returns the headers that state the total across all pages. */
async function counted(client: Pick<Client, "request">, path: string) {
  const prefer = { prefer: "count=exact" };
  const { headers } = ok(await client.request({ method: "GET", path, headers: prefer }));
  return [headers.get("x-total-count"), headers.get("preference-applied")];
}

test("Prefer: count=exact returns the total of all pages, to the tenant and to the partner", async () => {
  const applied = "count=exact";
  assert.deepEqual(await counted(acme, `${REVIEW}?page_size=2`), ["6", applied]);
  assert.deepEqual(await counted(acme, `${REVIEW}?status=pending&order=expiring`), ["5", applied]);
  assert.deepEqual(await counted(acme, `${REVIEW}?status=rejected`), ["0", applied]);
  assert.deepEqual(await counted(partner, "/crm/partner/pushed?page_size=1"), ["6", applied]);
  assert.deepEqual(await counted(await partnerOf(acme), "/crm/partner/pushed"), ["0", applied]);
  assert.deepEqual(await counted(await api.tenant(), REVIEW), ["0", applied]);
  const next = nextOf(ok(await acme.get(REVIEW, { order: "expiring", page_size: 2 }))) ?? "";
  assert.deepEqual(await counted(acme, next), ["6", applied]);
  assert.equal(ok(await acme.get(REVIEW)).headers.get("x-total-count"), null);
});

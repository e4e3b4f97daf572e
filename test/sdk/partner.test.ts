/** A partner's client requests its token once, and requests another token when the first one is rejected. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createPartnerClient } from "../../sdk/src/index.ts";
import { makePartner } from "../exchange/partner-kit.ts";
import { eventually } from "../kit/eventually.ts";
import { all, QUICK, sdkWorld } from "./sdk-kit.ts";

const TOKEN = "/crm/partner/token";

test("concurrent calls wait for one token, and a rejected one is replaced", async (t) => {
  const { plain, proxy } = await sdkWorld(t);
  const { partner_id, access_code } = await makePartner(plain);
  const partner = createPartnerClient({ url: proxy.url, partner_id, access_code, retry: QUICK });
  proxy.next({ kind: "refuse" });
  const body = { name: "Ines Falk", email: "ines.falk@example.com" };
  const [pushed] = await Promise.all([
    partner.post("/crm/partner/push", { body }),
    partner.get("/crm/partner/me"),
    partner.get("/crm/partner/analytics"),
  ]);
  const exchanges = () => proxy.seen.filter(({ url }) => url === TOKEN);
  assert.equal(exchanges().length, 2, "one that was lost, and one for all");
  assert.ok(exchanges().every(({ headers }) => headers["idempotency-key"] === undefined));

  proxy.next({ kind: "answer", status: 401 });
  const list = await all(partner.pages("/crm/partner/pushed"));
  assert.deepEqual(
    list.map(({ id }) => id),
    [pushed.id],
  );
  assert.deepEqual(
    proxy.seen.map(({ method, url }) => `${method} ${url.split("?")[0]}`),
    ["GET /crm/partner/pushed", `POST ${TOKEN}`, "GET /crm/partner/pushed"],
  );
});

test("concurrent calls share one exchange after their token has expired or was rejected", async (t) => {
  const { plain, proxy } = await sdkWorld(t);
  const exchanges = () => proxy.seen.filter(({ url }) => url === TOKEN);
  /** The credential that is rejected. The last of the ten calls with it is rejected after a new token was requested. */
  let rejected: string | null = null;
  let rejections = 0;
  const rejecting: typeof fetch = async (url, init) => {
    const given = new Headers(init?.headers).get("authorization");
    if (given === null || given !== rejected) return fetch(url, init);
    rejections += 1;
    if (rejections === 10) await eventually(() => exchanges().length === 1);
    return new Response("rejected", { status: 401 });
  };
  const credentials = await makePartner(plain);
  const partner = createPartnerClient({ url: proxy.url, fetch: rejecting, ...credentials });
  const callMany = async () =>
    Promise.all(Array.from({ length: 10 }, () => partner.get("/crm/partner/me")));
  await callMany();
  assert.equal(exchanges().length, 1);

  rejected = proxy.seen.at(-1)?.headers.authorization ?? assert.fail();
  proxy.next();
  await callMany();
  assert.equal(rejections, 10, "every call sent the rejected token once");
  assert.equal(exchanges().length, 1, "rejected");

  proxy.next();
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 24 * 60 * 60 * 1000 });
  await callMany();
  assert.equal(exchanges().length, 1, "expired");
});

test("a push whose response was lost is one lead", async (t) => {
  const { plain, proxy } = await sdkWorld(t);
  const credentials = await makePartner(plain);
  const partner = createPartnerClient({ url: proxy.url, retry: QUICK, ...credentials });
  await partner.get("/crm/partner/me");
  proxy.next({ kind: "lose-answer" });
  const body = { name: "Ines Falk", email: "ines.falk@example.com" };
  const pushed = await partner.post("/crm/partner/push", { body });
  const { body: leads } = await plain.get("/crm/admin/pushed_leads");
  assert.deepEqual(
    leads.map(({ id }: { id: string }) => id),
    [pushed.id],
  );
});

test("a wrong access code is tried once, and the next call tries again", async (t) => {
  const { plain, proxy } = await sdkWorld(t);
  const { partner_id } = await makePartner(plain);
  const partner = createPartnerClient({ url: proxy.url, partner_id, access_code: "wrong" });
  for (const tries of [1, 2]) {
    await assert.rejects(partner.get("/crm/partner/me"), { status: 401, path: TOKEN });
    assert.equal(proxy.seen.length, tries);
  }
});

/** The portal's cookie: a partner token that browsers send and scripts cannot read. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../../kit/file-api.ts";
import { ok } from "../../api/samples.ts";
import { cookieOf, pageOf } from "../../people/people-kit.ts";
import { makePartner, PARTNERS, tokenOf, type Credentials } from "../partner-kit.ts";
import { atEnd } from "../../kit/started.ts";

const START_ms = Date.now();
/** Only the tests move this clock, so that times can be tested to the second on a slow machine. */
const clock = { ahead_ms: 0, now_ms: () => START_ms + clock.ahead_ms };
const api = await fileApi({ clock, trustedProxies: ["127.0.0.1"] });
const acme = await api.tenant();

const ME = "/crm/partner/me";
const now_s = () => Math.floor(clock.now_ms() / 1000);

const enter = (credentials: Credentials, headers = {}) =>
  pageOf(acme).post(
    "/auth/partner/sign_in",
    { partner_id: credentials.partner_id, access_code: credentials.access_code },
    headers,
  );

test("an id and its code set a cookie that opens what a token opens", async () => {
  const partner = await makePartner(acme, { allowed_marketing_sources: ["Google"] });
  const answer = ok(await enter(partner));
  const { expires_ts, ...told } = answer.body;
  assert.deepEqual(told, { partner_id: partner.partner_id, name: partner.name });
  assert.ok(Math.abs(expires_ts - now_s() - 3600) <= 2);
  const [cookie = ""] = answer.headers.getSetCookie();
  assert.match(
    cookie,
    /^leadport_partner=[\w.-]+; Max-Age=(3600|3599); Path=\/; HttpOnly; SameSite=Strict$/,
  );
  const page = pageOf(acme, cookieOf(answer));
  assert.equal(ok(await page.get(ME)).body.partner_id, partner.partner_id);
  const person = { name: "P", email: "p@example.com" };
  assert.equal(ok(await page.post("/crm/partner/push", person)).body.status, "pending");
  // The partner's cookie is not valid for the tenant's API.
  assert.equal((await page.get("/crm/leads")).status, 401);
  assert.equal((await page.get("/auth/session")).status, 401);
  const header = await page.get(ME, { authorization: "Partner x" });
  assert.equal(header.status, 401);
});

test("over https the cookie is bound to the host", async () => {
  const headers = { "x-forwarded-proto": "https" };
  const answer = ok(await enter(await makePartner(acme), headers));
  const [cookie = ""] = answer.headers.getSetCookie();
  assert.match(cookie, /^__Host-leadport_partner=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  assert.equal((await pageOf(acme, cookieOf(answer)).get(ME, headers)).status, 200);
});

test("a request from another site's page is rejected", async () => {
  const partner = await makePartner(acme);
  assert.equal((await enter(partner, { "sec-fetch-site": "cross-site" })).status, 403);
  const page = pageOf(acme, cookieOf(await enter(partner)));
  const lookUp = (site: string | null) =>
    page.post("/crm/partner/lookup", { email: "a@example.com" }, { "sec-fetch-site": site });
  assert.equal((await lookUp("same-origin")).status, 200);
  for (const site of ["cross-site", "same-site", null]) {
    assert.equal((await lookUp(site)).status, 403, String(site));
  }
  assert.equal((await page.get(ME, { "sec-fetch-site": "cross-site" })).status, 403);
  const renew = await page.post("/auth/partner/renew", undefined, { "sec-fetch-site": null });
  assert.equal(renew.status, 403);
});

test("wrong codes count as they do for tokens, together with them", async () => {
  const { partner_id, access_code } = await makePartner(acme);
  const from = { "x-forwarded-for": "198.51.100.77" };
  for (let at = 0; at < 5; at++) {
    const wrong = await enter({ partner_id, access_code: `wrong ${at}` }, from);
    assert.deepEqual([wrong.status, wrong.body], [401, { detail: "Not authenticated" }]);
    assert.equal(wrong.headers.getSetCookie().length, 0);
  }
  assert.equal((await enter({ partner_id, access_code }, from)).status, 429);
  const asked = await acme.request({
    method: "POST",
    path: "/crm/partner/token",
    headers: { authorization: null, "content-type": "application/json", ...from },
    body: JSON.stringify({ partner_id, access_code }),
  });
  assert.equal(asked.status, 429);
  assert.equal((await enter({ partner_id, access_code })).status, 200);
});

test("an address off the list is rejected, and a suspension ends the cookie at once", async () => {
  const elsewhere = await makePartner(acme, { ip_allow_list: ["192.0.2.0/24"] });
  assert.equal((await enter(elsewhere)).status, 403);
  const partner = await makePartner(acme);
  const page = pageOf(acme, cookieOf(await enter(partner)));
  assert.equal((await page.get(ME)).status, 200);
  ok(await acme.patch(`${PARTNERS}/${partner.partner_id}`, { status: "suspended" }));
  assert.equal((await page.get(ME)).status, 401);
  assert.equal((await page.post("/auth/partner/renew")).status, 401);
});

test("a cookie is renewed until twelve hours after the code was entered", async (t) => {
  atEnd(t, () => (clock.ahead_ms = 0));
  const partner = await makePartner(acme);
  let page = pageOf(acme, cookieOf(await enter(partner)));
  const renewed: number[] = [];
  for (let step = 1; step <= 13; step++) {
    clock.ahead_ms = step * 59 * 60_000;
    const answer = await page.post("/auth/partner/renew");
    if (answer.status !== 200) {
      assert.equal(answer.status, 401);
      break;
    }
    renewed.push(answer.body.expires_ts - now_s());
    page = pageOf(acme, cookieOf(answer));
  }
  // Each renewal is valid for an hour, except the last one, which ends with the twelve-hour session.
  assert.equal(renewed.length, 12);
  assert.ok(renewed.slice(0, -1).every((left_s) => left_s > 3590));
  assert.ok((renewed.at(-1) ?? 0) < 13 * 60);
});

test("a token that was requested by API is not renewed, and without a cookie nothing is", async () => {
  const partner = await makePartner(acme);
  const token = await tokenOf(acme, partner);
  const page = pageOf(acme, `leadport_partner=${token}`);
  assert.equal((await page.get(ME)).status, 200);
  assert.equal((await page.post("/auth/partner/renew")).status, 401);
  const headers = { authorization: `Partner ${token}` };
  assert.equal((await pageOf(acme).post("/auth/partner/renew", undefined, headers)).status, 401);
  const other = pageOf(acme, cookieOf(await enter(await makePartner(acme))));
  assert.equal((await other.post("/auth/partner/renew", undefined, headers)).status, 401);
});

test("a request that is meant for another partner returns 401 and stores nothing", async () => {
  const one = await makePartner(acme);
  const other = await makePartner(acme);
  const page = pageOf(acme, cookieOf(await enter(one)));
  const authorization = `Partner ${await tokenOf(acme, one)}`;
  const lead = { name: "P", email: "meant@example.com" };
  const meantFor = { "x-partner-id": other.partner_id };
  for (const headers of [meantFor, { ...meantFor, authorization }, { "x-partner-id": "" }]) {
    assert.equal((await page.post("/crm/partner/push", lead, headers)).status, 401);
    assert.equal((await page.post("/crm/partner/lookup", lead, headers)).status, 401);
  }
  assert.deepEqual(ok(await page.get("/crm/partner/pushed")).body, []);
  const own = { "x-partner-id": one.partner_id };
  assert.equal(ok(await page.post("/crm/partner/push", lead, own)).body.partner_id, one.partner_id);
});

test("signing out clears the cookie", async () => {
  const page = pageOf(acme, cookieOf(await enter(await makePartner(acme))));
  const answer = ok(await page.post("/auth/partner/sign_out"));
  assert.deepEqual(answer.body, { signed_out: true });
  assert.match(answer.headers.getSetCookie()[0] ?? "", /^leadport_partner=; Max-Age=0; /);
  assert.deepEqual(ok(await pageOf(acme).post("/auth/partner/sign_out")).body, {
    signed_out: false,
  });
});

test("a tenant is identified by its random id, and by nothing that can be guessed", async () => {
  const nameOf = (tenant_id: unknown, headers = {}) =>
    pageOf(acme).post("/auth/partner/business", { tenant_id }, headers);
  const { name, handle } = ok(await acme.get("/crm/admin/tenant")).body;
  assert.deepEqual(ok(await nameOf(acme.tenantId)).body, { tenant_name: name });
  assert.deepEqual(ok(await nameOf(acme.tenantId.toUpperCase())).body, { tenant_name: name });
  const nobody = "6f1b7d3e-0c55-4f3b-9a55-0d4a3a4a9b11";
  const { partner_id } = await makePartner(acme);
  for (const unknown of [nobody, handle, name, partner_id, `${acme.tenantId} `, "' or true"]) {
    const answer = await nameOf(unknown);
    assert.deepEqual([answer.status, answer.body], [404, { detail: "Not Found" }], String(unknown));
  }
  for (const wrong of ["", null, 7, "x".repeat(101)]) {
    assert.equal((await nameOf(wrong)).status, 422, String(wrong));
  }
  assert.equal((await nameOf(acme.tenantId, { "sec-fetch-site": "cross-site" })).status, 403);
});

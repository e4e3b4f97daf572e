/**
 * Partner tokens: issued in exchange for an access code, rejected if altered, and invalidated immediately when the
 * partner is suspended or gets a new access code.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { base64url, decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from "jose";
import { deriveKey, type MasterKey } from "../../../src/platform/secrets/master-key.ts";
import type { Answer } from "../../kit/api.ts";
import { fileApi } from "../../kit/file-api.ts";
import { startOwnApp } from "../../api/own-app.ts";
import { ok } from "../../api/samples.ts";
import {
  askToken,
  JSON_BODY,
  makePartner,
  partnerOf,
  PARTNERS,
  tokenOf,
  withToken,
} from "../partner-kit.ts";
import { file } from "../../kit/started.ts";

const oldKey = randomBytes(32);
const newKey = randomBytes(32);
const keys: MasterKey = { all: [oldKey] };
const START_ms = Date.now();
/** Only the tests move this clock, so that times can be tested to the second on a slow machine. */
const clock = { ahead_ms: 0, now_ms: () => START_ms + clock.ahead_ms };
const api = await fileApi({ clock, keys });
const acme = await api.tenant();
const rival = await api.tenant();

/** Starts another app on the same database, which acts as a second process. Returns the app's URL. */
async function another(known: MasterKey) {
  const app = await startOwnApp(file, { url: api.databaseUrl, keys: known, clock });
  return app.url;
}

const ME = "/crm/partner/me";
const UNAUTHENTICATED = { detail: "Not authenticated" };
const now_s = () => Math.floor(clock.now_ms() / 1000);

const tried = async (token: string, url = api.url): Promise<number> => {
  const answer = await fetch(url + ME, { headers: { authorization: `Partner ${token}` } });
  return (await answer.text(), answer.status);
};

/** Asserts that a response is the partner API's standard 401. */
function assertUnauthenticated(answer: Answer, what: string): void {
  assert.deepEqual([answer.status, answer.body], [401, UNAUTHENTICATED], what);
  assert.equal(answer.headers.get("www-authenticate"), 'Partner realm="leadport"', what);
}

test("a token for an id and its code: a JWT that lasts an hour", async () => {
  const { partner_id, access_code } = await makePartner(acme);
  const issued = ok(await askToken(acme, { partner_id, access_code }));
  const { access_token, ...rest } = issued.body;
  assert.deepEqual(rest, { token_type: "Partner", expires_in: 3600 });
  assert.equal(decodeProtectedHeader(access_token).alg, "HS256");
  const { iat = 0, exp, jti, ...claims } = decodeJwt(access_token);
  const told = { iss: "leadport", aud: "partner", sub: partner_id, tenant: acme.tenantId, gen: 1 };
  assert.deepEqual(claims, told);
  assert.ok(Math.abs(iat - now_s()) <= 2);
  assert.equal(exp, iat + 3600);
  assert.notEqual(jti, decodeJwt(await tokenOf(acme, { partner_id, access_code })).jti);
  assert.equal(await tried(access_token), 200);
});

test("the exchange ignores the Authorization header", async () => {
  const { partner_id, access_code } = await makePartner(acme);
  const body = JSON.stringify({ partner_id, access_code });
  for (const authorization of [null, "Bearer x", `Bearer ${rival.bearer}`, "Partner x", "x"]) {
    const headers = { ...JSON_BODY, authorization };
    const answer = await acme.request({
      method: "POST",
      path: "/crm/partner/token",
      headers,
      body,
    });
    assert.equal(answer.status, 200, String(authorization));
  }
});

test("a wrong id, a wrong code and a suspended partner return the same message", async () => {
  const { partner_id, access_code } = await makePartner(acme);
  const gone = await makePartner(acme, { status: "suspended" });
  const other = await makePartner(acme);
  const wrong = [
    { partner_id, access_code: access_code.toLowerCase() },
    { partner_id, access_code: `${access_code} ` },
    { partner_id, access_code: access_code.slice(1) },
    { partner_id, access_code: other.access_code },
    { partner_id: "6b00a22b870ca000ec6e9532", access_code },
    { partner_id: partner_id.toUpperCase(), access_code },
    { partner_id: "é", access_code },
    gone,
  ];
  for (const credentials of wrong) {
    assertUnauthenticated(await askToken(acme, credentials), JSON.stringify(credentials));
  }
});

test("an invalid id or code returns 422 without echoing the code", async () => {
  const SECRET = "s3cret-code-of-nobody";
  const cases: readonly (readonly [body: unknown, place: string, type: string])[] = [
    [{}, "partner_id", "missing"],
    [{ partner_id: "x" }, "access_code", "missing"],
    [{ access_code: SECRET }, "partner_id", "missing"],
    [{ partner_id: null, access_code: SECRET }, "partner_id", "string_type"],
    [{ partner_id: "x", access_code: [SECRET] }, "access_code", "string_type"],
    [{ partner_id: "", access_code: SECRET }, "partner_id", "string_too_short"],
    [{ partner_id: "x", access_code: "" }, "access_code", "string_too_short"],
    [{ partner_id: "x".repeat(101), access_code: SECRET }, "partner_id", "string_too_long"],
    [{ partner_id: "x", access_code: SECRET.repeat(50) }, "access_code", "string_too_long"],
    [{ partner_id: "x", access_code: SECRET, tenant: "y" }, "tenant", "extra_forbidden"],
    [{ partner_id: "x\0", access_code: SECRET }, "partner_id", "string_unicode"],
  ];
  for (const [body, place, type] of cases) {
    const answer = await acme.post("/crm/partner/token", body);
    assert.equal(answer.status, 422, answer.text);
    const told = answer.body.detail.map((issue: { loc: unknown[]; type: string }) => [
      issue.loc.join("."),
      issue.type,
    ]);
    assert.ok(
      told.some(([at, is]: string[]) => at === `body.${place}` && is === type),
      answer.text,
    );
    assert.ok(!answer.text.includes("s3cret"), answer.text);
  }
});

interface Forgery {
  readonly claims?: object;
  readonly key?: Buffer;
  readonly alg?: string;
}

/** Returns a token signed as the service signs it for this partner, except for the given changes. */
async function signed(token: string, { claims = {}, key, alg = "HS256" }: Forgery = {}) {
  const all: Record<string, unknown> = { ...decodeJwt(token), ...claims };
  const said = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new SignJWT(said)
    .setProtectedHeader({ alg, typ: "JWT" })
    .sign(key ?? deriveKey(oldKey, "partner tokens", acme.tenantId));
}

test("a token is valid only as it was signed", async () => {
  const { token, partner_id } = await partnerOf(acme);
  const [head = "", payload = "", signature = ""] = token.split(".");
  const altered = base64url.encode(JSON.stringify({ ...decodeJwt(token), exp: now_s() + 9999 }));
  const theirs = await makePartner(rival);
  const suspended = await makePartner(acme, { status: "suspended" });
  const rivalKey = deriveKey(oldKey, "partner tokens", rival.tenantId);
  const none = base64url.encode('{"alg":"none","typ":"JWT"}');
  assert.equal(await tried(await signed(token)), 200, "our own hand makes tokens that are taken");
  assert.equal(await tried(await signed(token, { claims: { exp: now_s() + 60 } })), 200);
  const forgeries: Readonly<Record<string, string>> = {
    "no signature": `${head}.${payload}.`,
    "half a token": `${head}.${payload}`,
    "a cut signature": token.slice(0, -4),
    "another payload": `${head}.${altered}.${signature}`,
    "alg none": new UnsecuredJWT(decodeJwt(token)).encode(),
    "alg none with the old signature": `${none}.${payload}.${signature}`,
    "another algorithm": await signed(token, { alg: "HS512" }),
    "another key": await signed(token, { key: randomBytes(32) }),
    "the master key itself": await signed(token, { key: oldKey }),
    "an empty key": await signed(token, { key: Buffer.alloc(32) }),
    "another purpose's key": await signed(token, {
      key: deriveKey(oldKey, "fields", acme.tenantId),
    }),
    "another tenant's key": await signed(token, { key: rivalKey }),
    "another tenant": await signed(token, { claims: { tenant: rival.tenantId } }),
    "another tenant, with its key": await signed(token, {
      claims: { tenant: rival.tenantId },
      key: rivalKey,
    }),
    "another tenant's partner": await signed(token, { claims: { sub: theirs.partner_id } }),
    "a suspended partner": await signed(token, { claims: { sub: suspended.partner_id } }),
    "no such partner": await signed(token, { claims: { sub: "6b00a22b870ca000ec6e9532" } }),
    "no partner": await signed(token, { claims: { sub: undefined } }),
    "no tenant": await signed(token, { claims: { tenant: undefined } }),
    "a tenant that is no text": await signed(token, { claims: { tenant: { id: 1 } } }),
    "another issuer": await signed(token, { claims: { iss: "elsewhere" } }),
    "no issuer": await signed(token, { claims: { iss: undefined } }),
    "another audience": await signed(token, { claims: { aud: "tenant" } }),
    "an older generation": await signed(token, { claims: { gen: 0 } }),
    "a newer generation": await signed(token, { claims: { gen: 2 } }),
    "no generation": await signed(token, { claims: { gen: undefined } }),
    "a generation that is no number": await signed(token, { claims: { gen: "one" } }),
    expired: await signed(token, { claims: { exp: now_s() - 1 } }),
    "no end": await signed(token, { claims: { exp: undefined } }),
    "no beginning": await signed(token, { claims: { iat: undefined } }),
    "no id": await signed(token, { claims: { jti: undefined } }),
    "issued in the future": await signed(token, {
      claims: { iat: now_s() + 600, exp: now_s() + 4200 },
    }),
    "not to be used yet": await signed(token, { claims: { nbf: now_s() + 600 } }),
    "a text": "x",
    "three dots": "..",
    "an access token": acme.bearer,
    "the partner's id": partner_id,
  };
  for (const [what, forged] of Object.entries(forgeries)) {
    const answer = await withToken(acme, forged).get(ME);
    assertUnauthenticated(answer, what);
  }
});

test("the header is Partner and a token, in any letter case, and nothing else", async () => {
  const { token, request } = await partnerOf(acme);
  const call = (authorization: string | null) =>
    request({ method: "GET", path: ME, headers: { authorization } });
  for (const scheme of ["Partner", "partner", "PARTNER", "pArTnEr"]) {
    assert.equal((await call(`${scheme} ${token}`)).status, 200, scheme);
  }
  const wrong = [null, "", token, "Partner", `Bearer ${token}`, `Partner: ${token}`];
  for (const authorization of [...wrong, `Partner ${token} x`, `Partner${token}`]) {
    assertUnauthenticated(await call(authorization), String(authorization));
  }
});

test("neither API accepts a credential of the other", async () => {
  const { token } = await partnerOf(acme);
  for (const authorization of [`Partner ${token}`, `Bearer ${token}`]) {
    for (const path of ["/crm/leads", "/crm/admin/partners", "/crm/admin/pushed_leads"]) {
      const answer = await acme.request({ method: "GET", path, headers: { authorization } });
      assert.deepEqual([answer.status, answer.body], [401, UNAUTHENTICATED], path);
    }
  }
  for (const authorization of [`Bearer ${acme.bearer}`, `Partner ${acme.bearer}`]) {
    for (const path of [ME, "/crm/partner/leads", "/crm/partner/pushed"]) {
      const answer = await acme.request({ method: "GET", path, headers: { authorization } });
      assertUnauthenticated(answer, path);
    }
  }
});

test("a token ends after an hour, by the service's clock", async () => {
  const { token } = await partnerOf(acme);
  const { exp = 0 } = decodeJwt(token);
  const at = async (moment_s: number) => {
    clock.ahead_ms = moment_s * 1000 - START_ms;
    const status = await tried(token);
    clock.ahead_ms = 0;
    return status;
  };
  assert.equal(await at(exp - 2), 200);
  assert.equal(await at(exp + 0.5), 401);
});

test("a token of a process whose clock is slightly ahead is accepted", async () => {
  const { token } = await partnerOf(acme);
  clock.ahead_ms = -2000;
  assert.equal(await tried(token), 200);
  clock.ahead_ms = 0;
});

test("a new master key signs, and tokens of the old one stay valid", async () => {
  const partner = await partnerOf(acme);
  const both = await another({ all: [newKey, oldKey] });
  const newOnly = await another({ all: [newKey] });
  assert.equal(await tried(partner.token, both), 200);
  assert.equal(await tried(partner.token, newOnly), 401);
  const { partner_id, access_code } = partner;
  const answer = await fetch(`${both}/crm/partner/token`, {
    method: "POST",
    headers: JSON_BODY,
    body: JSON.stringify({ partner_id, access_code }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  assert.equal(await tried(access_token, both), 200);
  assert.equal(await tried(access_token, newOnly), 200);
  assert.equal(await tried(access_token), 401);
});

test("a suspension ends every token at once, everywhere and for good", async () => {
  const partner = await partnerOf(acme);
  const elsewhere = await another(keys);
  const second = await tokenOf(acme, partner);
  const path = `${PARTNERS}/${partner.partner_id}`;
  assert.equal(await tried(second, elsewhere), 200);
  ok(await acme.patch(path, { status: "suspended" }));
  assert.equal(await tried(second, elsewhere), 401);
  assertUnauthenticated(await partner.get(ME), "suspended");
  assertUnauthenticated(await askToken(acme, partner), "a code of a suspended partner");
  ok(await acme.patch(path, { status: "active" }));
  for (const token of [partner.token, second]) assert.equal(await tried(token), 401);
  assert.equal(await tried(await tokenOf(acme, partner), elsewhere), 200);
});

test("another access code ends the old one and every token at once, everywhere", async () => {
  const partner = await partnerOf(acme);
  const elsewhere = await another(keys);
  assert.equal(await tried(partner.token, elsewhere), 200);
  const reissued = ok(await acme.post(`${PARTNERS}/${partner.partner_id}/access_code`)).body;
  assert.notEqual(reissued.access_code, partner.access_code);
  assert.deepEqual([await tried(partner.token), await tried(partner.token, elsewhere)], [401, 401]);
  assertUnauthenticated(await askToken(acme, partner), "the old code");
  assert.equal(await tried(await tokenOf(acme, reissued)), 200);
});

test("other changes of a partner leave its tokens valid", async () => {
  const partner = await partnerOf(acme);
  const path = `${PARTNERS}/${partner.partner_id}`;
  for (const change of [{ name: "Renamed" }, { can_push: false }, { status: "active" }]) {
    ok(await acme.patch(path, change));
    assert.equal(await tried(partner.token), 200, JSON.stringify(change));
  }
});

test("tokens and codes are nowhere in the database or the log", async () => {
  const partner = await partnerOf(acme);
  await askToken(acme, { ...partner, access_code: `${partner.access_code}x` });
  await withToken(acme, `${partner.token}x`).get(ME);
  const tables = await api.sql`
    select table_name from information_schema.tables where table_schema = 'public'`;
  const rows = await Promise.all(
    tables.map(({ table_name }) => api.sql`select t::text from ${api.sql(String(table_name))} t`),
  );
  const texts = [
    rows
      .flat()
      .map(({ t }) => String(t))
      .join("\n"),
    api.log(),
  ];
  const [, , signature = "none"] = partner.token.split(".");
  for (const text of texts) {
    assert.ok(text.includes(partner.partner_id) || text === texts[1]);
    for (const secret of [partner.access_code, partner.token, signature]) {
      assert.ok(!text.includes(secret));
    }
  }
});

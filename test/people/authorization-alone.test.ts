/** An Authorization header takes precedence: a cookie next to it is ignored, whatever the operation. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedApi } from "../kit/file-api.ts";
import { filled, leastOf, readDocument } from "../api/operations.ts";
import { ok } from "../api/samples.ts";
import { partnerOf } from "../exchange/exchange-kit.ts";
import { cookieOf, ownerOf, pageOf } from "./people-kit.ts";

const api = await sharedApi();
const acme = await api.tenant();
const document = await readDocument(acme);

// oxlint-disable-next-line typescript/no-explicit-any -- a document of any depth
type Document = any;

/** Returns the operations that accept this kind of cookie. */
const operationsOf = (scheme: string) =>
  Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods)
      .filter(([, { security }]) => security?.some((needed: object) => scheme in needed))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

const HEADERS = ["Bearer none", "Bearer ", "", "Basic YTpi", "Partner none"];

test("no operation accepts the cookie next to an Authorization header", async () => {
  const page = await ownerOf(api, acme, "ada@example.com");
  const partner = await partnerOf(acme);
  const { partner_id, access_code } = partner;
  const signedIn = await pageOf(acme).post("/auth/partner/sign_in", { partner_id, access_code });
  const cookies = { SessionCookie: page.cookie ?? "", PartnerCookie: cookieOf(ok(signedIn)) };
  for (const [scheme, cookie] of Object.entries(cookies)) {
    const operations = operationsOf(scheme);
    assert.ok(operations.length > 0, scheme);
    for (const { method, path, operation } of operations) {
      const schema = operation.requestBody?.content?.["application/json"]?.schema;
      const body = schema === undefined ? undefined : leastOf(document, schema);
      for (const authorization of [...HEADERS, `Bearer ${acme.bearer}`]) {
        const url = filled(path, () => "nothing");
        const answer = await pageOf(acme, cookie).request(method, url, body, { authorization });
        assert.equal(answer.status, 401, `${method} ${path} with ${authorization}`);
      }
    }
  }
  // All of these sessions are still signed in.
  ok(await pageOf(acme, cookies.SessionCookie).get("/auth/session"));
  ok(await pageOf(acme, cookies.PartnerCookie).post("/auth/partner/renew"));
});

test("signing out with an Authorization header ends no session", async () => {
  const tenant = await api.tenant();
  const page = await ownerOf(api, tenant, "grace@example.com");
  const headers = { authorization: `Bearer ${tenant.bearer}` };
  const { signed_out } = ok(await page.post("/auth/sign_out", undefined, headers)).body;
  assert.equal(signed_out, false);
  ok(await page.get("/auth/session"));
});

/** Creating a misconfigured client fails with a message that states what to set. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test, type TestContext } from "node:test";
import {
  createClient,
  createPartnerClient,
  createSessionClient,
  VERSION,
} from "../../sdk/src/index.ts";
import { makePartner } from "../exchange/partner-kit.ts";
import { sdkWorld } from "./sdk-kit.ts";
import { atEnd } from "../kit/started.ts";

const VARIABLES = [
  "LEADPORT_URL",
  "LEADPORT_TOKEN",
  "LEADPORT_PARTNER_ID",
  "LEADPORT_ACCESS_CODE",
] as const;

/** Sets the client's environment variables for a test. Unsets all variables that are not given. */
function setVariables(
  t: TestContext,
  variables: Partial<Record<(typeof VARIABLES)[number], string>>,
): void {
  for (const name of VARIABLES) {
    const before = process.env[name];
    atEnd(t, () => {
      delete process.env[name];
      if (before !== undefined) process.env[name] = before;
    });
    delete process.env[name];
    const value = variables[name];
    if (value !== undefined) process.env[name] = value;
  }
}

const url = "http://127.0.0.1:8080";

test("a missing setting is named with its option and its environment variable", (t) => {
  setVariables(t, {});
  const cases: readonly (readonly [() => unknown, RegExp])[] = [
    [() => createClient(), /the address of the service\..*`url`.*LEADPORT_URL\.$/],
    [() => createClient({ url: "", token: "x" }), /`url`.*LEADPORT_URL/],
    [() => createClient({ url }), /an access token\..*`token`.*LEADPORT_TOKEN\.$/],
    [() => createClient({ url, token: " " }), /`token`.*LEADPORT_TOKEN/],
    [() => createPartnerClient(), /`url`.*LEADPORT_URL/],
    [() => createPartnerClient({ url }), /a partner id\..*`partner_id`.*LEADPORT_PARTNER_ID\.$/],
    [
      () => createPartnerClient({ url, partner_id: "x" }),
      /an access code\..*`access_code`.*LEADPORT_ACCESS_CODE\.$/,
    ],
    [() => createSessionClient({ url: "" }), /Invalid URL/],
  ];
  for (const [create, message] of cases) assert.throws(create, { name: "TypeError", message });
});

test("without a process, as in browsers, no environment variable is named", (t) => {
  const { process } = globalThis;
  atEnd(t, () => Object.assign(globalThis, { process }));
  Object.assign(globalThis, { process: undefined });
  assert.throws(() => createClient({ url }), {
    message: "The Leadport client needs an access token. Pass the option `token`.",
  });
});

test("a malformed URL is rejected, and shown without a password", () => {
  const malformed = ["localhost:8080", "127.0.0.1", "ftp://host/", "http://", "//host", "http//x"];
  for (const wrong of malformed) {
    assert.throws(() => createClient({ url: wrong, token: "x" }), {
      name: "TypeError",
      message: new RegExp(`\`url\`.*https://crm\\.example\\.com, not "${wrong}"\\.$`),
    });
  }
  for (const secret of ["https://ada:hush@host/", "htp://ada:hush@host/"]) {
    assert.throws(() => createClient({ url: secret, token: "x" }), {
      name: "TypeError",
      message: /^(?!.*hush).*`url`/,
    });
  }
});

test("an empty option is an error, whatever the variable is", (t) => {
  setVariables(t, { LEADPORT_URL: url, LEADPORT_TOKEN: "x" });
  assert.ok(createClient());
  assert.throws(() => createClient({ token: "" }), /`token`/);
  assert.throws(() => createClient({ url: "" }), /`url`/);
});

test("environment variables are the defaults of both clients", async (t) => {
  const { proxy, plain } = await sdkWorld(t);
  const { partner_id, access_code } = await makePartner(plain);
  setVariables(t, {
    LEADPORT_URL: proxy.url,
    LEADPORT_TOKEN: plain.bearer,
    LEADPORT_PARTNER_ID: partner_id,
    LEADPORT_ACCESS_CODE: access_code,
  });
  const tenant = await createClient().tenant.get();
  assert.equal(tenant.id, plain.tenantId);
  const me = await createPartnerClient().me();
  assert.equal(me.partner_id, partner_id);
});

test("a token function that returns nothing fails the call, not the service", async (t) => {
  const { proxy } = await sdkWorld(t);
  const leadport = createClient({ url: proxy.url, token: () => "" });
  proxy.next();
  await assert.rejects(leadport.tenant.get(), { name: "TypeError", message: /returned no token/ });
  assert.equal(proxy.seen.length, 0);
});

test("requests name the client and the runtime, or what the caller sets", async (t) => {
  const { leadport, proxy, plain } = await sdkWorld(t);
  const { version } = JSON.parse(
    readFileSync(new URL("../../sdk/package.json", import.meta.url), "utf8"),
  ) as { readonly version: string };
  assert.equal(VERSION, version, "sdk/src/version.ts has the version of sdk/package.json");
  proxy.next();
  await leadport.tenant.get();
  const { bearer: token } = plain;
  const headers = { "User-Agent": "harbour-sync/2" };
  await createClient({ url: proxy.url, token, headers }).tenant.get();
  assert.deepEqual(
    proxy.seen.map((request) => request.headers["user-agent"]),
    [`leadport-client/${version} (node ${process.version})`, "harbour-sync/2"],
  );
});

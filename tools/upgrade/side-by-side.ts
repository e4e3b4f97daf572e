/** Two releases serve one database at the same time: what one of them issues works at the other. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { keyedWorld } from "../../test/api/keys/keyed-samples.ts";
import { readDocument } from "../../test/api/operations.ts";
import { ok, type Body } from "../../test/api/samples.ts";
import { withToken } from "../../test/exchange/partner-kit.ts";
import type { Client } from "../../test/kit/api.ts";
import { testDatabase } from "../../test/kit/database.ts";
import { eventually } from "../../test/kit/eventually.ts";
import { follow, pageOf, tokenIn } from "../../test/people/people-kit.ts";
import { settings } from "../../test/running/leadport.ts";
import { fill, repeat } from "./fill.ts";
import { mustLackNothing, readAll } from "./reads.ts";
import { openSettings, settled, start, stop } from "./running.ts";

/** Starts the release of a checkout and then this one on a new database, and tries both directions. */
export async function serveSideBySide(t: TestContext, root: string): Promise<void> {
  const { url } = await testDatabase(t);
  const MASTER_KEY = randomBytes(32).toString("base64");
  const place = () => openSettings({ ...settings(t), DATABASE_URL: url, MASTER_KEY });
  const older = await start(t, { env: place(), root });
  const newer = await start(t, { env: place() }, older.client.bearer);
  let seeds = 0;
  // Both directions create records of the same tenant, whose external ids must differ.
  const seed = (): number => ++seeds;
  await worksAtTheOther(older.client, newer.client, seed);
  await worksAtTheOther(newer.client, older.client, seed);
  await stop(older);
  await stop(newer);
}

/** Uses at `other` what `issuer` has issued: tokens, sessions, idempotency keys, cursors and links to exports. */
async function worksAtTheOther(issuer: Client, other: Client, seed: () => number): Promise<void> {
  const world = { ...(await keyedWorld(issuer)), seed };
  const kept = await fill(world);
  await settled(issuer);
  const document = await readDocument(issuer);
  const partner = withToken(other, world.partner.token);
  const reads = await readAll(document, { APIKeyHeader: issuer, PartnerToken: world.partner });
  const same = await readAll(document, { APIKeyHeader: other, PartnerToken: partner });
  mustLackNothing(reads, same);
  await repeat(kept, ({ as }) => (as === world.partner ? partner : other));
  await tokensAndSessions(issuer, other);
  await cursors(issuer, other);
  const { download } = ok(await issuer.post("/crm/admin/tenant/exports")).body;
  ok(await other.get(download));
}

async function tokensAndSessions(issuer: Client, other: Client): Promise<void> {
  const request = { name: "side by side", permissions: ["records:read"] };
  const { token } = ok(await issuer.post("/crm/admin/access_tokens", request)).body;
  const headers = { authorization: `Bearer ${token}` };
  ok(await other.request({ method: "GET", path: "/crm/leads", headers }));
  const person = {
    name: "Ada",
    email: `${randomBytes(4).toString("hex")}@example.com`,
    role: "owner",
  };
  const { link } = ok(await issuer.post("/crm/admin/people", person)).body;
  const { cookie } = await follow(issuer, tokenIn(link));
  ok(await pageOf(other, cookie).get("/auth/session"));
}

async function cursors(issuer: Client, other: Client): Promise<void> {
  const { next } = ok(await issuer.get("/crm/changes", { since: "now" })).body;
  const { _id } = ok(await issuer.post("/crm/leads", { name: "Side by side" })).body;
  await eventually(
    async () => ok(await other.get("/crm/changes", { since: next })).body.changes as Body[],
    (changes) => changes.some(({ id }) => id === _id),
  );
  const page = ok(await issuer.get("/crm/leads", { page_size: 1 }));
  const [, link = ""] = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "") ?? [];
  const [here] = ok(await issuer.get(link)).body.leads;
  const [there] = ok(await other.get(link)).body.leads;
  assert.equal(there._id, here._id);
}

/**
 * Upgrades a data folder from another commit: `npm run test:upgrade -- <commit>`. The service of
 * that commit fills a folder with one request for every operation, then the service of this
 * checkout starts on it. Everything that could be read before must read the same, and everything
 * that was issued before (tokens, cursors, idempotency keys) must still work.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { checkOut, commitOf, removeCheckout } from "../../bench/guard/checkout.ts";
import {
  answerOf,
  isReplay,
  keyedWorld,
  newKey,
  READY,
  sendKeyed,
} from "../../test/api/keys/keyed-samples.ts";
import type { Ready, Sender, World } from "../../test/api/keys/keyed-samples.ts";
import {
  operationsOf,
  readDocument,
  resolved,
  type ListedOperation,
} from "../../test/api/operations.ts";
import { ok, type Body } from "../../test/api/samples.ts";
import { withToken } from "../../test/exchange/partner-kit.ts";
import { Client, type Answer } from "../../test/kit/api.ts";
import { eventually } from "../../test/kit/eventually.ts";
import {
  folder,
  settings,
  startLeadport,
  tokenOf,
  type Settings,
} from "../../test/running/leadport.ts";
import { lackOf, readAll, tableOf } from "./reads.ts";
import { atEnd } from "../../test/kit/started.ts";

const [commit] = process.argv.slice(2);
if (commit === undefined || commit.startsWith("-")) {
  console.error(
    "Usage: npm run test:upgrade -- <commit>\n\n" +
      "Fills a data folder with the service of that commit, starts this checkout on it, and compares\n" +
      "everything that can be read.",
  );
  process.exit(2);
}

/** A request that was sent with an Idempotency-Key before the upgrade, and its response. */
interface Kept {
  readonly id: string;
  readonly method: string;
  readonly key: string;
  readonly request: Ready;
  readonly response: Answer;
}

/** Returns a body without the members that the operation of the earlier commit does not accept. */
// oxlint-disable-next-line typescript/no-explicit-any -- a document of any depth
function known(document: any, { body: shape }: ListedOperation, body: unknown): unknown {
  const { properties } = resolved(document, shape?.schema ?? {});
  if (properties === undefined || typeof body !== "object" || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in properties));
}

/** Whether the operation of the earlier commit accepts an Idempotency-Key. */
// oxlint-disable-next-line typescript/no-explicit-any -- a document of any depth
const takesKey = (document: any, { path, method }: ListedOperation): boolean =>
  document.paths[path][method.toLowerCase()].parameters?.some(
    ({ name }: Body) => name === "Idempotency-Key",
  ) === true;

const clientOf = async (url: string, token: string): Promise<Client> => {
  const client = new Client(url, token, "", "", () => Promise.reject(new Error("not needed")));
  const { id } = ok(await client.get("/crm/admin/tenant")).body;
  return new Client(url, token, id, "", () => Promise.reject(new Error("not needed")));
};

/**
 * Sends one request for every write operation. Returns the requests whose responses are stored under an
 * Idempotency-Key.
 */
async function fill(world: World): Promise<readonly Kept[]> {
  const document = await readDocument(world.acme);
  const kept: Kept[] = [];
  const operations = [...operationsOf(document), ...operationsOf(document, "PartnerToken")];
  for (const operation of operations) {
    const { id, method } = operation;
    const ready = READY[id];
    if (ready === undefined || method === "GET") continue;
    const made = await ready(world);
    const request = { ...made, body: known(document, operation, made.body) };
    const key = newKey();
    const response = await sendKeyed(request.as ?? world.acme, method, key, request);
    assert.ok(response.status < 300, `${id}: ${response.text}`);
    if (takesKey(document, operation)) kept.push({ id, method, key, request, response });
  }
  return kept;
}

/** Waits until no delivery is in progress, because its status would change shortly afterward. */
const settled = (client: Client) =>
  eventually(
    async () => ok(await client.get("/crm/admin/deliveries", { page_size: 500 })).body as Body[],
    (deliveries) => deliveries.every(({ status }) => status !== "pending"),
    60_000,
  );

interface Place {
  readonly env: Settings;
  readonly root?: string;
}

async function start(t: TestContext, { env, root }: Place) {
  const script = "tools/upgrade/start-open.ts";
  const isOpen = root === undefined || existsSync(join(root, script));
  const through = isOpen ? { through: [process.execPath, script] } : {};
  const running = await startLeadport(t, { env, ...through, ...(root !== undefined && { root }) });
  return { ...running, client: await clientOf(running.base, tokenOf(env.DATA_DIR)) };
}

async function stop({ child, ended }: Awaited<ReturnType<typeof start>>): Promise<void> {
  child.kill("SIGTERM");
  const { code, err } = await ended;
  assert.equal(code, 0, err);
}

void test(`a data folder of ${commit} starts here and reads the same`, async (t) => {
  const root = join(folder(t), "checkout");
  atEnd(t, () => removeCheckout(root));
  await checkOut(await commitOf(commit), root);
  const env = { ...settings(t), OUTGOING_ALLOW: "127.0.0.1", RATE_LIMIT: "off" };

  // In commits without start-open.ts, this is a setting.
  const before = await start(t, { env: { ...env, PARTNER_OUTGOING_ALLOW: "127.0.0.1" }, root });
  const world = await keyedWorld(before.client);
  const kept = await fill(world);
  await settled(before.client);
  const document = await readDocument(before.client);
  const earlier = await readAll(document, {
    APIKeyHeader: before.client,
    PartnerToken: world.partner,
  });
  const { next } = ok(await before.client.get("/crm/changes", { since: "now" })).body;
  const page = ok(await before.client.get("/crm/leads", { page_size: 1 }));
  await stop(before);

  const after = await start(t, { env });
  const partner = withToken(after.client, world.partner.token);
  const later = await readAll(document, { APIKeyHeader: after.client, PartnerToken: partner });
  await t.test(`${earlier.size} responses lack nothing`, () => {
    for (const [path, body] of earlier) {
      const read = later.get(path);
      // The upgrade adds entries to the audit log. Entries are listed newest first, so the entries from before the
      // upgrade are at the end.
      const comparable = path.includes("/audit") ? read.slice(-body.length) : read;
      const lack = path.endsWith("/export")
        ? lackOf(tableOf(body), tableOf(comparable))
        : lackOf(body, comparable);
      assert.equal(lack, undefined, `${path}: ${lack}`);
    }
  });
  await t.test(`${kept.length} idempotency keys return their first response`, async () => {
    for (const { id, method, key, request, response } of kept) {
      const sender: Sender = request.as === world.partner ? partner : after.client;
      const again = await sendKeyed(sender, method, key, request);
      assert.ok(isReplay(again), `${id}: ${again.text}`);
      assert.deepEqual(answerOf(again), answerOf(response), id);
    }
  });
  await t.test("a cursor of the change feed continues after its last change", async () => {
    const lead = ok(await after.client.post("/crm/leads", { name: "After the upgrade" })).body;
    const { changes } = await eventually(
      async () => ok(await after.client.get("/crm/changes", { since: next })).body,
      (read) => read.changes.length > 0,
    );
    assert.deepEqual(
      changes.map(({ id, action }: Body) => [id, action]),
      [[lead._id, "created"]],
    );
  });
  await t.test("a cursor of a list continues with the next record", async () => {
    const [, link = ""] = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "") ?? [];
    const [second] = ok(await after.client.get(link)).body.leads;
    const { leads } = earlier.get("APIKeyHeader /crm/leads?page_size=500");
    assert.equal(second._id, leads[1]._id);
  });
  await stop(after);
});

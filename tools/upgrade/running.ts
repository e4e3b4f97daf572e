/** Starts releases for the upgrade tests: this checkout, or a checkout of another commit. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { checkOut, commitOf, removeCheckout } from "../../bench/guard/checkout.ts";
import { ok, type Body } from "../../test/api/samples.ts";
import { Client } from "../../test/kit/api.ts";
import { eventually } from "../../test/kit/eventually.ts";
import { atEnd } from "../../test/kit/started.ts";
import { folder, startLeadport, tokenOf, type Settings } from "../../test/running/leadport.ts";

/** Checks out a commit until the test ends. Returns the folder. */
export async function checkoutOf(t: TestContext, commit: string): Promise<string> {
  const root = join(folder(t), "checkout");
  atEnd(t, () => removeCheckout(root));
  await checkOut(await commitOf(commit), root);
  return root;
}

/** Returns settings for services whose webhooks are received on this machine. */
export const openSettings = (env: Settings): Settings => ({
  ...env,
  OUTGOING_ALLOW: "127.0.0.1",
  RATE_LIMIT: "off",
});

interface Place {
  readonly env: Settings;
  /** The checkout to start. Default: this one. */
  readonly root?: string;
}

export type Service = Awaited<ReturnType<typeof start>>;

/** Starts a service. Its client uses `token`, or the owner's token in the data folder. */
export async function start(t: TestContext, { env, root }: Place, token?: string) {
  const script = "tools/upgrade/start-open.ts";
  const isOpen = root === undefined || existsSync(join(root, script));
  const through = isOpen ? { through: [process.execPath, script] } : {};
  // In commits without start-open.ts, this is a setting.
  const allowed = isOpen ? env : { ...env, PARTNER_OUTGOING_ALLOW: "127.0.0.1" };
  const options = { env: allowed, ...through, ...(root !== undefined && { root }) };
  const running = await startLeadport(t, options);
  return { ...running, client: await clientOf(running.base, token ?? tokenOf(env.DATA_DIR)) };
}

/** Returns a client that sends a token. */
async function clientOf(url: string, token: string): Promise<Client> {
  const client = new Client(url, token, "", "", () => Promise.reject(new Error("not needed")));
  const { id } = ok(await client.get("/crm/admin/tenant")).body;
  return new Client(url, token, id, "", () => Promise.reject(new Error("not needed")));
}

/** Stops a service, which must end without an error. */
export async function stop({ child, ended }: Service): Promise<void> {
  child.kill("SIGTERM");
  const { code, err } = await ended;
  assert.equal(code, 0, err);
}

/** Waits until no delivery is in progress, because its status would change shortly afterward. */
export const settled = (client: Client) =>
  eventually(
    async () => ok(await client.get("/crm/admin/deliveries", { page_size: 500 })).body as Body[],
    (deliveries) => deliveries.every(({ status }) => status !== "pending"),
    60_000,
  );

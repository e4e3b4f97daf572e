/** Writes to an installation, kills part of it, and checks what the next start finds. */

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { installed, isAlive, kill, serverPid, startLeadport, tokenOf } from "../leadport.ts";
import type { Settings } from "../leadport.ts";
import { eventually } from "../../kit/eventually.ts";

export const authorized = (env: Settings) => ({
  authorization: `Bearer ${tokenOf(env.DATA_DIR)}`,
  "content-type": "application/json",
});

export async function addLead(base: string, env: Settings, name: string): Promise<number> {
  const body = JSON.stringify({ name });
  const url = `${base}/crm/leads`;
  return (await fetch(url, { method: "POST", headers: authorized(env), body })).status;
}

async function leadNames(base: string, env: Settings): Promise<string[]> {
  const answer = await fetch(`${base}/crm/leads?page_size=500`, { headers: authorized(env) });
  const { leads } = (await answer.json()) as { leads: { name: string }[] };
  return leads.map(({ name }) => name);
}

/** Writes until the service has stopped. Collects the names that were acknowledged with 200. */
async function writeUntilGone(base: string, env: Settings, answered: string[]): Promise<void> {
  for (let n = 0; ; n += 1) {
    try {
      if ((await addLead(base, env, `Lead ${n}`)) === 200) answered.push(`Lead ${n}`);
    } catch {
      return;
    }
  }
}

export type Victims = "service" | "service and database" | "database's whole family";

/** Kills the victims while leads are added. Asserts that every acknowledged lead exists after the next start. */
export async function killAndStartAgain(t: TestContext, victims: Victims): Promise<void> {
  const env = await installed(t);
  const { DATA_DIR } = env;
  const service = await startLeadport(t, { env });
  const database = serverPid(DATA_DIR) ?? 0;
  const answered: string[] = [];
  const writing = writeUntilGone(service.base, env, answered);
  await eventually(() => answered.length > 0);
  await sleep(400);
  if (victims === "database's whole family") kill(-database, "SIGKILL");
  if (victims === "service and database") kill(database, "SIGKILL");
  kill(service.pid, "SIGKILL");
  await writing;
  if (victims === "service") assert.ok(isAlive(database), "the database outlives the service");
  const again = await startLeadport(t, { env });
  const found = new Set(await leadNames(again.base, env));
  assert.deepEqual(
    answered.slice(-400).filter((name) => !found.has(name)),
    [],
  );
  kill(again.pid, "SIGTERM");
  assert.equal((await again.ended).code, 0);
  assert.equal(isAlive(database), false);
  assert.equal(serverPid(DATA_DIR), undefined);
}

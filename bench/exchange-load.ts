/** Measures lookups and pushes per second, with 16 concurrent connections. */

import type { Scope } from "../src/audit/index.ts";
import type { Db } from "../src/platform/database/tx.ts";
import { callsOf, keepUp, type Load } from "./exchange-calls.ts";
import { openFolder, writerOf, type ExchangeFilling } from "./exchange-fill.ts";
import { lookUpAt } from "./exchange-lookup.ts";
import { head, ms, row } from "./exchange-table.ts";
import { phoneAt } from "./leads.ts";
import { median, quantile, type Service } from "./service.ts";

const CONNECTIONS = 16;
const WARM_UP_s = 2;

const tell = (what: string, { took_ms, took_s }: Load): void =>
  row([
    what,
    (took_ms.length / took_s).toFixed(0),
    ms(median(took_ms)),
    ms(quantile(took_ms, 0.99)),
    took_ms.length,
  ]);

/** Runs lookups, then pushes, each for a different person. The pushes are removed afterward. */
export async function measureLoad(
  service: Service,
  dataDir: string,
  { rows, pusher }: ExchangeFilling,
  for_s: number,
): Promise<void> {
  const calls = await callsOf(service, pusher, CONNECTIONS);
  await forgetPushes(dataDir, pusher.id);
  try {
    head(
      `${CONNECTIONS} connections for ${for_s} s each`,
      "request",
      "requests/s",
      "p50, ms",
      "p99, ms",
      "total requests",
    );
    const lookUp = lookUpAt(calls, rows);
    await keepUp(CONNECTIONS, WARM_UP_s, lookUp);
    tell("lookup (half of the people are known)", await keepUp(CONNECTIONS, for_s, lookUp));
    let pushed = 0;
    const push = () => calls.post("/crm/partner/push", personAt(pushed++));
    await keepUp(CONNECTIONS, WARM_UP_s, push);
    tell("push", await keepUp(CONNECTIONS, for_s, push));
  } finally {
    calls.close();
    await forgetPushes(dataDir, pusher.id);
  }
}

/** One person in ten is already a lead of the tenant. */
const personAt = (n: number) => ({
  name: `Person ${n}`,
  email: n % 10 === 0 ? `Lead.${n}@mail${n % 40}.example.com` : `New.${n}@mail.example.net`,
  phone: phoneAt(n).replace("(212)", "(917)"),
  comments: "Met at a trade fair, wants prices for two sites.",
  match_preferences: { rooms: 3, district: "North", garden: true },
});

async function forgetPushes(dataDir: string, partner_id: string): Promise<void> {
  const installation = await openFolder(dataDir);
  try {
    const { scope }: { scope: Scope<Db> } = await writerOf(installation);
    const { db, tenantId } = scope;
    await db`delete from pushed_leads where tenant_id = ${tenantId} and partner_id = ${partner_id}`;
    await db`
      delete from changes
       where tenant_id = ${tenantId} and actor_id = ${partner_id} and subject_type = 'pushed_lead'`;
  } finally {
    await installation.close();
  }
}

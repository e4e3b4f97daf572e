/** Runs the service and the bare server on one database, to compare them. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Arm, Ask } from "../loads/loop.ts";
import { cpuMeterOf } from "../service/cpu.ts";
import { openDatabase, type Database } from "../service/database.ts";
import { createPartner, startService, warmUp, type Service } from "../service/service.ts";

export interface Arena {
  readonly service: Service;
  readonly bareUrl: string;
  readonly database: Database;
  readonly tenantId: string;
  readonly partnerId: string;
  /** The partner's `authorization` header. */
  readonly partner: string;
  /**
   * Returns an arm (one side of a comparison) that sends its requests to the service, as the tenant or as a partner.
   */
  readonly serviceArm: (next: () => Ask, isPartners?: boolean) => Arm;
  readonly bareArm: (next: () => Ask) => Arm;
  /** Removes the rows that the workloads created, vacuums the changed tables, and runs a checkpoint. */
  readonly tidy: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts both servers. */
export async function openArena(dataDir: string): Promise<Arena> {
  const service = await startService(dataDir);
  const database = openDatabase(service.databaseUrl, 2);
  const [row] = await database.query<{ tenant: string; newest: string | null }>(
    `select id as tenant, (select max(id) from leads where tenant_id = tenants.id) as newest
       from tenants where name = 'default'`,
  );
  const { tenant: tenantId = "", newest } = row ?? {};
  const { child, url: bareUrl } = await startBare(service, tenantId);
  const { id: partnerId, token } = await createPartner(service);
  const partner = `Partner ${token}`;
  await warmUp(service);
  const meter = await cpuMeterOf(service);
  const bareMeter = await cpuMeterOf({ ...service, pid: child.pid ?? 0 });
  const tidyAll = () => tidy(database, tenantId, newest ?? "");
  return {
    service,
    bareUrl,
    database,
    tenantId,
    partnerId,
    partner,
    tidy: tidyAll,
    serviceArm: (next, isPartners = false) => ({
      url: service.url,
      next,
      cpu: meter,
      authorization: isPartners ? partner : `Bearer ${service.token}`,
    }),
    bareArm: (next) => ({ url: bareUrl, next, cpu: bareMeter }),
    stop: async () => {
      child.kill();
      await tidyAll();
      await database.end();
      await service.stop();
    },
  };
}

async function startBare(
  { databaseUrl }: Service,
  tenantId: string,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const script = join(import.meta.dirname, "bare.ts");
  const child = spawn(process.execPath, [script, databaseUrl, tenantId], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return { child, url: `http://127.0.0.1:${String(line).trim()}` };
}

const TABLES = ["leads", "contacts", "pushed_leads", "changes"] as const;

async function tidy({ query }: Database, tenantId: string, newest: string): Promise<void> {
  let removed = 0;
  for (const table of TABLES) {
    const [row] = await query<{ count: number }>(
      `with gone as (delete from ${table} where tenant_id = $1 and id > $2 returning 1)
       select count(*)::integer as count from gone`,
      [tenantId, newest],
    );
    removed += row?.count ?? 0;
  }
  if (removed === 0) return;
  for (const table of TABLES) await query(`vacuum (analyze) ${table}`);
  await query("checkpoint");
}

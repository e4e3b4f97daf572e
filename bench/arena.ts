/** Runs the service and the bare server on one database, to compare them. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { ownerCalls, type Answered } from "./exchange-calls.ts";
import { cpuMeterOf } from "./cpu.ts";
import type { Arm, Ask } from "./load.ts";
import { connectTo, startService, type Service, type StartOptions } from "./service.ts";

export interface Arena {
  readonly service: Service;
  readonly bareUrl: string;
  readonly sql: postgres.Sql;
  readonly tenantId: string;
  readonly partnerId: string;
  /**
   * Returns an arm (one side of a comparison) that sends its requests to the service, as the tenant or as a partner.
   */
  readonly serviceArm: (next: () => Ask, isPartners?: boolean) => Arm;
  readonly bareArm: (next: () => Ask) => Arm;
  /** Removes the rows that the workloads created, vacuums the changed tables, and runs a checkpoint. */
  readonly tidy: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * The rate limit is so high that it is never reached. Requests are still counted, so that the measurements include the
 * cost of counting.
 */
const SETTINGS = { LOG_LEVEL: "info", RATE_LIMIT: "1000000" };

/** Starts both servers. Requests are logged to /dev/null. */
export async function openArena(
  dataDir: string,
  { settings = {}, processes = 1 }: Pick<StartOptions, "settings" | "processes"> = {},
): Promise<Arena> {
  const service = await startService(dataDir, {
    settings: { ...SETTINGS, ...settings },
    processes,
    log: openSync("/dev/null", "a"),
  });
  const sql = postgres(service.databaseUrl, { max: 2, onnotice: () => {} });
  const [tenant] = await sql<{ id: string }[]>`select id from tenants where name = 'default'`;
  const tenantId = tenant?.id ?? "";
  const { child, url: bareUrl } = await startBare(service, tenantId);
  const partner = await makePartner(service);
  const [newest] = await sql<{ id: string | null }[]>`
    select max(id) as id from leads where tenant_id = ${tenantId}`;
  await warmUp(service);
  const meter = await cpuMeterOf(service);
  const bareMeter = await cpuMeterOf({ ...service, pid: child.pid ?? 0 });
  return {
    ...{ service, bareUrl, sql, tenantId, partnerId: partner.id },
    serviceArm: (next, isPartners = false) => ({
      ...{ url: service.url, next, cpu: meter },
      authorization: isPartners ? `Partner ${partner.token}` : `Bearer ${service.token}`,
    }),
    bareArm: (next) => ({ url: bareUrl, next, cpu: bareMeter }),
    tidy: () => tidy(sql, tenantId, newest?.id ?? ""),
    stop: async () => {
      child.kill();
      await tidy(sql, tenantId, newest?.id ?? "");
      await sql.end();
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

interface Told {
  readonly id: string;
  readonly access_code: string;
  readonly access_token: string;
}

const json = ({ body }: Answered): Told => JSON.parse(body.toString("utf8")) as Told;

export async function makePartner(
  service: Service,
): Promise<{ readonly id: string; readonly token: string }> {
  const calls = ownerCalls(service);
  const made = await calls.post("/crm/admin/partners", {
    name: `Bench ${Date.now()}`,
    allowed_marketing_sources: ["Google"],
  });
  const { id, access_code } = json(made);
  const sold = await calls.post("/crm/partner/token", { partner_id: id, access_code });
  const { access_token: token } = json(sold);
  calls.close();
  return { id, token };
}

const TABLES = ["leads", "pushed_leads", "changes"] as const;

async function tidy(sql: postgres.Sql, tenantId: string, newest: string): Promise<void> {
  let removed = 0;
  for (const table of TABLES) {
    const { count } = await sql`
      delete from ${sql(table)} where tenant_id = ${tenantId} and id > ${newest}`;
    removed += count;
  }
  if (removed === 0) return;
  for (const table of TABLES) await sql.unsafe(`vacuum (analyze) ${table}`);
  await sql.unsafe("checkpoint");
}

/**
 * The warm-up time. For its first 4 s, a new process asks the database about each request, so the warm-up takes longer
 * than that.
 */
const JOINING_ms = 5000;

export async function warmUp(service: Service): Promise<void> {
  const connection = connectTo(service);
  const begun_ms = performance.now();
  while (performance.now() - begun_ms < JOINING_ms) await connection.get("/crm/leads");
  connection.close();
}

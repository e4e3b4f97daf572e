/**
 * The part of `leadport doctor` that checks stored data: stuck jobs, counters that do not match their records, outdated
 * templates.
 */

import type { Config } from "../../settings/index.ts";
import { listRefusedTemplates } from "../../exchange/callouts/index.ts";
import { readMetrics } from "../../service/index.ts";
import { columns, type Db, run } from "../../platform/database/index.ts";
import type { Sample } from "../../platform/metrics/index.ts";
import { createSealer, readMasterKey, unknownFingerprints } from "../../platform/secrets/index.ts";
import { BUILT_IN_TYPES } from "../../records/types/index.ts";
import { fault, skipped, unless, warning, type Found } from "./doctor-check.ts";

const STUCK_s = 600;
/** Maximum number of paused webhooks to report. */
const SHOWN_MAX = 20;
/** Maximum number of records to compare per type. */
const COMPARED = 10_000;

/** Finds jobs and events that have been due for more than 10 minutes, and paused webhooks. */
export async function checkJobs(sql: Db): Promise<readonly Found[]> {
  const metrics = await readMetrics(sql);
  const remedy =
    "Run `leadport start` or `leadport worker`. If one of them is running, its log shows the reason.";
  const late = (what: string, { value }: Sample): readonly Found[] => {
    const minutes = Math.floor(value / 60);
    return value < STUCK_s ? [] : [fault(`${what} for ${minutes} minutes.`, remedy)];
  };
  const problems = [
    ...(metrics["leadport_jobs_oldest_age_seconds"] ?? []).flatMap((sample) =>
      late(`A job of kind ${sample.labels?.["kind"]} has been due`, sample),
    ),
    ...(metrics["leadport_event_lag_seconds"] ?? []).flatMap((sample) =>
      late("Events of an event webhook have not been queued", sample),
    ),
    ...(await pausedWebhooks(sql)),
  ];
  return unless(problems, "No jobs are stuck.");
}

/** Finds event webhooks that the service has paused, except those of demo data, whose endpoints fail on purpose. */
async function pausedWebhooks(db: Db): Promise<readonly Found[]> {
  const webhooks = await run<{ handle: string; url: string }[]>(db)`
    select t.handle, w.url
      from event_webhooks w join tenants t on t.id = w.tenant_id
     where not w.enabled and w.disabled_reason is not null and not t.is_demo
     order by t.handle, w.url
     limit ${SHOWN_MAX}`;
  return webhooks.map(({ handle, url }) =>
    warning(
      `The event webhook of ${handle} to ${withoutCredentials(url)} is paused because its endpoint failed.`,
      "Fix the endpoint, then enable the webhook again.",
    ),
  );
}

/** Returns a URL without the parts that may be secret. */
function withoutCredentials(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Compares counters and derived columns with the records from which they are derived. */
export async function checkCounters(db: Db): Promise<readonly Found[]> {
  const problems: Found[] = [];
  for (const { name, table, derived } of Object.values(BUILT_IN_TYPES)) {
    for (const [member, { kind, ...rest }] of Object.entries(derived)) {
      if (kind !== "sequence") continue;
      const { prefix } = rest as { readonly prefix: string };
      const counter = { counter: `${name}.${member}`, table, member, prefix };
      problems.push(...(await behindCounters(db, counter)));
    }
    const [row] = await run<{ wrong: number }[]>(db)`
      select count(*)::int as wrong
        from (select body, version, updated_ts from ${columns([table])} limit ${COMPARED}) t
       where (body->>'version')::int is distinct from version
          or (body->>'updated_ts')::bigint is distinct from updated_ts`;
    const { wrong = 0 } = row ?? {};
    if (wrong > 0) {
      const message = `${wrong} rows of ${table} have a version or date that differs from their record.`;
      problems.push(fault(message, "Restore the table from a backup. It was changed manually."));
    }
  }
  return unless(problems, "The counters and columns match the records.");
}

/** Finds tenants whose counter is lower than a number that one of their newest records already has. */
async function behindCounters(
  db: Db,
  { counter, table, member, prefix }: Record<"counter" | "table" | "member" | "prefix", string>,
): Promise<readonly Found[]> {
  const rows = await run<{ id: string; number: number; value: number }[]>(db)`
    select t.id, newest.number, coalesce(c.value, 0)::float8 as value
      from tenants t
      left join counters c on c.tenant_id = t.id and c.name = ${counter}
      cross join lateral (
        select max(substr(r.number, ${prefix.length + 1}::int)::bigint)::float8 as number
          from (select body->>${member} as number from ${columns([table])}
                 where tenant_id = t.id order by id desc limit 100) r
         where r.number ~ ${`^${prefix}\\d{1,15}$`}) newest
     where newest.number > coalesce(c.value, 0)`;
  return rows.map(({ id, number, value }) =>
    fault(
      `The counter ${counter} of tenant ${id} is ${value}, but ${prefix}${number} is in use.`,
      `Run: insert into counters values ('${id}', '${counter}', ${number}) ` +
        "on conflict (tenant_id, name) do update set value = excluded.value;",
    ),
  );
}

/**
 * Finds stored templates that still work but would be rejected if they were saved again. Needs the master key, because
 * stored headers are encrypted.
 */
export async function checkTemplates(sql: Db, config: Config): Promise<readonly Found[]> {
  const keys = readMasterKey(config, config.dataDir);
  if (keys === undefined || (await unknownFingerprints(sql, keys)).length > 0) {
    return [skipped("Templates cannot be read without the correct master key.")];
  }
  const refused = await listRefusedTemplates(sql, { sealer: createSealer(keys) });
  const problems = refused.map(({ tenantId, setting, problem }) =>
    warning(
      `The template in ${setting} of tenant ${tenantId} works, but can no longer be saved: ${problem}.`,
      "Ask an administrator of the tenant to fix the template or its content type, or to set raw_template.",
    ),
  );
  return unless(problems, "All stored templates can be saved again.");
}

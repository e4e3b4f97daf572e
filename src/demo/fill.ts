/** Fills the demo tenant: plays a year, step by step, and notes how far it is. */

import { createDemoTenant, findDemoTenant, type Tenant } from "../access/index.ts";
import { SERVICE } from "../audit/index.ts";
import { type Clock, epochSeconds, idSource } from "../platform/clock/index.ts";
import { type Db, run } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { Sealer } from "../platform/secrets/index.ts";
import { createPerson, ROLES } from "../people/index.ts";
import { BUSINESS } from "./invent/index.ts";
import { holdDemo } from "./hold.ts";
import { createDemoClock, createStage, openDemoDb, personActor } from "./stage/index.ts";
import { planYear, type Step, TIMEZONE, YEAR_days } from "./year/index.ts";

export const LEADS = { least: 50, most: 20_000, usual: 2000 } as const;
export const SEED = 1;

export interface FillDeps {
  readonly sql: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
}

export interface FillOptions {
  /** About how many leads. */
  readonly leads: number;
  /** The same seed leads to the same records, but for ids and dates. */
  readonly seed: number;
  /** Who gets the tasks of the owner; someone who has no email yet without it. */
  readonly owner?: { readonly name: string; readonly email: string } | undefined;
  readonly onProgress?: (done: number, total: number) => void;
  /** Ends the filling after the step that is being done. The tenant can only be removed then. */
  readonly signal?: AbortSignal;
}

export type DemoTenant = Tenant & { readonly handle: string };

/** Steps after which progress is written down. */
const NOTED_EVERY = 100;
const DAY_s = 86_400;

/** A filling that has begun. */
export interface Filling {
  readonly tenant: DemoTenant;
  /** Settles when the tenant is ready. Fails if it was interrupted. */
  readonly done: Promise<void>;
}

/**
 * Creates the demo tenant and begins to fill it. Throws a 409 if there is one, or if it is being filled or
 * removed elsewhere.
 */
export async function startFilling(deps: FillDeps, options: FillOptions): Promise<Filling> {
  const db = await openDemoDb(deps.sql);
  const close = () => db.end({ timeout: 1 });
  try {
    await holdDemo(db);
    const { tenant, steps, play } = await prepare(deps, db, options);
    const done = play(steps).finally(close);
    return { tenant, done };
  } catch (error) {
    await close();
    throw error;
  }
}

async function prepare({ sql, clock: machine, sealer }: FillDeps, db: Db, options: FillOptions) {
  const { leads, seed, owner, onProgress, signal } = options;
  const now_s = epochSeconds(machine);
  const clock = createDemoClock();
  const makeId = idSource(clock);
  const steps = planYear({ seed, leads, now_s });
  await clock.set(now_s - YEAR_days * DAY_s - 3600, db);
  const wanted = { name: BUSINESS, timezone: TIMEZONE };
  const created = await createDemoTenant(db, { clock, makeId }, wanted);
  const tenant = await findDemoTenant(db);
  if (tenant === undefined) throw new AppError("internal");
  await run(sql)`
    insert into demo_fills (tenant_id, seed, done, total, created_ts)
    values (${tenant.id}, ${seed}, 0, ${steps.length}, ${now_s})`;
  const scope = { db, tenantId: tenant.id, actor: SERVICE };
  const person =
    owner === undefined
      ? created.owner
      : (
          await createPerson(
            scope,
            { clock, makeId },
            { permissions: ROLES.owner },
            {
              ...owner,
              role: "owner",
            },
          )
        ).person;
  const actors = new Map([["owner", personActor(person)]]);
  const stage = createStage({ db, clock, makeId, sealer, tenant, now_s, actors });
  const note = async (done: number): Promise<void> => {
    const { count } = await run(sql)`
      update demo_fills set done = ${done} where tenant_id = ${tenant.id}`;
    if (count === 0) throw new AppError("conflict", { detail: "The demo data was removed" });
    onProgress?.(done, steps.length);
  };
  const play = async (all: readonly Step[]): Promise<void> => {
    for (const [done, { at_s, run: act }] of all.entries()) {
      if (signal?.aborted === true) throw new AppError("stopping");
      if (done % NOTED_EVERY === 0) await note(done);
      await clock.set(at_s, db);
      await act(stage);
    }
    await note(all.length);
    // Waits until all of the year is on disk.
    await run(sql)`
      update demo_fills set finished_ts = ${epochSeconds(machine)} where tenant_id = ${tenant.id}`;
  };
  return { tenant, steps, play };
}

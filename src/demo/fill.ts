/** Fills the demo tenant: simulates a year step by step and stores the progress. */

import { type Tenant, createDemoTenant } from "../tenants/index.ts";
import { SERVICE } from "../audit/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import { idSource, type MakeId } from "../platform/ids/index.ts";
import { type Db, inOrder, run } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { Sealer } from "../platform/secrets/index.ts";
import { createPerson, ROLES } from "../people/index.ts";
import type { Participant } from "../records/store/index.ts";
import { lockDemo } from "./lock.ts";
import { BUSINESS } from "./invent/index.ts";
import { createDemoClock, createStage, openDemoDb, personActor } from "./stage/index.ts";
import { planYear, TIMEZONE, YEAR_days } from "./year/index.ts";

export const LEADS = { least: 50, most: 20_000, usual: 2000 } as const;
export const USUAL_SEED = 1;

export interface FillDeps {
  readonly sql: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly participants: readonly Participant[];
}

/** A user of another tenant who becomes an owner of the demo tenant. */
export interface Owner {
  readonly name: string;
  readonly email: string;
}

export interface FillOptions {
  /** Approximate number of leads. */
  readonly leads: number;
  /** Two runs with the same seed create the same records, except for ids and dates. */
  readonly seed: number;
  /** The user who gets the owner's tasks and saved views. By default, this is the first user who opens the link. */
  readonly owner?: Owner | undefined;
  /** Called with the number of completed steps and the total. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Aborting stops the filling after the current step. The incomplete tenant must then be removed. */
  readonly signal?: AbortSignal | undefined;
}

/** A demo tenant that is being filled. */
export interface Filling {
  readonly tenant: Tenant;
  /** Resolves when the tenant is ready. Rejects if filling was interrupted. */
  readonly done: Promise<void>;
}

/** The number of steps after which the progress is stored. */
const STORED_EVERY = 100;
const DAY_s = 86_400;

/**
 * Creates the demo tenant and starts to fill it. Throws 409 if demo data exists, or if another process is creating or
 * removing it.
 */
export async function startFilling(deps: FillDeps, options: FillOptions): Promise<Filling> {
  const db = openDemoDb(deps.sql);
  const close = () => db.end({ timeout: 1 });
  try {
    await lockDemo(db);
    const { tenant, play } = await prepare(deps, db, options);
    const playAll = async () => {
      try {
        return await play();
      } finally {
        await close();
      }
    };
    return { tenant, done: playAll() };
  } catch (error) {
    await close();
    throw error;
  }
}

async function prepare(deps: FillDeps, db: Db, options: FillOptions) {
  const { sql, sealer, participants } = deps;
  const { leads, seed } = options;
  const now_s = epochSeconds(deps.clock);
  const clock = createDemoClock();
  const makeId = idSource(clock);
  const steps = planYear({ seed, leads, now_s });
  await clock.set(now_s - YEAR_days * DAY_s - 3600, db);
  const wanted = { name: BUSINESS, timezone: TIMEZONE };
  const { tenant, owner } = await createDemoTenant(db, { clock, makeId }, wanted);
  await run(sql)`
    insert into demo_fills (tenant_id, seed, done, total, created_ts)
    values (${tenant.id}, ${seed}, 0, ${steps.length}, ${now_s})`;
  const person = await ownerOf({ db, clock, makeId }, tenant, options.owner);
  const actors = new Map([["owner", personActor(person ?? owner)]]);
  const stage = createStage({ db, clock, makeId, sealer, participants, tenant, now_s, actors });
  const play = async (): Promise<void> => {
    for (const [done, { at_s, run: act }] of steps.entries()) {
      if (options.signal?.aborted === true) throw new AppError("stopping");
      if (done % STORED_EVERY === 0) await storeProgress(sql, tenant, done);
      options.onProgress?.(done, steps.length);
      await inOrder(clock.set(at_s, db), act(stage));
    }
    await storeProgress(sql, tenant, steps.length);
    options.onProgress?.(steps.length, steps.length);
    // When this commit returns, all earlier commits are on disk too.
    await run(sql)`
      update demo_fills set finished_ts = ${epochSeconds(deps.clock)}
       where tenant_id = ${tenant.id}`;
  };
  return { tenant, play };
}

async function ownerOf(
  { db, ...deps }: { readonly db: Db; readonly clock: Clock; readonly makeId: MakeId },
  { id: tenantId }: Tenant,
  owner: Owner | undefined,
) {
  if (owner === undefined) return undefined;
  const scope = { db, tenantId, actor: SERVICE };
  const wanted = { ...owner, role: "owner" } as const;
  return (await createPerson(scope, deps, { permissions: ROLES.owner }, wanted)).person;
}

async function storeProgress(sql: Db, { id }: Tenant, done: number): Promise<void> {
  const { count } = await run(sql)`update demo_fills set done = ${done} where tenant_id = ${id}`;
  if (count === 0) throw new AppError("conflict", { detail: "The demo data was removed" });
}

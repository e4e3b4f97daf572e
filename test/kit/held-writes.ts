/** Holds back writes of another process at a chosen point, so that it can be killed in the middle of its work. */

import { eventually, type Patience } from "./eventually.ts";
import type { TestSql } from "./sql.ts";
import { run } from "../../src/platform/database/index.ts";

const LOCK = 4711;

interface HeldWrites {
  /** Waits until a write is held back. */
  readonly reached: (patience?: Patience) => Promise<unknown>;
  /**
   * Ends the sessions of held writes, because the server would otherwise still complete these writes. Later writes are
   * not held.
   */
  readonly end: () => Promise<void>;
}

/**
 * `moment` is the part of CREATE TRIGGER between the trigger's name and its function, such as
 * `before update on changes for each row`.
 */
export async function holdWrites(sql: TestSql, moment: string): Promise<HeldWrites> {
  const held = () => sql`
    select pid from pg_locks
     where locktype = 'advisory' and objid = ${LOCK} and not granted
       and database = (select oid from pg_database where datname = current_database())`;
  const holder = await sql.reserve();
  await run(holder)`select pg_advisory_lock(${LOCK})`;
  await sql.unsafe(`
    create function hold() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$;
    create trigger hold ${moment} execute function hold()`);
  return {
    reached: (patience = {}) => eventually(held, ({ count }) => count > 0, patience),
    end: async () => {
      for (const { pid } of await held()) {
        await sql`select pg_terminate_backend(${pid as number}, 10000)`;
      }
      await run(holder)`select pg_advisory_unlock(${LOCK})`;
      holder.release();
      await sql.unsafe("drop function hold cascade");
    },
  };
}

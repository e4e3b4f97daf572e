/**
 * Random histories of the change feed: concurrent writers, readers of selected types, backups,
 * restores and removal by age. No reader ever misses a change without an error, and no cursor is
 * rejected without a reason.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { FEED_TYPES } from "../../src/events/feed.ts";
import { firstIdAt } from "../../src/platform/ids/ids.ts";
import { fileApi } from "../kit/file-api.ts";
import type { Client } from "../kit/api.ts";
import { casesOf } from "../kit/long.ts";
import { randomFrom } from "../kit/random.ts";
import { momentOf_s, recordRestore, seqOf, type Page } from "./feed-kit.ts";
import { atEnd, file, openSession } from "../kit/started.ts";
import type { TestSql } from "../kit/sql.ts";

const STEPS = 700;
const DAY_s = 86_400;
const WRITERS = 3;
const READERS = 8;

const api = await fileApi({ rateLimit: 1_000_000 });
const sessions = Array.from({ length: WRITERS }, () => openSession(file, api.databaseUrl));

interface Reader {
  readonly client: Client;
  readonly types: readonly string[];
  cursor: string | undefined;
  /** The changes up to the cursor's position, as they were when the cursor was issued. */
  held: ReadonlySet<string>;
  /** The number of restores before the cursor's position was returned for the first time. */
  restores: number;
  /** The latest restore when the reader got the newest change up to the cursor's position. */
  latestRestore: number | undefined;
}

interface Backup {
  readonly table: string;
  readonly drawn: number;
}

type Row = Readonly<{ id: string; type: string; action: string; seq: number }>;

for (const seed of casesOf([1, 2, 3], 1)) {
  test(`random readers of a random history miss nothing silently (seed ${seed})`, async (t) => {
    const random = randomFrom(seed);
    const below = (count: number): number => Math.floor(random() * count);
    const pick = <T>(of: readonly T[]): T => of[below(of.length)] as T;
    const clients = await Promise.all([api.tenant(), api.tenant(), api.tenant()]);
    const readers: Reader[] = [];
    const backups: Backup[] = [];
    const restores: Backup[] = [];
    const busy = new Set<TestSql>();
    const seen = { pages: 0, changes: 0, refused: 0 };
    let removals = 0;
    let logged = 0;

    const log = (db: TestSql, age_s = 0) => {
      // The last tenant is quiet: only one in twenty changes belongs to it.
      const { tenantId } = random() < 0.05 ? clients[2] : pick(clients.slice(0, 2));
      const id = `${firstIdAt(Date.now() / 1000 - age_s).slice(0, 8)} ${seed} ${++logged}`;
      return db`
        insert into changes (tenant_id, id, at, subject_type, subject_id, action, version,
                             actor_kind, actor_id, actor_name, fields)
        values (${tenantId}, ${id}, clock_timestamp() - make_interval(secs => ${age_s}),
                ${pick([...FEED_TYPES, "access_token"])}, ${`record ${below(5)}`},
                ${pick(["updated", "updated", "revealed"])}, ${below(9)}, 'token', 'x', 'x', '{}')`;
    };
    /** Returns the restores that the database contains, newest first. */
    const listRestores = async (): Promise<readonly number[]> => {
      const rows = await api.sql`
        select extract(epoch from restored_at)::double precision as at from restores order by id desc`;
      return rows.map((row) => Number(row["at"]));
    };
    const rowsOf = async (
      { tenantId }: Client,
      from: number,
      to: number,
      table = "changes",
    ): Promise<readonly Row[]> => {
      const rows = await api.sql`
        select id, subject_type as type, action, seq::integer from ${api.sql(table)}
         where tenant_id = ${tenantId} and seq > ${from} and seq <= ${to}
           and subject_type = any(${FEED_TYPES}) order by seq`;
      return rows as unknown as readonly Row[];
    };
    const keep = async (reader: Reader, cursor: string): Promise<void> => {
      const rows = await rowsOf(reader.client, -1, seqOf(cursor));
      const held = new Set(rows.map(({ id }) => id));
      if ([...held].at(-1) !== [...reader.held].at(-1))
        [reader.latestRestore] = await listRestores();
      // Until the feed has reached a cursor's position again after a restore, it returns the same position.
      const isNew = reader.cursor === undefined || seqOf(cursor) !== seqOf(reader.cursor);
      if (isNew) reader.restores = restores.length;
      Object.assign(reader, { cursor, held });
    };
    /**
     * Whether the service may reject a reader's cursor. There are three reasons. A restore after the cursor was issued
     * may have changed the history before the cursor. Or the cursor was issued after a restore that the database no
     * longer contains. Or the cursor follows a change that is more than 30 days old; a restore can bring such a
     * change back.
     */
    const mayBeRefused = async (reader: Reader): Promise<boolean> => {
      const { client, held } = reader;
      if (momentOf_s(reader.cursor!) < Date.now() / 1000 - 30 * DAY_s) return true;
      const { latestRestore } = reader;
      if (latestRestore !== undefined && !(await listRestores()).includes(latestRestore)) {
        return true;
      }
      const seq = seqOf(reader.cursor!);
      for (const { table, drawn } of restores.slice(reader.restores)) {
        const rows = await rowsOf(client, -1, seq, table);
        const isSame = rows.length === held.size && rows.every(({ id }) => held.has(id));
        if (drawn < seq || !isSame) return true;
      }
      return false;
    };

    const read = async (reader: Reader): Promise<void> => {
      const { client, types, cursor: since } = reader;
      const query = { since: since ?? pick(["now", undefined]), types, limit: 1 + below(12) };
      const { status, body } = await client.get("/crm/changes", {
        ...query,
        types: types.join(","),
      });
      if (status === 410) {
        assert.ok(
          since !== undefined && (await mayBeRefused(reader)),
          `refused in vain: ${body.detail}`,
        );
        readers.splice(readers.indexOf(reader), 1);
        seen.refused += 1;
        return;
      }
      assert.equal(status, 200);
      const { changes, next } = body as Page;
      if (since !== undefined) {
        // A restore can also bring back changes that had been removed by age. The feed no longer returns these.
        const unseen = (await rowsOf(client, -1, seqOf(since))).filter(
          ({ id }) => !reader.held.has(id) && id > firstIdAt(Date.now() / 1000 - 30 * DAY_s),
        );
        assert.deepEqual(unseen, [], "changes below a cursor that were never told");
        const due = await rowsOf(client, seqOf(since), seqOf(next));
        assert.deepEqual(
          changes.map(({ cursor }) => seqOf(cursor)),
          due
            .filter(({ type, action }) => types.includes(type) && action !== "revealed")
            .map(({ seq }) => seq),
        );
      }
      seen.pages += 1;
      seen.changes += changes.length;
      // Some readers continue after a change in the middle of a page, others from the end of the
      // page.
      const at = below(10) === 0 ? pick(changes)?.cursor : next;
      if (at !== undefined) await keep(reader, at);
    };
    const startReader = async (): Promise<void> => {
      const types = FEED_TYPES.filter(() => random() < 0.5);
      const reader = {
        client: pick(clients),
        types: types.length === 0 ? FEED_TYPES : types,
        cursor: undefined,
        held: new Set<string>(),
        restores: 0,
        latestRestore: undefined,
      };
      readers.push(reader);
      await read(reader);
    };
    const write = async (): Promise<void> => {
      const session = pick(sessions);
      if (random() < 0.5) return void (await log(api.sql));
      if (!busy.has(session)) await session`begin`;
      busy.add(session);
      await log(session);
    };
    const endOne = async (session: TestSql, how: string): Promise<void> => {
      if (busy.delete(session)) await session.unsafe(how);
    };
    const backUp = async (): Promise<void> => {
      const table = `backup_${seed}_${backups.length}`;
      await api.sql.unsafe(`create table ${table} as select * from changes`);
      await api.sql.unsafe(`create table ${table}_restores as select * from restores`);
      const [row] = await api.sql`select last_value from change_positions`;
      backups.push({ table, drawn: Number(row?.["last_value"]) });
    };
    const restore = async (): Promise<void> => {
      const backup = backups[below(backups.length)];
      if (backup === undefined) return;
      for (const session of sessions) await endOne(session, "rollback");
      await api.sql.begin(async (tx) => {
        await tx`delete from changes`;
        await tx.unsafe(`insert into changes select * from ${backup.table}`);
        await tx`select setval('change_positions', ${backup.drawn})`;
        await tx`delete from restores`;
        await tx.unsafe(`
          insert into restores overriding system value select * from ${backup.table}_restores`);
        await recordRestore(tx);
      });
      restores.push(backup);
      // The service notices the restore at its next request or, at the latest, at its next start.
      await clients[0].get("/crm/changes", { since: "now" });
    };
    const remove = async (): Promise<void> => {
      removals += 1;
      await api.sql`delete from changes where at < now() - interval '30 days'`;
    };

    atEnd(t, async () => {
      for (const session of sessions) await endOne(session, "rollback");
    });
    for (let at = 0; at < 30; at++) await log(api.sql, (40 - at / 4) * DAY_s);
    for (let step = 0; step < STEPS; step++) {
      const chance = random();
      if (readers.length < READERS) await startReader();
      if (chance < 0.45) await write();
      else if (chance < 0.6) await endOne(pick(sessions), pick(["commit", "commit", "rollback"]));
      else if (chance < 0.96) await read(pick(readers));
      else if (chance < 0.975) await backUp();
      else if (chance < 0.99) await restore();
      else await remove();
    }
    for (const { table } of backups) await api.sql.unsafe(`drop table ${table}, ${table}_restores`);
    t.diagnostic(JSON.stringify({ ...seen, restores: restores.length, removals }));
    assert.ok(seen.pages > 100 && seen.changes > 50 && seen.refused > 0 && restores.length > 2);
  });
}

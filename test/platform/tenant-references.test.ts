/** The tenant of each row is checked exactly once, because every check reads and locks the row of the tenant. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { migratedDatabase } from "../kit/database.ts";

/**
 * Tables with two references that check the tenant. References with a nullable column are ignored, because they do not
 * check every row.
 */
const TWICE = `
  with checked as (
    select c.oid, c.conrelid, c.confrelid, c.conkey from pg_constraint c
     where c.contype = 'f' and not exists (
             select from unnest(c.conkey) k join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k
              where not a.attnotnull)
       and exists (select from pg_attribute a
                    where a.attrelid = c.conrelid and a.attnum = any(c.conkey) and a.attname = 'tenant_id')
  )
  select a.conrelid::regclass::text as name from checked a
   where a.confrelid = 'tenants'::regclass
     and exists (select from checked b
                  where b.conrelid = a.conrelid and b.confrelid <> all (array[a.confrelid, a.conrelid]))`;

test("no table refers to both its tenant and a row of the same tenant", async (t) => {
  const { sql } = await migratedDatabase(t);
  const twice = await sql.unsafe(TWICE);
  assert.deepEqual(
    twice.map(({ name }) => name as string),
    [],
  );
});

test("a pushed lead of a tenant that does not exist is rejected all the same", async (t) => {
  const { sql } = await migratedDatabase(t);
  const inserting = sql`
    insert into pushed_leads (tenant_id, id, partner_id, name, source, status, possible_duplicate, submitted_ts)
    values (gen_random_uuid(), 'a', 'none', 'A', 'Web', 'pending', false, 0)`;
  await assert.rejects(inserting, /violates foreign key constraint/);
});

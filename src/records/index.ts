/** The record types and their operations. */

import sql from "sql-template-tag";
import { type BasicServices, COUNT_MAX, type Module } from "../platform/modules/index.ts";
import { forgetMerges } from "./merge/index.ts";
import { RECORD_COLUMNS } from "./personal-columns.ts";
import { recordOperations, type RecordsDeps, recordSchemas } from "./routes/index.ts";
import { RECORD_NAMES, TYPE_FACTS } from "./types/index.ts";
import type { Participant } from "./store/index.ts";
import { createRenaming } from "./write/index.ts";

interface WorkServices extends BasicServices {
  readonly participants: readonly Participant[];
}

export const recordsModule = {
  name: "records",
  imports: ["audit", "tenants", "access"],
  operations: (services: RecordsDeps) => ({ tenants: recordOperations(services) }),
  works: ({ sql: db, clock, makeId, participants }: WorkServices) => ({
    follow_rename: createRenaming(db, { makeId, participants }),
    purge_merges: () => forgetMerges(db, clock),
  }),
  schemas: recordSchemas,
  tags: {
    ...Object.fromEntries(
      RECORD_NAMES.map((name) => [TYPE_FACTS[name].table, TYPE_FACTS[name].description]),
    ),
    fields: "The record types and their fields, as data.",
  },
  personal: RECORD_COLUMNS,
  jobs: {
    rename: sql`
      select count(*)::int as pending,
             coalesce(extract(epoch from now())
               - ('x' || left(min(id), 8))::bit(32)::bigint::float8, 0) as age_s
        from (select id from renames order by id limit ${COUNT_MAX}) r`,
  },
} satisfies Module;

/** Releases for tests: this program's migrations together with further steps and back-fills. */

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { connect } from "../../src/platform/database/index.ts";
import {
  type Migrations,
  ownMigrations,
  readMigrations,
} from "../../src/platform/migrations/steps.ts";
import { migratedDatabase } from "../kit/database.ts";
import { atEnd } from "../kit/started.ts";
import { folder } from "../running/leadport.ts";

/** The schema version of this program, and of the two releases after it. */
export const { version: OWN } = ownMigrations();
export const NEXT = OWN + 1;
export const LATER = OWN + 2;

/** Returns a release with these files in addition to this program's, by their paths in `migrations`. */
export function releaseWith(t: TestContext, files: Readonly<Record<string, string>>): Migrations {
  const path = join(folder(t), "migrations");
  cpSync(ownMigrations().folder, path, { recursive: true });
  mkdirSync(join(path, "backfills"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return readMigrations(path);
}

const EXPAND = { [`${pad(NEXT)}.do.sizes.sql`]: "alter table notices add column size integer;" };
const BACKFILL = {
  "backfills/notice_sizes.sql": `-- leadport: backfill of notices since ${NEXT}
    update notices n set size = length(n.text) from batch b
     where n.author = b.author and n.id = b.id and n.size is null`,
};
const CONTRACT = {
  [`${pad(LATER)}.do.all-sizes.sql`]: `-- leadport: contract from ${NEXT}
    -- The column is never empty any more.
-- leadport: after backfill notice_sizes
    alter table notices alter column size set not null;`,
};

function pad(version: number): string {
  return String(version).padStart(3, "0");
}

/** The next release, whose back-fill fills the new column of the table `notices`. */
export const nextRelease = (t: TestContext): Migrations =>
  releaseWith(t, { ...EXPAND, ...BACKFILL });

/** The release after the next one, which requires the column to be filled. */
export const laterRelease = (t: TestContext): Migrations =>
  releaseWith(t, { ...EXPAND, ...BACKFILL, ...CONTRACT });

/** Returns a database of this release, with a table `notices` that has `rows` rows. */
export async function noticesDatabase(t: TestContext, rows: number) {
  const { url, sql } = await migratedDatabase(t);
  await sql`
    create table notices (author text, id integer, text text not null, primary key (author, id))`;
  await sql`
    insert into notices select 'author ' || n % 7, n, repeat('x', n % 50)
      from generate_series(1, ${rows}) n`;
  await sql`analyze notices`;
  const db = connect({ url, connections: 2, listTimeout_ms: 10_000 });
  atEnd(t, () => db.close());
  const missing = async (): Promise<number> => {
    const [row] = await sql`
      select count(*)::int as n from notices where size is distinct from length(text)`;
    return row?.["n"] as number;
  };
  return { url, sql, db, missing };
}

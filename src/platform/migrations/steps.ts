/**
 * Reads the files in migrations/. Each file with a number is a step that changes the schema. Files in the folder
 * `backfills` contain statements that fill new columns or tables of existing rows, which may take long.
 *
 * Steps are of two kinds. An expand step adds something that earlier programs ignore. A contract step removes or
 * tightens something that earlier programs use; its first lines say which programs can serve the database after it:
 *
 *     -- leadport: contract from 41
 *     -- leadport: after backfill lead_regions
 *
 * `41` is the schema version of the oldest such program, which must be an earlier release. A contract step first
 * completes the back-fills that it names. A step with `-- leadport: no transaction` runs outside of transactions, such
 * as `create index concurrently`.
 *
 * A back-fill names its table and the step that it belongs to: `-- leadport: backfill of leads since 40`. Its statement
 * changes the rows in the table expression `batch`, which has the columns of the table's primary key.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Step {
  readonly version: number;
  readonly file: string;
  readonly inTransaction: boolean;
  /** For contract steps: the schema version of the oldest program that can serve the database afterwards. */
  readonly from?: number;
  /** The back-fills that must be complete before this step. */
  readonly after: readonly string[];
}

export interface Backfill {
  readonly name: string;
  readonly table: string;
  /** The step that it belongs to. */
  readonly since: number;
  readonly statement: string;
}

export interface Migrations {
  readonly folder: string;
  /** The version of the last step, which is the schema version of the program. */
  readonly version: number;
  readonly steps: readonly Step[];
  readonly backfills: readonly Backfill[];
}

const FOLDER = join(import.meta.dirname, "../../../migrations");
const DIRECTIVE = /^-- leadport: (.+)$/gm;
const BACKFILL = /^backfill of (\w+) since (\d+)$/;

let own: Migrations | undefined;

/** Returns the migrations of this program. They are read once, because the files do not change while it runs. */
export const ownMigrations = (): Migrations => (own ??= readMigrations(FOLDER));

/** Reads the migrations in a folder. Throws an Error if a file has an unknown directive. */
export function readMigrations(folder: string): Migrations {
  const steps = readdirSync(folder)
    .filter((file) => /^\d+\.do\..+\.sql$/.test(file))
    .toSorted()
    .map((file) => stepOf(file, readFileSync(join(folder, file), "utf8")));
  const backfills = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /^backfills.\w+\.sql$/.test(file))
    .map((file) => backfillOf(file, readFileSync(join(folder, file), "utf8")))
    .toSorted((one, other) => one.since - other.since);
  return { folder, version: steps.at(-1)?.version ?? 0, steps, backfills };
}

const directivesOf = (text: string): readonly string[] =>
  [...text.matchAll(DIRECTIVE)].map(([, directive = ""]) => directive);

function stepOf(file: string, text: string): Step {
  let step: Step = { version: Number.parseInt(file, 10), file, inTransaction: true, after: [] };
  for (const directive of directivesOf(text)) {
    const [, from] = /^contract from (\d+)$/.exec(directive) ?? [];
    const [, after] = /^after backfill (\w+)$/.exec(directive) ?? [];
    if (from !== undefined) step = { ...step, from: Number(from) };
    else if (after !== undefined) step = { ...step, after: [...step.after, after] };
    else if (directive === "no transaction") step = { ...step, inTransaction: false };
    else throw new Error(`migrations/${file} has an unknown directive: ${directive}`);
  }
  return step;
}

function backfillOf(file: string, text: string): Backfill {
  const [, table, since] = BACKFILL.exec(directivesOf(text)[0] ?? "") ?? [];
  if (table === undefined) throw new Error(`migrations/${file} does not name its table and step`);
  const name = /(\w+)\.sql$/.exec(file)?.[1] ?? "";
  return { name, table, since: Number(since), statement: text };
}

/** Steps that run together: all in one transaction, or a single step outside of transactions. */
export interface Group {
  readonly steps: readonly Step[];
  readonly inTransaction: boolean;
  /** The back-fills to complete before the group. */
  readonly after: readonly string[];
}

/** Groups the steps from one version to another. A back-fill cannot run inside of a transaction, so it begins a group. */
export function groupsOf(steps: readonly Step[], from: number, to: number): readonly Group[] {
  const groups: { steps: Step[]; inTransaction: boolean; after: readonly string[] }[] = [];
  for (const step of steps) {
    if (step.version <= from || step.version > to) continue;
    const last = groups.at(-1);
    const continues = last?.inTransaction === true && step.inTransaction && step.after.length === 0;
    if (continues) last.steps.push(step);
    else groups.push({ steps: [step], inTransaction: step.inTransaction, after: step.after });
  }
  return groups;
}

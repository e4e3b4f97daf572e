/**
 * The releases of an upgrade: this checkout, and the two releases after it, which are copies with changes of the
 * schema. The next release adds a column to the table of leads, an index and a back-fill. The one after it requires the
 * column to have a value.
 */

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownMigrations } from "../../src/platform/migrations/index.ts";
import { ROOT } from "../guard/checkout.ts";

export interface Release {
  readonly version: string;
  readonly root: string;
}

const { version: OWN } = ownMigrations();
const NEXT = OWN + 2;
const COPIED = ["bin", "src", "migrations", "package.json", "openapi.json"];
const SHARED = ["node_modules", "console", "sdk", "docs"];

/** The value of the new column, computed from the body of a lead. */
const REGION = `coalesce(body->>'profession', 'none')`;

/** Selects the number of leads whose new column is wrong. */
export const WRONG_REGIONS = `
  select count(*)::int as n from leads where region is distinct from ${REGION}`;
export const BACKFILL = "lead_regions";

const step = (version: number, name: string): string =>
  `${String(version).padStart(3, "0")}.do.${name}.sql`;

const EXPAND = {
  [step(OWN + 1, "regions")]: "alter table leads add column region text;",
  [step(NEXT, "region-index")]: `-- leadport: no transaction
drop index concurrently if exists leads_region;
create index concurrently leads_region on leads (tenant_id, region, id);`,
  [`backfills/${BACKFILL}.sql`]: `-- leadport: backfill of leads since ${OWN + 1}
update leads l set region = ${REGION.replace("body", "l.body")} from batch b
 where l.tenant_id = b.tenant_id and l.id = b.id
   and l.region is distinct from ${REGION.replace("body", "l.body")}`,
};

/** Reading all rows in `set not null` would block requests, so a constraint is validated first. */
const CONTRACT = {
  [step(NEXT + 1, "known-regions")]: `-- leadport: contract from ${NEXT}
-- leadport: after backfill ${BACKFILL}
alter table leads add constraint leads_region_known check (region is not null) not valid;`,
  [step(NEXT + 2, "checked-regions")]: `-- leadport: contract from ${NEXT}
-- leadport: no transaction
alter table leads validate constraint leads_region_known;`,
  [step(NEXT + 3, "required-regions")]: `-- leadport: contract from ${NEXT}
alter table leads alter column region set not null;
alter table leads drop constraint leads_region_known;`,
};

/** What the next release does differently: it stores the new column with each write of a lead. */
const WRITES_REGIONS = {
  path: "src/records/store/table-sql.ts",
  changes: [
    [
      "const columns = storedColumns(type);",
      `const stored = storedColumns(type);
  const region = { name: "region", kind: "text" } as const;
  const columns = type.table === "leads" ? [...stored, region] : stored;`,
    ],
    [
      "body[name] ?? null",
      `body[name] ?? (name === "region" ? (body["profession"] ?? "none") : null)`,
    ],
  ],
} as const;

/** Returns this checkout as it is. */
export const thisRelease = (): Release => ({ version: versionIn(ROOT), root: ROOT });

/** Creates the two releases after this one in a folder. */
export function laterReleases(folder: string): { readonly next: Release; readonly later: Release } {
  const [major = 0, minor = 0] = versionIn(ROOT).split(".").map(Number);
  const version = (more: number): string => `${major}.${minor + more}.0`;
  return {
    next: copy(join(folder, "next"), version(1), EXPAND),
    later: copy(join(folder, "later"), version(2), { ...EXPAND, ...CONTRACT }),
  };
}

const versionIn = (root: string): string =>
  (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;

/** Copies this checkout with another version and further files in `migrations`. */
function copy(root: string, version: string, files: Readonly<Record<string, string>>): Release {
  for (const path of COPIED) cpSync(join(ROOT, path), join(root, path), { recursive: true });
  for (const path of SHARED) symlinkSync(join(ROOT, path), join(root, path));
  mkdirSync(join(root, "migrations/backfills"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(root, "migrations", name), text);
  }
  change(root, "package.json", [[/"version": "[^"]+"/, `"version": "${version}"`]]);
  change(root, WRITES_REGIONS.path, WRITES_REGIONS.changes);
  return { version, root };
}

function change(
  root: string,
  path: string,
  changes: readonly (readonly [from: string | RegExp, to: string])[],
): void {
  let text = readFileSync(join(root, path), "utf8");
  for (const [from, to] of changes) {
    const before = text;
    text = text.replace(from, () => to);
    if (text === before) throw new Error(`${path} does not contain ${String(from)}`);
  }
  writeFileSync(join(root, path), text);
}

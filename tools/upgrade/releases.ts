/** The commits that `npm run test:upgrade` upgrades from. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../bench/guard/checkout.ts";

export interface Release {
  /** The version of a release, or the commit if it is not a release. */
  readonly version: string;
  readonly commit: string;
}

/**
 * Commits from before the first release, which no list of releases contains. The first is the last one before releases
 * could run side by side (schema version 38). The second is 150 commits older (schema version 36), with other versions
 * of the packages: three migrations ago, pushed leads had no table for their facts.
 */
const BEFORE_RELEASES = ["6d27ac55", "f4b19ffe"];

/** Returns the releases in releases.json, oldest first. */
export function releases(): readonly Release[] {
  const path = join(ROOT, "releases.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Release[]) : [];
}

/** Returns all releases, the commits from before the first release, and the given commits. */
export const releasesBefore = (given: readonly string[]): readonly Release[] => [
  ...releases(),
  ...[...BEFORE_RELEASES, ...given].map((commit) => ({ version: commit, commit })),
];

/** Whether the release in a checkout can run side by side with a later one, as releases since 0.2.0 can. */
export const runsSideBySide = (root: string): boolean =>
  existsSync(join(root, "src/platform/migrations/processes.ts"));

/** `leadport upgrade --check`: what this version would change in the database, and what to do before. Changes nothing. */

import { statfsSync } from "node:fs";
import { readStatus } from "../backup/index.ts";
import { systemClock } from "../platform/clock/index.ts";
import { clusterFolder } from "../platform/embedded/index.ts";
import { type PlannedWork, planUpgrade, type UpgradePlan } from "../platform/migrations/index.ts";
import { VERSION } from "../platform/storage/index.ts";
import { sizeText } from "../quotas/index.ts";
import { type Config, loadConfig } from "../settings/index.ts";
import { type Command, UsageError } from "./command.ts";
import { asStartError } from "./database-refusal.ts";
import { columns, JSON_OPTION, printResult } from "./output.ts";
import { mustBeInstalled } from "./installation.ts";
import { readDatabase } from "./read-database.ts";

export const command: Command = {
  options: {
    check: { type: "boolean", doc: "Print what the upgrade would do. Required." },
    ...JSON_OPTION,
  },
  notes:
    "Run it with the new version, before you start that version. It works while the service is\n" +
    "running or stopped, and changes nothing. Exits with 1 if something must be done first. To\n" +
    "migrate, run `leadport migrate`, or start the new version. See docs/upgrading.md.",
  examples: ["leadport upgrade --check", "leadport upgrade --check --json"],
  run: async ({ values, env, output }) => {
    if (values["check"] !== true) {
      throw new UsageError(
        "Add --check to see what the upgrade would do. To migrate, run leadport migrate.",
      );
    }
    const config = loadConfig(env);
    mustBeInstalled(config);
    const check = await readDatabase(config, "leadport upgrade", async (db, isRunning) =>
      checkPlan(await planUpgrade(db), { config, isRunning }),
    ).catch((error: unknown) => {
      throw asStartError(error);
    });
    printResult({ values, output }, check, linesOf(check).join("\n"));
    return check.obstacles.length > 0 ? 1 : 0;
  },
};

interface Surroundings {
  readonly config: Config;
  /** Whether another process runs the embedded database. */
  readonly isRunning: boolean;
}

interface UpgradeCheck {
  /** The version of Leadport that checks, and its schema version. */
  readonly release: string;
  readonly schema_version: number;
  readonly from: number;
  readonly to: number;
  readonly work: readonly PlannedWork[];
  readonly needed_bytes: number;
  /** Null if the database is on another machine. */
  readonly free_bytes: number | null;
  /** Null if there is no automatic backup. */
  readonly backup_age_s: number | null;
  readonly processes: UpgradePlan["processes"];
  /** What must be done before the upgrade. */
  readonly obstacles: readonly string[];
}

function checkPlan(plan: UpgradePlan, { config, isRunning }: Surroundings): UpgradeCheck {
  const { state, wanted, work, processes } = plan;
  const needed_bytes = work.reduce((sum, { bytes }) => sum + bytes, 0);
  const free_bytes = freeSpace(config);
  return {
    release: VERSION,
    schema_version: wanted,
    from: state.version,
    to: Math.max(state.version, wanted),
    work,
    needed_bytes,
    free_bytes,
    backup_age_s: backupAge(config),
    processes,
    obstacles: [
      ...(plan.isPossible
        ? []
        : ["This version cannot serve the database. Install the release that migrated it."]),
      ...plan.mustStop.map(
        ({ kind, pid, host, release }) =>
          `Stop the ${kind} ${pid} on ${host}: version ${release} cannot serve the new schema.`,
      ),
      ...(plan.mustStopAll && isRunning
        ? ["Stop the service: releases before 0.2.0 cannot run next to this version."]
        : []),
      ...(free_bytes !== null && needed_bytes > free_bytes
        ? [`Free disk space: up to ${sizeText(needed_bytes)} are needed.`]
        : []),
    ],
  };
}

function freeSpace({ databaseUrl, dataDir }: Config): number | null {
  if (databaseUrl !== undefined) return null;
  const { bavail, bsize } = statfsSync(clusterFolder(dataDir));
  return bavail * bsize;
}

function backupAge({ backupDir }: Config): number | null {
  const { succeeded_at } = backupDir === undefined ? {} : readStatus(backupDir);
  if (succeeded_at === undefined) return null;
  return Math.floor((systemClock().now_ms() - Date.parse(succeeded_at)) / 1000);
}

function linesOf(check: UpgradeCheck): readonly string[] {
  const { from, to, work, free_bytes, needed_bytes, backup_age_s, processes, obstacles } = check;
  const backup =
    backup_age_s === null
      ? "none in BACKUP_DIR, and other backups are not known: take one before the upgrade (leadport backup <folder>, or pg_dump)"
      : `${(backup_age_s / 3600).toLocaleString("en", { maximumFractionDigits: 1 })} hours old`;
  return [
    `Leadport ${check.release}, schema version ${check.schema_version}`,
    from === to
      ? `The database is at version ${to}.`
      : `The database goes from version ${from} to ${to}.`,
    ...(work.length > 0 ? [columns(work.map(cellsOf))] : []),
    ...(work.length === 0 && obstacles.length === 0 ? ["There is nothing to do."] : []),
    `Disk space: ${sizeText(needed_bytes)} needed, ${free_bytes === null ? "the database is elsewhere" : `${sizeText(free_bytes)} free`}`,
    `Newest backup: ${backup}`,
    ...processes.map(
      ({ kind, pid, host, release }) => `Running: ${kind} ${pid} on ${host}, version ${release}`,
    ),
    ...obstacles.map((text) => `Before the upgrade: ${text}`),
  ];
}

const KINDS: Readonly<Record<PlannedWork["kind"], string>> = {
  step: "step",
  contract: "contract step",
  index: "index",
  backfill: "back-fill",
  completion: "back-fill",
};

const WHEN: Readonly<Record<PlannedWork["kind"], string>> = {
  step: "while requests wait",
  contract: "while requests wait",
  index: "while requests are served",
  backfill: "in the background",
  completion: "before the contract step, while requests are served",
};

const cellsOf = ({ file, kind, rows, seconds }: PlannedWork): readonly string[] => [
  `  ${KINDS[kind]}`,
  file,
  rows === 0
    ? "less than a second"
    : `about ${seconds.toLocaleString("en")} s for ${rows.toLocaleString("en")} rows, ${WHEN[kind]}`,
];

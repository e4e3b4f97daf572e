/** `leadport doctor`: checks an installation and prints how to fix problems. Changes nothing. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, loadConfig } from "../../settings/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { type Db, run } from "../../platform/database/index.ts";
import { asStartError } from "../database-refusal.ts";
import { messageOf, StartError, withoutPersonalData } from "../../platform/errors/index.ts";
import { clusterFolder } from "../../platform/embedded/index.ts";
import type { Command } from "../command.ts";
import { JSON_OPTION, printResult } from "../output.ts";
import { readDatabase } from "../read-database.ts";
import { fault, runCheck, skipped, type Finding, type Found } from "./doctor-check.ts";
import { checkBackups, checkErasureLog, checkHeldDeliveries } from "./doctor-backup.ts";
import { checkCounters, checkJobs, checkTemplates } from "./doctor-data.ts";
import * as database from "./doctor-database.ts";
import { checkCertificate, checkDisk, checkFolder } from "./doctor-files.ts";

export const command: Command = {
  options: JSON_OPTION,
  notes:
    "Works while the service is running or stopped, and changes nothing. Starts a stopped embedded\n" +
    "database during the checks. Exits with 1 if a check found an error, otherwise with 0.",
  examples: ["leadport doctor", "leadport doctor --json"],
  run: async ({ values, env, output }) => {
    const findings = await examine(env);
    const isWrong = findings.some(({ status }) => status === "error");
    printResult({ values, output }, { ok: !isWrong, findings }, findings.flatMap(lines).join("\n"));
    return isWrong ? 1 : 0;
  },
};

/** The width of the column with the checks' names. All names are shorter. */
const CHECK_WIDTH = 16;

const lines = ({ check, status, message, remedy }: Finding): readonly string[] => [
  `${status.padEnd(8)} ${check.padEnd(CHECK_WIDTH)} ${message}`,
  ...(remedy === undefined ? [] : [`${" ".repeat(CHECK_WIDTH + 10)}${remedy}`]),
];

async function examine(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  let config: Config;
  try {
    config = loadConfig(env);
  } catch (error) {
    const message = messageOf(error).replaceAll(/\s*\n\s*/g, " ");
    return [{ check: "settings", ...fault(message, "See docs/configuration.md.") }];
  }
  return [
    ...(await runCheck("folder", () => checkFolder(config))),
    ...(await runCheck("disk", () => checkDisk(config))),
    ...(await runCheck("certificate", () => checkCertificate(config, systemClock().now_ms()))),
    ...(await runCheck("backups", () => checkBackups(config, systemClock()))),
    ...(await runCheck("erasure log", () => checkErasureLog(config))),
    ...(await examineDatabase(config)),
  ];
}

async function examineDatabase(config: Config): Promise<readonly Finding[]> {
  const missing = config.databaseUrl === undefined ? missingCluster(config) : undefined;
  if (missing !== undefined) return [{ check: "database", ...missing }];
  try {
    return await readDatabase(config, "leadport doctor", async (db) => {
      await run(db)`select 1`;
      return checkDatabase(db, config);
    });
  } catch (error) {
    const shown = asStartError(error) as Error & { readonly code?: unknown };
    const cause = withoutPersonalData(`${String(shown.code ?? shown.name)}: ${shown.message}`);
    const message =
      shown instanceof StartError ? shown.message : `Cannot use the database (${cause}).`;
    const remedy = "Fix the cause and run `leadport doctor` again.";
    return [{ check: "database", ...fault(message, remedy) }];
  }
}

/**
 * Returns a finding if the embedded database does not exist. Connecting would create the database, but a check must not
 * change anything.
 */
function missingCluster({ dataDir }: Config): Found | undefined {
  if (!existsSync(dataDir)) return skipped("There is no database yet.");
  const folder = clusterFolder(dataDir);
  if (existsSync(join(folder, "data/PG_VERSION"))) return undefined;
  const remedy =
    "Restore the folder from a backup, or start the service once to create a database.";
  return fault(`${folder} contains no database that this user can read.`, remedy);
}

async function checkDatabase(sql: Db, config: Config) {
  const findings = [
    ...(await runCheck("clock", () => database.checkClock(sql, systemClock()))),
    ...(await runCheck("version", () => database.checkVersion(sql))),
    ...(await runCheck("settings", () => database.checkSettings(sql))),
  ];
  const schema = await runCheck("migrations", () => database.checkMigrations(sql));
  findings.push(...schema);
  if (schema.some(({ status }) => status === "error")) {
    return [...findings, { check: "data", ...skipped("The schema has a different version.") }];
  }
  return [
    ...findings,
    ...(await runCheck("master key", () => database.checkKey(sql, config))),
    ...(await runCheck("jobs", () => checkJobs(sql))),
    ...(await runCheck("held deliveries", () => checkHeldDeliveries(sql))),
    ...(await runCheck("counters", () => checkCounters(sql))),
    ...(await runCheck("templates", () => checkTemplates(sql, config))),
  ];
}

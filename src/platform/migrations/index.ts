/** The database's schema: its migrations, the programs that can serve it, and the running processes. */

export { readBackfills } from "./backfill-state.ts";
export { backfillTask } from "./backfill-task.ts";
export { migrate, migrateDatabase } from "./migrate.ts";
export { type PlannedWork, planUpgrade, type UpgradePlan } from "./plan.ts";
export { registerProcess, runningProcesses } from "./processes.ts";
export { release } from "./release.ts";
export { requireProgram } from "./require-program.ts";
export {
  markIncomplete,
  migrationState,
  mustBeComplete,
  mustBeMigrated,
  readRefusal,
} from "./schema-state.ts";
export { serverVersion } from "./server-version.ts";
export { ownMigrations } from "./steps.ts";

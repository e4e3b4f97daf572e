/** The database's schema: its migrations, the programs that can serve it, and the running processes. */

export { type BackfillState, readBackfills } from "./backfill.ts";
export { migrate, migrateDatabase } from "./migrate.ts";
export { registerProcess, type RunningProcess, runningProcesses } from "./processes.ts";
export { requireProgram } from "./require-program.ts";
export {
  canServe,
  markIncomplete,
  migrationState,
  mustBeComplete,
  mustBeMigrated,
  readSchemaState,
} from "./schema-state.ts";
export { serverVersion } from "./server-version.ts";
export { type Backfill, groupsOf, type Migrations, ownMigrations } from "./steps.ts";
export { backfillTask } from "./backfill-task.ts";

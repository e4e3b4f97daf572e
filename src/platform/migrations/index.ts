/** The database's schema: its migrations and its state. */

export {
  markIncomplete,
  migrate,
  migrateDatabase,
  migrationState,
  mustBeComplete,
  mustBeMigrated,
  serverVersion,
} from "./migrate.ts";

/** Applies steps with postgrator, which records them in the table `schema_migrations` and checks applied files. */

import Postgrator from "postgrator";
import sql, { raw } from "sql-template-tag";
import { type Connection, run } from "../database/index.ts";
import { messageOf, StartError } from "../errors/index.ts";
import { TABLE } from "./schema-state.ts";
import { statementsOf } from "./statements-of.ts";
import type { Group, Migrations } from "./steps.ts";

/** Applies the steps of a group. Throws a StartError that names the file of the step that failed. */
export async function applyGroup(
  db: Connection,
  { steps, inTransaction }: Group,
  { folder }: Migrations,
): Promise<void> {
  const postgrator = new Postgrator({
    driver: "pg",
    schemaTable: TABLE,
    // The path may contain characters that are special in glob patterns.
    migrationPattern: `${folder.replace(/[?*()[\]{}\\!+@]/g, "\\$&")}/*.sql`,
    newline: "LF",
    execQuery: async (query) => ({ rows: await run(db, sql`${raw(query)}`) }),
    execSqlScript: async (script) => {
      for (const statement of statementsOf(script)) await run(db, sql`${raw(statement)}`);
    },
  });
  let current = "";
  postgrator.on("migration-started", ({ filename }) => (current = filename));
  try {
    await postgrator.migrate(String(steps.at(-1)?.version));
  } catch (error) {
    const text = messageOf(error);
    const file = /MD5/.test(text) ? "an applied migration file has been changed" : current;
    const outcome = inTransaction ? "failed and was rolled back" : "failed";
    throw new StartError(`The migration ${outcome}: ${file}: ${text}`, { cause: error });
  }
}

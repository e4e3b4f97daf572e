/** Excludes programs of earlier releases from a database that they cannot serve. */

import { type Connection, run, type Tx } from "../database/index.ts";
import { AppError } from "../errors/index.ts";
import { lockProcesses, nameOf, type RunningProcess, runningProcesses } from "./processes.ts";
import { readSchemaState } from "./schema-state.ts";

/**
 * Makes sure that only programs with the schema version `from` or later serve the database, because earlier ones would
 * ignore or lose data. Call it in the transaction that makes the difference, such as the one that stores the first
 * value of a new kind. `reason` is the end of a sentence, such as "custom fields are defined". Throws 409 with the
 * names of processes that are too old and still running. Until the transaction ends, no process can start.
 */
export async function requireProgram(tx: Tx, from: number, reason: string): Promise<void> {
  const { serves_from } = await readSchemaState(tx);
  if (serves_from >= from) return;
  await lockProcesses(tx);
  await refuseOlder(tx, from);
  await run(tx)`
    update schema_state set serves_from = ${from}, reason = ${reason} where serves_from < ${from}`;
}

/** Throws `OlderProcesses` if processes with an earlier schema version than `from` are running. */
export async function refuseOlder(db: Connection, from: number): Promise<void> {
  const older = (await runningProcesses(db)).filter(({ schema_version }) => schema_version < from);
  if (older.length > 0) throw new OlderProcesses(older);
}

/** Thrown if processes of earlier releases are running that cannot serve the database after a change. */
export class OlderProcesses extends AppError {
  constructor(older: readonly RunningProcess[]) {
    const names = older.map(nameOf).join("; ");
    super("conflict", {
      detail:
        `Processes of an earlier release are still running: ${names}. Upgrade or stop them first. ` +
        "A process that was killed is listed for up to a minute.",
    });
  }
}

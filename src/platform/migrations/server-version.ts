/** The version of the PostgreSQL server. */

import { type Connection, run } from "../database/index.ts";
import { StartError } from "../errors/index.ts";

/** The oldest supported version, PostgreSQL 15, in the format of `server_version_num`. */
const OLDEST_SERVER = 150_000;

/** Throws a StartError if the server is too old. */
export async function checkServer(sql: Connection): Promise<void> {
  const { version, supported } = await serverVersion(sql);
  if (!supported) {
    throw new StartError(
      `Leadport needs PostgreSQL 15 or newer. This server is version ${version}.`,
    );
  }
}

export async function serverVersion(db: Connection) {
  const [row] = await run<{ number: number; version: string }[]>(db)`
    select current_setting('server_version_num')::int as number,
           current_setting('server_version') as version`;
  const { number = 0, version = "" } = row ?? {};
  return { version, supported: number >= OLDEST_SERVER };
}

/** Describes the database in the manifests of logical and physical backups. */

import { type Connection, run } from "../platform/database/index.ts";
import { migrationState } from "../platform/migrations/index.ts";
import { notedFingerprints } from "../platform/secrets/index.ts";

export async function describeDatabase(db: Connection) {
  const [server] = await run<{ version: string; major: number }[]>(db)`
    select split_part(current_setting('server_version'), ' ', 1) as version,
           current_setting('server_version_num')::int / 10000 as major`;
  const { current } = await migrationState(db);
  return {
    schema_version: current,
    postgres_version: server?.version ?? "",
    postgres_major: server?.major ?? 0,
    key_fingerprints: [...(await notedFingerprints(db))],
  };
}

/** Describes the machine that was measured, for the first line of a report. */

import { availableParallelism, cpus, release, totalmem } from "node:os";
import { withDatabase } from "./database.ts";
import type { Service } from "./service.ts";

export async function machineOf({ databaseUrl }: Service): Promise<string> {
  const [row] = await withDatabase(databaseUrl, ({ query }) =>
    query<
      Readonly<Record<string, string>>
    >(`select current_setting('server_version') as version, current_setting('fsync') as fsync,
                  current_setting('shared_buffers') as buffers`),
  );
  return [
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"})`,
    `${(totalmem() / 1024 ** 3).toFixed(0)} GB of memory`,
    `${process.platform} ${release().split(".", 2).join(".")}`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${row?.["version"]} with fsync ${row?.["fsync"]} and shared_buffers ${row?.["buffers"]}`,
  ].join(", ");
}

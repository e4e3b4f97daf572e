/**
 * The PostgreSQL server that the tests share: the service's embedded server, in a folder that is removed when the
 * server stops.
 */

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../src/platform/embedded/index.ts";

export interface TestServer {
  /** A superuser's connection string. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const SIZE = { memory_bytes: 512 * 1024 * 1024, connections: 100 } as const;
/** Settings of the shared server, whose data need not survive a crash. Tests of crashes start separate servers. */
export const NOT_DURABLE = { fsync: "off", full_page_writes: "off" } as const;

/** Starts a server with the product's own settings, except for those in `further`. */
export async function startTestServer(
  further: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  // exit() stops the database. A signal alone would not.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => process.exit(1));
  }
  const folder = await mkdtemp(join(tmpdir(), "leadport-test-"));
  // If the test runs as root, PostgreSQL runs as another user, who must have access to the folder.
  await chmod(folder, 0o711);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const dataDir = join(folder, "data");
    const { url, stop } = await startEmbedded({
      dataDir,
      ...SIZE,
      further: () => Promise.resolve(further),
    });
    return {
      url,
      stop: async () => {
        await stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

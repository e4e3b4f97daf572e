/**
 * The PostgreSQL server that tests share: the service's own database server, in a folder that is
 * removed when it is stopped.
 */

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../src/platform/embedded/index.ts";

export interface TestServer {
  /** The connection string of a superuser. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const SIZE = { memory_bytes: 512 * 1024 * 1024, connections: 40 } as const;

export async function startTestServer(): Promise<TestServer> {
  // exit() stops the database; a signal alone would not.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => process.exit(1));
  }
  const folder = await mkdtemp(join(tmpdir(), "leadport-test-"));
  // If started by root, the database belongs to another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const dataDir = join(folder, "data");
    const { url, stop } = await startEmbedded({ dataDir, ...SIZE });
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

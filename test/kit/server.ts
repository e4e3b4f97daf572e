/** The PostgreSQL that tests share: the service's own, in a folder that goes when it is stopped. */

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../src/platform/embedded/index.ts";

export interface TestServer {
  /** A superuser's address. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export async function startTestServer(): Promise<TestServer> {
  // exit() stops the database, a signal by itself would not.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => process.exit(1));
  }
  const folder = await mkdtemp(join(tmpdir(), "leadport-test-"));
  // As root the database belongs to another user, who has to pass through.
  await chmod(folder, 0o711);
  const { url, stop } = await startEmbedded({
    dataDir: join(folder, "data"),
    memory_bytes: 512 * 1024 * 1024,
    connections: 40,
  });
  return {
    url,
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

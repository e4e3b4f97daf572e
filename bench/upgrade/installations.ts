/** Copies of a filled data folder, with the database as an external server or as the service's own. */

import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../src/platform/embedded/index.ts";
import { checkOut, commitOf, removeCheckout } from "../guard/checkout.ts";
import { filled } from "../loads/fill.ts";
import { placeOf, type Values } from "../options.ts";
import { type Env, endAll } from "./processes.ts";
import { type Release, thisRelease } from "./releases.ts";

const MEMORY_bytes = 2 * 1024 ** 3;
const CONNECTIONS = 150;
/** Longer than the load balancer needs to notice that a process stops. */
const DRAIN_s = 4;

export interface Place {
  readonly folder: string;
  readonly dataDir: string;
  readonly token: string;
  /** The release that has filled the data folder. */
  readonly first: Release;
  readonly env: Env;
}

/** Runs `work` on a copy of the data folder of a commit or, by default, of this checkout. Removes everything after it. */
export async function withPlace<T>(values: Values, work: (place: Place) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "leadport-bench-upgrade-"));
  // If root runs the benchmark, the database runs as another user, who needs access to the folder.
  chmodSync(folder, 0o711);
  const checkout = join(folder, "checkout");
  // Ends what was started, too.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const commit = values["from"] ? await commitOf(values["from"]) : undefined;
  try {
    const { rows, dataDir: source } = placeOf(values);
    let first = thisRelease();
    let filledDir = source;
    if (commit === undefined) await filled(source, rows);
    else {
      await checkOut(commit, checkout);
      first = { version: commit.slice(0, 8), root: checkout };
      filledDir = `${source}-${first.version}`;
      fillWith(checkout, filledDir, rows);
    }
    const dataDir = join(folder, "data");
    execFileSync("cp", ["-a", "--reflink=auto", filledDir, dataDir]);
    const token = secret(dataDir, "owner-token");
    const env = {
      PORT: "0",
      RATE_LIMIT: "off",
      ANONYMOUS_RATE_LIMIT: "off",
      OUTGOING_ALLOW: "127.0.0.1",
    };
    return await work({ folder, dataDir, token, first, env });
  } finally {
    await endAll();
    if (commit !== undefined) await removeCheckout(checkout);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills a data folder with the code of another checkout, whose schema is older. */
function fillWith(checkout: string, dataDir: string, rows: number): void {
  const script = `
    const { filled } = await import(${JSON.stringify(join(checkout, "bench/loads/fill.ts"))});
    await filled(${JSON.stringify(dataDir)}, ${rows});`;
  const options = { cwd: checkout, stdio: "inherit" } as const;
  execFileSync(process.execPath, ["--input-type=module", "-e", script], options);
}

const secret = (dataDir: string, name: string): string =>
  readFileSync(join(dataDir, name), "utf8").trim();

/** Runs `work` while the database runs as an external server. */
export async function withServer<T>(
  { dataDir, folder, env }: Place,
  work: (databaseUrl: string, env: Env) => Promise<T>,
): Promise<T> {
  const { url, stop } = await startEmbedded({
    dataDir,
    memory_bytes: MEMORY_bytes,
    connections: CONNECTIONS,
  });
  try {
    return await work(url, {
      ...env,
      DATA_DIR: join(folder, "files"),
      DATABASE_URL: url,
      MASTER_KEY: secret(dataDir, "master-key"),
      SHUTDOWN_DRAIN_S: String(DRAIN_s),
    });
  } finally {
    await endAll();
    await stop();
  }
}

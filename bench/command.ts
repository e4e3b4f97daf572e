/** Commands as an operator runs them, next to a running service. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const COMMAND = join(import.meta.dirname, "../bin/leadport");

/** Runs a command on a data folder. Returns how long it took, in seconds. Throws with its errors if it fails. */
export async function secondsOf(args: readonly string[], dataDir: string): Promise<number> {
  const env = { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, LOG_LEVEL: "warn" };
  const started = performance.now();
  await promisify(execFile)(process.execPath, [COMMAND, ...args], { env });
  return (performance.now() - started) / 1000;
}

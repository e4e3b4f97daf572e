/** Runs Leadport commands while a service is running, as an operator does. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const COMMAND = join(import.meta.dirname, "../bin/leadport");

/**
 * Runs a command on a data folder. Returns how long it took, in seconds. Throws an error that contains the command's
 * error output if the command fails.
 */
export async function secondsOf(
  args: readonly string[],
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<number> {
  const path = process.env["PATH"] ?? "";
  const env = { PATH: path, DATA_DIR: dataDir, LOG_LEVEL: "warn", ...settings };
  const started = performance.now();
  await promisify(execFile)(process.execPath, [COMMAND, ...args], { env });
  return (performance.now() - started) / 1000;
}

/** Command lines that only print help or an error, run in this process, because a new process takes a second to start. */

import { runCommandLine } from "../../src/command-line.ts";
import type { Ended } from "./leadport.ts";

/** Runs a command line. Returns what it printed itself, without the output of the command. */
export async function printed(
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  let out = "";
  let err = "";
  const output = {
    log: (text: string) => void (out += `${text}\n`),
    error: (text: string) => void (err += `${text}\n`),
  };
  const code = await runCommandLine(words, env, output);
  return { code, out, err };
}

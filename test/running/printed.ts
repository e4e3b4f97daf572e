/** Runs command lines in the test's own process, because a new process takes a second to start. */

import { inspect } from "node:util";
import { runCommandLine } from "../../src/command-line.ts";
import type { Ended } from "./leadport.ts";

/** Runs a command line. Returns what it printed, except for files that it streams to standard output. */
export async function printed(
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  let out = "";
  let err = "";
  const output = {
    log: (text: string) => void (out += `${text}\n`),
    error: (text: unknown) => void (err += `${typeof text === "string" ? text : inspect(text)}\n`),
  };
  const code = await runCommandLine(words, env, output);
  return { code, out, err };
}

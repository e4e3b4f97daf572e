/** `--processes`, which goes before the setting of that name. */

import { processes } from "../../settings/index.ts";
import { type Given, optional, type Option, UsageError } from "../command.ts";

export const PROCESSES: Readonly<Record<string, Option>> = {
  processes: {
    type: "string",
    value: "<n|auto>",
    doc: "How many processes serve on the port (1), or one for each core.",
  },
};

/** The environment with what the option says. Throws a UsageError where that is no such number. */
export function withProcesses(given: Given): NodeJS.ProcessEnv {
  const text = optional(given, "processes");
  if (text === undefined) return given.env;
  try {
    return { ...given.env, PROCESSES: String(processes(text)) };
  } catch (error) {
    throw new UsageError(`--processes ${(error as Error).message}, not ${JSON.stringify(text)}`);
  }
}

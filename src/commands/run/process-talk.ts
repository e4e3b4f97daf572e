/** The messages between the first process and those that serve for it, and the mark of the latter. */

import type { Figures } from "../../platform/metrics/index.ts";
import { processes } from "../../settings/index.ts";
import { type Given, optional, type Option, UsageError } from "../command.ts";

export type FromServing =
  /** The reason, as it is told at the command line. */
  | { readonly kind: "cannot start"; readonly reason: string }
  | { readonly kind: "figures"; readonly id: number; readonly figures: Figures }
  | { readonly kind: "metrics?"; readonly id: number };

export type ToServing =
  | { readonly kind: "figures?"; readonly id: number }
  | { readonly kind: "metrics"; readonly id: number; readonly text: string }
  | { readonly kind: "no metrics"; readonly id: number; readonly reason: string }
  | { readonly kind: "stop" };

/** Holds the first process's pid. Not node:cluster's own mark: process managers set that one, too. */
const MARK = "LEADPORT_SERVES_FOR";

export const servesForAnother = (env: NodeJS.ProcessEnv): boolean => env[MARK] !== undefined;

/** What differs for a process that serves on the port of this one, which is its parent. */
export const environmentOfServing = (): NodeJS.ProcessEnv => ({
  [MARK]: String(process.pid),
  PROCESSES: "1",
  LEADPORT_LAUNCHER: undefined,
  npm_lifecycle_event: undefined,
});

/** `--processes`, which goes before the setting of that name. */
export const PROCESSES: Readonly<Record<string, Option>> = {
  processes: {
    type: "string",
    value: "<n|auto>",
    doc: "Processes that serve the API on the port. Default: 1. auto leaves cores for the database.",
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

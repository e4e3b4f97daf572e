/**
 * Defines the messages between the first process and its serving processes, and how a serving process is recognized.
 */

import type { Figures } from "../../platform/metrics/index.ts";
import { processes } from "../../settings/index.ts";
import { type Given, optional, type Option, UsageError } from "../command.ts";
import { messageOf } from "../../platform/errors/index.ts";

export type FromServing =
  /** The first process prints `reason` on the command line. */
  | { readonly kind: "cannot start"; readonly reason: string }
  | { readonly kind: "figures"; readonly id: number; readonly figures: Figures }
  | { readonly kind: "metrics?"; readonly id: number };

export type ToServing =
  | { readonly kind: "figures?"; readonly id: number }
  | { readonly kind: "metrics"; readonly id: number; readonly text: string }
  | { readonly kind: "no metrics"; readonly id: number; readonly reason: string }
  | { readonly kind: "stop" };

/**
 * The environment variable that contains the first process's pid. node:cluster's own variable cannot be used, because
 * process managers set it too.
 */
const PARENT_VARIABLE = "LEADPORT_SERVES_FOR";

export const servesForAnother = (env: NodeJS.ProcessEnv): boolean =>
  env[PARENT_VARIABLE] !== undefined;

/** Returns the environment changes for serving processes, which are children of this process. */
export const environmentOfServing = (): NodeJS.ProcessEnv => ({
  [PARENT_VARIABLE]: String(process.pid),
  PROCESSES: "1",
  LEADPORT_LAUNCHER: undefined,
  npm_lifecycle_event: undefined,
});

/** The option `--processes`, which overrides the setting. */
export const PROCESSES: Readonly<Record<string, Option>> = {
  processes: {
    type: "string",
    value: "<n|auto>",
    doc: "Number of serving processes. Default: 1. auto leaves some cores for the database.",
  },
};

/** Applies the option to the environment. Throws a UsageError if its value is invalid. */
export function withProcesses(given: Given): NodeJS.ProcessEnv {
  const text = optional(given, "processes");
  if (text === undefined) return given.env;
  try {
    return { ...given.env, PROCESSES: String(processes(text)) };
  } catch (error) {
    throw new UsageError(`--processes ${messageOf(error)}, not ${JSON.stringify(text)}`);
  }
}

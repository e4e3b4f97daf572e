/** The definition of a command: its arguments, its options and its action. */

import type { Issue } from "../platform/errors/index.ts";

export interface Option {
  readonly type: "string" | "boolean";
  /** The placeholder for the value in the help text, such as `<name>`. */
  readonly value?: string;
  readonly multiple?: boolean;
  readonly doc: string;
}

/** Where a command prints its result (`log`), and hints and errors (`error`). */
export type Output = Pick<Console, "log" | "error">;

export interface Given {
  /** Option values by name: a string, true for a flag, or a list if the option may be repeated. */
  readonly values: Readonly<
    Record<string, string | boolean | readonly (string | boolean)[] | undefined>
  >;
  readonly positionals: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
}

export interface Command {
  /** Placeholders for the positional arguments, such as `<type> <file>`. Brackets mark an optional one: `[folder]`. */
  readonly positionals?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  /** The allowed values of a placeholder (`<type>`) or an option (`format`), for shell completion. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Text shown below the options in the help. */
  readonly notes?: string;
  /** Example command lines, which work exactly as shown. */
  readonly examples: readonly [string, ...string[]];
  /**
   * Whether the command handles signals itself and shuts down cleanly. Other commands exit immediately when they
   * receive a signal.
   */
  readonly handlesSignals?: true;
  /**
   * Resolves when the command is done, with its exit code if that is not 0. Throws UsageError (exit 2) or StartError
   * (exit 1).
   */
  readonly run: (given: Given) => Promise<number | void>;
}

/** An entry in the command table. A command's code is loaded only when the command is run. */
export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

/** All commands by name. A name has one or two words, such as `tenant create`. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

/** Thrown if the command line is invalid (exit code 2). */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Throws a UsageError if a body has issues. `names` has the placeholders or options that differ from their members. */
export function refuseIssues(
  issues: readonly Issue[],
  names: Readonly<Record<string, string>> = {},
): void {
  if (issues.length === 0) return;
  const lines = issues.map(({ loc, msg }) => {
    const member = loc.slice(1).join(" ");
    return `${names[member] ?? `--${member}`}: ${msg.replace(/^Value error, /, "")}`;
  });
  throw new UsageError(lines.join("\n"));
}

export function required({ values }: Given, name: string): string {
  const value = values[name];
  if (typeof value === "string" && value !== "") return value;
  throw new UsageError(`The option --${name} is missing.`);
}

export function optional({ values }: Given, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

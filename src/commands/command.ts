/** What a command of the command line is: its arguments, its options and what it does. */

export interface Option {
  readonly type: "string" | "boolean";
  /** The placeholder of the value in the help: `<name>`. */
  readonly value?: string;
  readonly multiple?: boolean;
  readonly doc: string;
}

export interface Given {
  /** By option name: a string, true, or a list if the option may be repeated. */
  readonly values: Readonly<
    Record<string, string | boolean | readonly (string | boolean)[] | undefined>
  >;
  readonly positionals: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface Command {
  /** What follows the command's name: `<type> <file>`. One placeholder for each. */
  readonly positionals?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  /** The values of a placeholder (`<type>`) or an option (`format`) that has few: shells complete them. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Shown in the help below the options. */
  readonly notes?: string;
  /** Command lines that work as shown. */
  readonly examples: readonly [string, ...string[]];
  /** It stops in good order on a signal; any other command stops at once. */
  readonly mindsSignals?: true;
  /** Settles when the command is done. Throws UsageError (exit 2) or StartError (exit 1). */
  readonly run: (given: Given) => Promise<void>;
}

/** A command in the list of all commands. Its code is loaded when it is called. */
export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

/** All commands by name, of one word or two: `tenant create`. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
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

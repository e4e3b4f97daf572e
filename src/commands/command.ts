/** What a command of the command line is: its words, its options and what it does. */

export interface Option {
  readonly type: "string" | "boolean";
  /** What stands for the value in the help: `<name>`. */
  readonly value?: string;
  readonly multiple?: boolean;
  readonly doc: string;
}

export interface Given {
  /** By option name: a string, true, or a list where the option may be repeated. */
  readonly values: Readonly<
    Record<string, string | boolean | readonly (string | boolean)[] | undefined>
  >;
  readonly positionals: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface Command {
  /** What stands after the command's name, in words: `<type> <file>`. One word for each. */
  readonly positionals?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  /** What the help says below the options. */
  readonly notes?: string;
  /** It ends in good order on a signal; any other command ends at once. */
  readonly mindsSignals?: true;
  /** Settles when the command is done. Throws UsageError (exit 2) or StartError (exit 1). */
  readonly run: (given: Given) => Promise<void>;
}

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function required({ values }: Given, name: string): string {
  const value = values[name];
  if (typeof value === "string" && value !== "") return value;
  throw new UsageError(`--${name} is missing`);
}

export function optional({ values }: Given, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

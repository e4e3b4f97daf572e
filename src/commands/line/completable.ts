/** The data that completion scripts are generated from. */

/** The possible values: a list of values, file names, or any string. */
export type Values = readonly string[] | "files" | "any";

export interface CompletableOption {
  /** The option as it is typed, such as `--tenant`. */
  readonly flag: string;
  readonly doc: string;
  /** Undefined if the option takes no value. */
  readonly values: Values | undefined;
  readonly isRepeated: boolean;
}

export interface Completable {
  /** The command's name, which has one or two words. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletableOption[];
  /** The positional arguments. */
  readonly places: readonly { readonly name: string; readonly values: Values }[];
}

/** Groups commands by their first word. The group of a one-word command is empty. */
export function wordsOf(
  commands: readonly Completable[],
): ReadonlyMap<string, readonly Completable[]> {
  const groups = Map.groupBy(commands, ({ name }) => name.split(" ")[0] ?? "");
  return new Map(
    [...groups].map(([first, of]) => [first, of.filter(({ name }) => name.includes(" "))]),
  );
}

/** Returns the second word of a two-word command. */
export const secondWord = ({ name }: Completable): string => name.split(" ")[1] ?? "";

/** Puts a string in single quotes. Works in all supported shells. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

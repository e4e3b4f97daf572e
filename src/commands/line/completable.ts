/** What completion scripts are generated from. */

/** A few words, the files of the folder, or anything. */
export type Values = readonly string[] | "files" | "any";

export interface CompletableOption {
  /** `--tenant`. */
  readonly flag: string;
  readonly doc: string;
  /** Undefined if the option takes no value. */
  readonly values: Values | undefined;
  readonly isRepeated: boolean;
}

export interface Completable {
  /** Of one word or two. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletableOption[];
  /** What follows the name. */
  readonly places: readonly { readonly name: string; readonly values: Values }[];
}

/** The first words of commands, each with the second words that it can have; none for a whole command. */
export function wordsOf(
  commands: readonly Completable[],
): ReadonlyMap<string, readonly Completable[]> {
  const groups = Map.groupBy(commands, ({ name }) => name.split(" ")[0] ?? "");
  return new Map(
    [...groups].map(([first, of]) => [first, of.filter(({ name }) => name.includes(" "))]),
  );
}

/** The second word of a command of two. */
export const secondWord = ({ name }: Completable): string => name.split(" ")[1] ?? "";

/** A text in single quotes, for any of the shells. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The search parameters in the board's URL. */

export interface BoardSearch {
  /** Part of the account's or contact's name. */
  readonly who?: string;
  readonly source?: string;
  /** Only deals expected to close before this day: YYYY-MM-DD. */
  readonly before?: string;
  /** The stage that a narrow screen shows. */
  readonly stage?: string;
}

const NAMES = ["who", "source", "before", "stage"] as const;

/** Returns the known, non-empty parameters of a URL. */
export const searchIn = (search: object): BoardSearch =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = (search as Readonly<Record<string, unknown>>)[name];
      return typeof value === "string" && value !== "" ? [[name, value]] : [];
    }),
  );

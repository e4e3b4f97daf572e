/** Search parameters of the board's URL. */

export interface BoardSearch {
  /** Part of the name of the account or contact. */
  readonly who?: string;
  readonly source?: string;
  /** Deals expected to close before this day: YYYY-MM-DD. */
  readonly before?: string;
  /** The stage that a narrow screen shows. */
  readonly stage?: string;
}

const NAMES = ["who", "source", "before", "stage"] as const;

/** Returns the known parameters of a URL, without empty ones. */
export const searchIn = (search: object): BoardSearch =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = (search as Readonly<Record<string, unknown>>)[name];
      return typeof value === "string" && value !== "" ? [[name, value]] : [];
    }),
  );

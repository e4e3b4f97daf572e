/** What the address of the board says. */

export interface BoardSearch {
  /** A part of the name of the account or the contact. */
  readonly who?: string;
  readonly source?: string;
  /** The day before which a deal is expected to close: YYYY-MM-DD. */
  readonly before?: string;
  /** The stage that a narrow screen shows. */
  readonly stage?: string;
}

const NAMES = ["who", "source", "before", "stage"] as const;

/** What of an address the board knows, without what is empty. */
export const searchIn = (search: object): BoardSearch =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = (search as Readonly<Record<string, unknown>>)[name];
      return typeof value === "string" && value !== "" ? [[name, value]] : [];
    }),
  );

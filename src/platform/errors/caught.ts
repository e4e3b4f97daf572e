/** What a caught value says, whose type is unknown. */

/** Returns the message of an error, or the text of another value. */
export const messageOf = (caught: unknown): string =>
  caught instanceof Error ? caught.message : String(caught);

/** Returns a caught value as an error. */
export const asError = (caught: unknown): Error =>
  caught instanceof Error ? caught : new Error(String(caught));

/** Returns the code of an error, such as `ENOENT` or PostgreSQL's `23505`. Empty if it has none. */
export const codeOf = (caught: unknown): string =>
  caught instanceof Error && "code" in caught && typeof caught.code === "string" ? caught.code : "";

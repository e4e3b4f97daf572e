/** The groups of kinds of fields whose values compare in the same way. */

/** How the values of a field compare. It determines the operators of its filter conditions. */
export type FilterKind =
  | "choice"
  | "text"
  | "number"
  | "day"
  | "tags"
  | "entries"
  | "reference"
  | "partner"
  | "person"
  | "flag";

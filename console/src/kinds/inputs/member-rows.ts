/**
 * The members of an object as rows, which keep their order while the user types. The members of an object do not: names
 * that are integers always come first.
 */

export type Members = Readonly<Record<string, unknown>>;

export interface MemberRow {
  readonly name: string;
  readonly value: unknown;
}

export const rowsOfMembers = (members: Members): readonly MemberRow[] =>
  Object.entries(members).map(([name, value]) => ({ name, value }));

/** Whether an earlier row has the same name. */
export const isRepeated = (rows: readonly MemberRow[], at: number): boolean =>
  rows.findIndex(({ name }) => name === rows[at]?.name) < at;

/** Returns the object with these members; null if there are none, and undefined if a name is repeated. */
export function membersOf(rows: readonly MemberRow[]): Members | null | undefined {
  if (rows.some((_, at) => isRepeated(rows, at))) return undefined;
  if (rows.length === 0) return null;
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** Compares the values of a form. */

/** Returns the fields of `after` that differ from `before`. */
export const changedFields = <T extends object>(
  before: Readonly<Record<keyof T, unknown>>,
  after: T,
): Partial<T> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T]),
    ),
  ) as Partial<T>;

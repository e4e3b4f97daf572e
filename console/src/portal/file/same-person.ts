/**
 * Finds rows in a file that are about the same person. Email addresses are compared ignoring case.
 * Phone numbers are compared by their last digits, because the country of a number without a
 * country code is unknown here.
 */

/** The contact details in a row. */
export interface Reach {
  readonly email: string | null;
  readonly phone: string | null;
}

/** Phone numbers that share fewer digits may belong to different people. */
const SHARED_DIGITS = 7;
/** The maximum number of digits in a country code. */
const COUNTRY_DIGITS_MAX = 3;

const emailOf = ({ email }: Reach): string | undefined => email?.trim().toLowerCase() || undefined;

/** Returns a phone number's digits without leading zeros. */
const digitsOf = ({ phone }: Reach): string =>
  (phone ?? "").replaceAll(/\D/g, "").replace(/^0+/, "");

/**
 * Returns keys for finding rows about the same person. Rows with no key in common are about
 * different people.
 */
export function keysOf(reach: Reach): readonly string[] {
  const email = emailOf(reach);
  const digits = digitsOf(reach);
  return [
    ...(email === undefined ? [] : [`email:${email}`]),
    ...(digits === "" ? [] : [`phone:${digits.slice(-SHARED_DIGITS)}`]),
  ];
}

function isSamePerson(one: Reach, other: Reach): boolean {
  const email = emailOf(one);
  if (email !== undefined && email === emailOf(other)) return true;
  const [short, long] = [digitsOf(one), digitsOf(other)].toSorted((a, b) => a.length - b.length);
  if (short === undefined || long === undefined || short === "") return false;
  if (short === long) return true;
  const excess = long.length - short.length;
  return short.length >= SHARED_DIGITS && excess <= COUNTRY_DIGITS_MAX && long.endsWith(short);
}

/** Returns one entry per row: the index of the first earlier row about the same person, or undefined. */
export function earlierOf(rows: readonly (Reach | undefined)[]): readonly (number | undefined)[] {
  const seen = new Map<string, number[]>();
  return rows.map((row, at) => {
    if (row === undefined) return undefined;
    const keys = keysOf(row);
    const candidates = keys.flatMap((key) => seen.get(key) ?? []).toSorted((a, b) => a - b);
    const earlier = candidates.find((one) => {
      const other = rows[one];
      return other !== undefined && isSamePerson(other, row);
    });
    for (const key of keys) {
      const others = seen.get(key) ?? [];
      // If the person is in an earlier row, index this row only by keys that no earlier row has.
      if (earlier === undefined || others.length === 0) seen.set(key, [...others, at]);
    }
    return earlier;
  });
}

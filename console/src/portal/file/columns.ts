/**
 * Assigns fields to a file's columns: guesses them from the headers and validates the partner's
 * corrections.
 */

export const MEANINGS = [
  "skip",
  "name",
  "first_name",
  "last_name",
  "email",
  "phone",
  "source",
  "comments",
  "description",
  "expiration_date",
  "preference",
] as const;

export type Meaning = (typeof MEANINGS)[number];

/** Known column headers by field, reduced to letters and digits. */
const KNOWN: Readonly<Record<Exclude<Meaning, "skip" | "preference">, readonly string[]>> = {
  name: ["name", "fullname", "contactname", "leadname", "person", "customername", "contact"],
  first_name: ["firstname", "givenname", "forename", "first"],
  last_name: ["lastname", "surname", "familyname", "last"],
  email: ["email", "emailaddress", "mail", "email1", "email1value", "primaryemail", "workemail"],
  phone: [
    "phone",
    "phonenumber",
    "telephone",
    "tel",
    "mobile",
    "mobilephone",
    "cell",
    "cellphone",
    "phone1",
    "phone1value",
    "primaryphone",
    "workphone",
  ],
  source: ["source", "leadsource", "marketingsource", "channel"],
  comments: ["comments", "comment", "notes", "note", "remarks", "remark"],
  description: ["description", "need", "needs", "businessneed", "interest", "whattheyneed"],
  expiration_date: ["expirationdate", "expiration", "expires", "expiry", "validuntil", "decideby"],
};

const plain = (heading: string): string => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * Guesses the field for each column header. A field is used only once, for the first column that
 * matches.
 */
export function guessMeanings(headings: readonly string[]): readonly Meaning[] {
  const taken = new Set<Meaning>();
  const guesses = headings.map((heading): Meaning => {
    const entries = Object.entries(KNOWN) as readonly (readonly [Meaning, readonly string[]])[];
    const found = entries.find(([, names]) => names.includes(plain(heading)))?.[0];
    if (found === undefined || taken.has(found)) return "skip";
    taken.add(found);
    return found;
  });
  if (!taken.has("name")) return guesses;
  // If a column has the full name, columns with the first or last name are not needed.
  return guesses.map((guess) => (guess === "first_name" || guess === "last_name" ? "skip" : guess));
}

/** Why a column mapping is unusable. */
export type ColumnFault =
  | { readonly kind: "twice"; readonly meaning: Meaning }
  | { readonly kind: "no_name" }
  | { readonly kind: "no_reach" };

/** Returns what is wrong with a column mapping; undefined if it is usable. */
export function faultOf(meanings: readonly Meaning[]): ColumnFault | undefined {
  const twice = meanings.find(
    (meaning, at) =>
      meaning !== "skip" && meaning !== "preference" && meanings.indexOf(meaning) !== at,
  );
  if (twice !== undefined) return { kind: "twice", meaning: twice };
  const has = (...wanted: readonly Meaning[]) => wanted.some((one) => meanings.includes(one));
  if (!has("name", "first_name", "last_name")) return { kind: "no_name" };
  return has("email", "phone") ? undefined : { kind: "no_reach" };
}

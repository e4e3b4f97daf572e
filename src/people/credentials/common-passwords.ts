/**
 * Common and breached passwords, which are guessed first: a maintained list of 49,000, compared in lower
 * case. Most are shorter than a password may be, so a few characters added to one, and one repeated, count
 * as it.
 */

/** What the list lacks. */
const OWN: readonly string[] = [
  "leadport",
  "changemenow",
  "p@ssword",
  "asdfghjklo",
  "abcdefghij",
  "0987654321",
  "9876543210",
];

/** Digits and signs added before or after a word, such as `2026!`. */
const ADDED_MAX = 5;
/** What remains has to be a word, not a few characters that any password may begin with. */
const WORD_MIN = 5;

/**
 * Whether a password is one of the list, or one with up to five digits and signs added, or one repeated.
 * The list is loaded when it is first needed: most processes never set a password.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const words = wordsOf(password.trim().toLowerCase());
  const isListed = (entry: string): boolean => words.has(entry);
  return OWN.some(isListed) || dictionary["passwords-common"].some(isListed);
}

/** The listed words that would make a password a common one. */
function wordsOf(password: string): ReadonlySet<string> {
  const words = new Set([password]);
  const before = /^[^\p{L}]*/u.exec(password)?.[0].length ?? 0;
  const after = /[^\p{L}]*$/u.exec(password)?.[0].length ?? 0;
  for (let start = 0; start <= Math.min(before, ADDED_MAX); start += 1) {
    for (let end = 0; end <= Math.min(after, ADDED_MAX - start); end += 1) {
      words.add(password.slice(start, password.length - end));
    }
  }
  for (const word of [...words]) words.add(repeatedIn(word));
  return new Set([...words].filter((word) => word.length >= WORD_MIN));
}

/** `trustno1trustno1` → `trustno1`; a text that repeats nothing stays as it is. */
function repeatedIn(text: string): string {
  const length = (text + text).indexOf(text, 1);
  return text.slice(0, length);
}

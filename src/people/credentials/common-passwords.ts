/**
 * Rejects common and breached passwords. Compares passwords in lowercase with a maintained list of 49,000. Most of the
 * words in the list are shorter than the minimum length, so variants also count: a word with a few added characters, or
 * a repeated word.
 */

/** Words that are missing from the list. */
const OWN: readonly string[] = [
  "leadport",
  "changemenow",
  "p@ssword",
  "asdfghjklo",
  "abcdefghij",
  "0987654321",
  "9876543210",
];

/** Maximum number of digits and symbols added before or after a word, such as `2026!`. */
const ADDED_MAX = 5;
/** Shorter words from the list are ignored, because good passwords may also start with one. */
const WORD_MIN = 5;

/**
 * Whether a password is in the list. Also checks variants with up to five added digits and symbols, and repetitions.
 * The list is loaded on first use, because most processes never set a password.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const words = wordsOf(password.trim().toLowerCase());
  const isListed = (entry: string): boolean => words.has(entry);
  return OWN.some(isListed) || dictionary["passwords-common"].some(isListed);
}

/** Returns the words to look up for a password. If any of them is in the list, the password is common. */
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

/** Removes repetition: `trustno1trustno1` → `trustno1`. Other strings stay unchanged. */
function repeatedIn(text: string): string {
  const length = (text + text).indexOf(text, 1);
  return text.slice(0, length);
}

/** Lists text encodings, and guesses the most likely encoding of a file that is not UTF-8. */

/** All encodings that TextDecoder supports, under the names that it uses. */
export const ENCODINGS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "windows-874",
  "iso-8859-2",
  "iso-8859-3",
  "iso-8859-4",
  "iso-8859-5",
  "iso-8859-6",
  "iso-8859-7",
  "iso-8859-8",
  "iso-8859-8-i",
  "iso-8859-10",
  "iso-8859-13",
  "iso-8859-14",
  "iso-8859-15",
  "iso-8859-16",
  "koi8-r",
  "koi8-u",
  "ibm866",
  "macintosh",
  "x-mac-cyrillic",
  "shift_jis",
  "euc-jp",
  "iso-2022-jp",
  "gb18030",
  "gbk",
  "big5",
  "euc-kr",
  "x-user-defined",
] as const;

/** Returns the encoding for a label such as `cp1250`, or undefined if there is none. */
export function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** TextDecoder's names for encodings that the detector names differently. */
const LABELS: Readonly<Record<string, string>> = {
  cp932: "shift_jis",
  cp949: "euc-kr",
  cp874: "windows-874",
  maccyrillic: "x-mac-cyrillic",
  macroman: "macintosh",
};
/** If several encodings are about equally likely, the first one in this list is chosen. */
const COMMON = ["windows-1252", "windows-1250", "windows-1251"];
const ABOUT_AS_LIKELY = 0.85;
/**
 * If only a few bytes are conclusive, the most common encoding counts as about equally likely if its score is at least
 * this share of the best score.
 */
const LIKELY_ENOUGH = 0.6;
const FEW_bytes = 12;
/** A sample of this size is enough to distinguish languages. */
const SAMPLE_bytes = 8 * 1024;
/** With fewer bytes than this, the most common encoding is the best guess. */
const SAMPLE_MIN_bytes = 2;
const FALLBACK = "windows-1252";

/** Guesses the most likely encoding of bytes that are not UTF-8. Loads the detector on first use. */
export async function guessEncoding(bytes: Buffer): Promise<string> {
  const sample = sampleOf(bytes);
  const conclusive = nonAsciiBytes(sample);
  if (conclusive < SAMPLE_MIN_bytes) return FALLBACK;
  if (conclusive < FEW_bytes && isWestern(decoded(sample, FALLBACK))) return FALLBACK;
  const { detectAll } = await import("jschardet");
  const likely = detectAll(sample).flatMap(({ encoding: name, confidence }) => {
    const label = (name ?? "").toLowerCase();
    const encoding = encodingOf(LABELS[label] ?? label.replace(/^iso8859/, "iso-8859"));
    if (encoding === undefined || encoding === "utf-8") return [];
    return [{ encoding, score: confidence * plausibility(decoded(sample, encoding)) }];
  });
  const [best] = likely.toSorted((a, b) => b.score - a.score);
  if (best === undefined || best.score === 0) return FALLBACK;
  const text = decoded(sample, best.encoding);
  if (decoded(sample, FALLBACK) === text) return FALLBACK;
  const shareOf = (encoding: string) =>
    encoding === FALLBACK && conclusive < FEW_bytes ? LIKELY_ENOUGH : ABOUT_AS_LIKELY;
  const rivals = likely
    .filter(({ encoding, score }) => score >= best.score * shareOf(encoding))
    .map(({ encoding }) => encoding);
  return COMMON.find((encoding) => rivals.includes(encoding)) ?? best.encoding;
}

const ESCAPE = 0x1b;
const isConclusive = (byte: number): boolean => byte > 0x7f || byte === ESCAPE;

/**
 * Returns the number of non-ASCII bytes in distinct words. A word that is repeated in every row proves no more than a
 * word that occurs once.
 */
function nonAsciiBytes(sample: Buffer): number {
  const words = new Set(sample.toString("latin1").split(/[\s,;|"']+/));
  return Buffer.from([...words].join(""), "latin1").filter(isConclusive).length;
}

/** Accented letters that occur together in western European languages, at most two in a row. */
const WESTERN = ["äöüßÄÖÜåÅøØæÆé", "àâçéèêëîïôùûÀÇÉ", "áéíóúñüçãâêôàÁÉÍÓÚÑ"].map(
  (letters) => new RegExp(`^(?:\\p{ASCII}|[${letters}]{1,2}(?![${letters}]))*$`, "u"),
);

/** Whether the text is plausible if it was decoded as Windows-1252. */
const isWestern = (text: string): boolean =>
  !text.includes("\u001B") && WESTERN.some((letters) => letters.test(text));

/** Returns the lines that contain non-ASCII bytes, up to the sample size. */
function sampleOf(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let size = 0;
  for (let from = 0; from < bytes.length && size < SAMPLE_bytes;) {
    const end = bytes.indexOf(0x0a, from);
    const line = bytes.subarray(from, end === -1 ? bytes.length : end + 1);
    from += line.length;
    if (!line.some(isConclusive)) continue;
    lines.push(line.subarray(0, SAMPLE_bytes));
    size += line.length;
  }
  return Buffer.concat(lines).subarray(0, SAMPLE_bytes);
}

const decoded = (bytes: Buffer, encoding: string): string =>
  new TextDecoder(encoding).decode(bytes);

const WORD = /[^\s,;|"']+/gu;
const OTHER_SCRIPT = ["Cyrillic", "Greek", "Hebrew", "Arabic", "Thai"]
  .map((script) => `\\p{Script=${script}}`)
  .join("");
/**
 * Matches three signs of a wrong encoding: a symbol before a letter or between two letters, a control character, and a
 * Latin letter next to a letter of a script that is never mixed with Latin.
 */
const IMPLAUSIBLE = new RegExp(
  [
    "[^\\P{S}\\p{ASCII}®™©°]\\p{L}",
    "\\p{L}[\\p{S}¶§¦¹²³·¼½¾]\\p{L}",
    "[\\u0080-\\u009F\\uFFFD\\p{Co}\\p{Cn}]",
    `\\p{Script=Latin}[${OTHER_SCRIPT}]`,
    `[${OTHER_SCRIPT}]\\p{Script=Latin}`,
  ].join("|"),
  "u",
);

/** Returns a score from 0 to 1. It is 1 if all words look like real words. */
function plausibility(text: string): number {
  const words = (text.match(WORD) ?? []).filter((word) => /\P{ASCII}/u.test(word));
  if (words.length === 0) return 0;
  return (words.filter((word) => !IMPLAUSIBLE.test(word)).length / words.length) ** 2;
}

/**
 * Reads the numbers and yes/no values in a file, including currency signs, thousands separators, decimal commas and
 * percentages.
 */

/** The possible decimal separators of a column. */
export const DECIMAL_SIGNS = [".", ","] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

const NOTHING = new Set(["", "-", "–", "n/a", "na", "#n/a", "null", "none", "nil"]);

/** Whether a cell such as "n/a" means "empty". Do not call this for free text. */
export const isNothing = (cell: string): boolean => NOTHING.has(cell.trim().toLowerCase());

const trimmed = (cell: string) => cell.replace(/[\s\u00a0\u202f'’]/g, "");

/**
 * Returns the decimal separator that a cell shows. It is a comma in "12,5", but also in "3.500.000" and "1.234,50",
 * where points separate thousands. Returns "either" for "1.234", and undefined if the cell contains no separator or is
 * not a number.
 */
export function signOf(cell: string): DecimalSign | "either" | undefined {
  if (!/[.,]/.test(cell)) return undefined;
  const digits = withoutSigns(cell);
  if (!/^\d*(?:[.,]\d*)+$/.test(digits)) return undefined;
  const first = digits.search(/[.,]/);
  const last = digits.search(/[.,]\d*$/);
  const sign = digits[last] as DecimalSign;
  const other = sign === "." ? "," : ".";
  if (digits[first] !== sign) return sign;
  // If a separator occurs several times in the right places, it separates thousands.
  if (first !== last) return withoutThousands(digits) === undefined ? undefined : other;
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) ? "either" : sign;
}

/** Removes the currency, sign, percent sign, brackets and spaces from a number. */
const withoutSigns = (cell: string): string =>
  trimmed(cell)
    .replace(/^[A-Z]{3}|[A-Z]{3}$/g, "")
    .replace(/\p{Sc}|%|^\(|\)$|^[-+−]|-$/gu, "");

/**
 * Returns the number in a cell, or undefined if there is none. "(12)" is −12 and "12 %" is 12. If the cell contains
 * letters other than a currency sign or code, as in "12k", it is text. "10-50" is also text.
 */
export function readNumber(cell: string, decimal: DecimalSign): number | undefined {
  const plain = trimmed(cell)
    .replace(/^[A-Z]{3}|[A-Z]{3}$/g, "")
    .replace(/\p{Sc}|%/gu, "");
  const parts = /^(\()?([-+−]?)(.*?)(\))?(-?)$/u.exec(plain);
  const digits = wholeAndFraction(parts?.[3] ?? "", decimal);
  if (parts === null || digits === undefined || (parts[1] === "(") !== (parts[4] === ")")) {
    return undefined;
  }
  const minus = parts[1] === "(" || parts[2] === "-" || parts[2] === "−" || parts[5] === "-";
  const value = Number(digits);
  return minus ? 0 - value : value;
}

/** Returns the digits with a point before the fraction, or undefined if separators are in the wrong places. */
function wholeAndFraction(text: string, decimal: DecimalSign): string | undefined {
  if (/^\d+(?:[eE][-+]?\d+)?$/.test(text)) return text;
  // A number with the other decimal separator contradicts its column and is rejected.
  const [whole = "", fraction = "", ...more] = text.split(decimal);
  if (more.length > 0) return withoutThousands(text);
  if (!/^\d*$/.test(fraction) || `${whole}${fraction}` === "") return undefined;
  const digits = whole === "" ? "0" : withoutThousands(whole);
  return digits === undefined ? undefined : `${digits}.${fraction || "0"}`;
}

/** Removes thousands separators, as in "1,234,567", "1.234.567" and, in India, "12,34,567". */
function withoutThousands(text: string): string | undefined {
  if (/^\d+$/.test(text)) return text;
  return /^\d{1,3}([.,])(?:\d{2,3}\1)*\d{3}$/.test(text) ? text.replace(/[.,]/g, "") : undefined;
}

const YES = new Set(["true", "yes", "y", "1", "x", "on", "wahr", "ja"]);
const NO = new Set(["false", "no", "n", "0", "off", "falsch", "nein"]);

export function readFlag(cell: string): boolean | undefined {
  const word = cell.trim().toLowerCase();
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

/** Texts of a file → numbers and yes/no: currency signs, thousands, decimal commas, percent. */

/** Which sign divides whole and fraction in a column. */
export type DecimalSign = "." | ",";

const NOTHING = new Set(["", "-", "–", "n/a", "na", "#n/a", "null", "none", "nil"]);

/** Whether a cell that is not free text says that there is nothing. */
export const isNothing = (cell: string): boolean => NOTHING.has(cell.trim().toLowerCase());

const trimmed = (cell: string) => cell.replace(/[\s\u00a0\u202f'’]/g, "");

/** Tells the decimal sign of a column: a comma before one, two or four digits and more is one. */
export function detectDecimalSign(cells: readonly string[]): DecimalSign {
  const digits = cells.map((cell) => trimmed(cell).replace(/[^\d.,]/g, ""));
  const comma = digits.some(
    (cell) => /^\d*,(\d{1,2}|\d{4,})$/.test(cell) || /\.\d{3}.*,\d+$/.test(cell),
  );
  const point = digits.some(
    (cell) => /^\d*\.(\d{1,2}|\d{4,})$/.test(cell) || /,\d{3}.*\.\d+$/.test(cell),
  );
  return comma && !point ? "," : ".";
}

/**
 * The number that a cell holds; undefined where it holds none. "(12)" is −12, "12 %" is 12; a
 * letter beyond a currency's sign or code makes it a text ("12k", "10-50").
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

/** Digits with a point before the fraction; undefined where the signs stand wrongly. */
function wholeAndFraction(text: string, decimal: DecimalSign): string | undefined {
  if (/^\d+(?:[eE][-+]?\d+)?$/.test(text)) return text;
  // A number that shows both signs says itself which one is the decimal sign: the last.
  const both = text.includes(",") && text.includes(".");
  const sign = both ? (/[.,](?=\d*$)/.exec(text)?.[0] ?? decimal) : decimal;
  const [whole = "", fraction = "", ...more] = text.split(sign);
  if (more.length > 0) return withoutThousands(text);
  if (!/^\d*$/.test(fraction) || `${whole}${fraction}` === "") return undefined;
  const digits = whole === "" ? "0" : withoutThousands(whole);
  return digits === undefined ? undefined : `${digits}.${fraction || "0"}`;
}

/** "1,234,567", "1.234.567" and, as in India, "12,34,567". */
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

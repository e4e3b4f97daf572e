/** Splits a cell into the email addresses or phone numbers that it contains. */

import { jsonOf } from "../../records/kinds/index.ts";

export type ContactField = "email" | "phone";

export interface ContactValue {
  readonly value: string;
  /** The type of the entry, unless it becomes the main entry. */
  readonly type: string;
}

/** The value in one part of a cell. Null if that part contains no address or number. */
type Value = ContactValue | null;
type Values = readonly Value[];

const TYPE_CHARACTERS = 50;
/** Maximum nesting depth of values: `{"additionalEmails": [{"email": "…"}]}`. */
const LEVELS_MAX = 4;

/** Returns the values in a cell. Parts that cannot be read are null. `type` is the column's type. */
export const valuesOfCell = (field: ContactField, cell: unknown, type: string): Values =>
  valuesIn(field, cell, type, 0);

function valuesIn(field: ContactField, cell: unknown, type: string, level: number): Values {
  if (!isFilled(cell)) return [];
  if (level > LEVELS_MAX) return [null];
  if (Array.isArray(cell)) return cell.flatMap((one) => valuesIn(field, one, type, level + 1));
  if (typeof cell === "object") return valuesOf(field, cell as object, type, level);
  const text = String(cell).trim();
  const json = /^[[{]/.test(text) ? jsonOf(text) : undefined;
  if (json !== undefined) return valuesIn(field, json, type, level + 1);
  const parts = field === "email" ? addressesIn(text) : numbersIn(text);
  return parts.map((value) => ({ value, type }));
}

/** Whether a value is not empty. Objects and lists that contain only empty values are empty. */
function isFilled(value: unknown, level = 0): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === "string") return value.trim() !== "";
  if (typeof value !== "object" || level > LEVELS_MAX) return true;
  return Object.values(value).some((one) => isFilled(one, level + 1));
}

const VALUES = [
  "email",
  "phone",
  "number",
  "value",
  "address",
  "primaryEmail",
  "primaryPhoneNumber",
];
const LISTS = ["additionalEmails", "additionalPhones"];

function valuesOf(field: ContactField, cell: object, type: string, level: number): Values {
  const members = cell as Readonly<Record<string, unknown>>;
  if (![...VALUES, ...LISTS].some((name) => name in members)) return [null];
  const named = members["type"] ?? members["label"];
  const isNamed = typeof named === "string" && named !== "" && named.length <= TYPE_CHARACTERS;
  const own = isNamed ? named : type;
  const code = members["callingCode"] ?? members["primaryPhoneCallingCode"];
  const value = VALUES.map((name) => members[name]).find((one) => isFilled(one));
  const [first, ...others] = valuesIn(field, value, own, level + 1);
  const isPrefixed = typeof code === "string" && /^\+\d+$/.test(code);
  return [
    ...(first === undefined ? [] : [isPrefixed ? withCode(first, code) : first]),
    ...others,
    ...LISTS.flatMap((name) => valuesIn(field, members[name], "Other", level + 1)),
  ];
}

const withCode = (found: Value, code: string): Value =>
  found === null || found.value.startsWith("+")
    ? found
    : { ...found, value: `${code} ${found.value}` };

// The regular expressions below run in linear time, because a cell may have a million characters.

/** Returns the addresses in a string. A string with at most one address is returned unchanged. */
function addressesIn(text: string): readonly string[] {
  if (text.indexOf("@") === text.lastIndexOf("@")) return [text];
  const addresses = text.split(/[\s,;|<>"'()]+/).filter((part) => part.slice(1, -1).includes("@"));
  return addresses.length > 1 ? addresses : [text];
}

const SEPARATOR = /[;|,\n]|:::|\sor\s|\sand\s/;
/** A string with fewer digits than this is an area code or an extension rather than a number. */
const DIGITS_MIN = 6;
const digitsIn = (text: string): number => text.replace(/\D/g, "").length;

const partsOf = (text: string, separator: RegExp | string): readonly string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Returns the numbers in a string. A string with at most one number is returned unchanged. */
function numbersIn(text: string): readonly string[] {
  if (!SEPARATOR.test(text) && !text.includes("/")) return [text];
  const parts = partsOf(text, SEPARATOR);
  if (parts.some((part) => digitsIn(part) < DIGITS_MIN)) return [text];
  return (parts.length > 1 ? parts : [text]).flatMap(aroundSlash);
}

/** Complete numbers have at least this many digits, even without an area code. */
const COMPLETE_DIGITS_MIN = 7;

/** Complete numbers in the same cell must have the same form: the same prefix or, without a prefix, the same length. */
const formOf = (number: string): string =>
  /^\(?(\+|00?)/.exec(number)?.[1] ?? String(digitsIn(number));

/**
 * Splits numbers at slashes. In "+49 2131/123456" and "2131/123456", however, the slash only separates the area code
 * from the number.
 */
function aroundSlash(text: string): readonly string[] {
  const numbers = partsOf(text, "/");
  const areComplete = numbers.every((number) => digitsIn(number) >= COMPLETE_DIGITS_MIN);
  return numbers.length > 1 && areComplete && new Set(numbers.map(formOf)).size === 1
    ? numbers
    : [text];
}

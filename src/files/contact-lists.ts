/**
 * The email addresses, phone numbers and social profiles of a row, gathered from every column that
 * holds some: the first of them is the record's own, the others go into its lists.
 */

import type { RecordType } from "../records/index.ts";
import { jsonOf } from "./cell.ts";
import { contactColumn, socialPlatform } from "./contact-headings.ts";
import { plainName, wholeName } from "./heading-meanings.ts";

/** A cell of a column of addresses or numbers. */
interface ContactCell {
  readonly heading: string;
  readonly cell: unknown;
}

/** As `email_list` and `phone_list` take it. */
type ContactEntry = { readonly type: string } & (
  | { readonly email: string }
  | { readonly phone: string }
);

/** More entries are not stored with one record. */
const ENTRIES_MAX = 50;
const TYPE_CHARACTERS = 50;
/** A nested value has no more levels: `{"additionalEmails": [{"email": "…"}]}`. */
const LEVELS_MAX = 4;

/**
 * What the cells of a target's columns make of the body; undefined if the target is to be read from one
 * cell, as other fields are. A list is there only if the record type takes it and it has several entries.
 */
export function contactMembers(
  type: RecordType,
  target: string,
  cellsOf: () => readonly ContactCell[],
): Readonly<Record<string, unknown>> | undefined {
  if (target === "social_dict_list") {
    const cells = cellsOf();
    const isByNetwork = cells.some(({ heading }) => socialPlatform(plainName(heading)));
    const profiles = isByNetwork ? gatherProfiles(cells) : undefined;
    return profiles?.length === 0 ? {} : profiles && { [target]: profiles };
  }
  const list = `${target}_list`;
  if ((target !== "email" && target !== "phone") || !(list in type.fields)) return undefined;
  const entries = gatherContacts(target, cellsOf());
  const [main] = entries as readonly Readonly<Record<string, string>>[];
  if (main === undefined) return {};
  return { [target]: main[target], ...(entries.length > 1 && { [list]: entries }) };
}

interface Found {
  readonly value: string;
  readonly type: string;
}

/**
 * The entries of a row, the best column first: the first entry is Main, the others are called after their
 * column or what the cell calls them. Addresses and numbers that are repeated are taken once.
 */
export function gatherContacts(
  field: "email" | "phone",
  cells: readonly ContactCell[],
): readonly ContactEntry[] {
  const found = new Map<string, Found>();
  for (const { heading, cell } of cells) {
    const column = contactColumn(wholeName(heading)) ?? contactColumn(plainName(heading));
    for (const one of valuesIn(field, cell, column?.type ?? "Other", 0)) {
      const key = field === "email" ? one.value.toLowerCase() : keyOf(one.value);
      if (!found.has(key)) found.set(key, one);
    }
  }
  return [...found.values()].slice(0, ENTRIES_MAX).map(({ value, type }, at) => {
    const named = at === 0 ? "Main" : type.toLowerCase() === "main" ? "Other" : type;
    return field === "email" ? { type: named, email: value } : { type: named, phone: value };
  });
}

/** What two numbers are compared by; a text without digits by itself. */
const keyOf = (phone: string): string => phone.replace(/\D/g, "") || phone;

function valuesIn(
  field: "email" | "phone",
  cell: unknown,
  type: string,
  level: number,
): readonly Found[] {
  if (level > LEVELS_MAX || cell === null || cell === undefined) return [];
  if (Array.isArray(cell)) return cell.flatMap((one) => valuesIn(field, one, type, level + 1));
  if (typeof cell === "object") return valuesOf(field, cell, type, level);
  const text = String(cell).trim();
  const json = /^[[{]/.test(text) ? jsonOf(text) : undefined;
  if (json !== undefined) return valuesIn(field, json, type, level + 1);
  return partsOf(field, text).map((value) => ({ value, type }));
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

function valuesOf(
  field: "email" | "phone",
  cell: object,
  type: string,
  level: number,
): readonly Found[] {
  const members = cell as Readonly<Record<string, unknown>>;
  const named = members["type"] ?? members["label"];
  const isNamed = typeof named === "string" && named !== "" && named.length <= TYPE_CHARACTERS;
  const own = isNamed ? named : type;
  const code = members["callingCode"] ?? members["primaryPhoneCallingCode"];
  const [value] = VALUES.flatMap((name) => members[name] ?? []);
  const [first, ...others] = valuesIn(field, value, own, level + 1);
  const isPrefixed = first !== undefined && typeof code === "string" && /^\+\d+$/.test(code);
  return [
    ...(first === undefined
      ? []
      : [isPrefixed && !first.value.startsWith("+") ? withCode(first, code) : first]),
    ...others,
    ...LISTS.flatMap((name) => valuesIn(field, members[name], "Other", level + 1)),
  ];
}

const withCode = ({ value, type }: Found, code: string): Found => ({
  value: `${code} ${value}`,
  type,
});

const ADDRESS = /[^\s,;|<>"'()]+@[^\s,;|<>"'()]+/g;
const DIVIDED = /\s*(?:[;|,\n/]|:::|\sor\s|\sand\s)\s*/;
/** Fewer digits are an area code or an extension, not a number. */
const DIGITS_MIN = 6;

/** The addresses or numbers of a text; a text in which there are not several stays as it is. */
function partsOf(field: "email" | "phone", text: string): readonly string[] {
  if (text === "") return [];
  if (field === "email") {
    const addresses = text.match(ADDRESS) ?? [];
    return addresses.length > 1 ? addresses : [text];
  }
  const numbers = text.split(DIVIDED).filter((part) => part !== "");
  const areAll = numbers.every((part) => part.replace(/\D/g, "").length >= DIGITS_MIN);
  return numbers.length > 1 && areAll ? numbers : [text];
}

/** The profiles of a row: a column for each network, or a list of profiles as JSON. */
function gatherProfiles(cells: readonly ContactCell[]): readonly unknown[] | undefined {
  const profiles: unknown[] = [];
  for (const { heading, cell } of cells) {
    const text = typeof cell === "string" ? cell.trim() : "";
    const list = Array.isArray(cell) ? cell : text.startsWith("[") ? jsonOf(text) : undefined;
    const platform = socialPlatform(plainName(heading));
    if (Array.isArray(list)) profiles.push(...(list as unknown[]));
    else if (platform !== undefined && text !== "") profiles.push({ type: platform, url: text });
    else if (text !== "") return undefined;
  }
  return profiles;
}

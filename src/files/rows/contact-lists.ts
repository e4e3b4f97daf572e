/**
 * Collects a row's email addresses, phone numbers and social profiles from all columns that contain them. The first
 * address and number become the record's main ones. If there are several, all of them are stored in the record's lists.
 */

import { remember } from "../../platform/cache/index.ts";
import { emailKey } from "../../records/contact-details/index.ts";
import { ENTRIES_MAX, jsonOf } from "../../records/kinds/index.ts";
import type { RecordType } from "../../records/types/index.ts";
import { contactColumn, socialPlatform, plainName, wholeName } from "../headings/index.ts";
import { valuesOfCell, type ContactField, type ContactValue } from "./contact-values.ts";
import type { WarningKind } from "./row-warnings.ts";

/** A cell of a column with contact details. */
interface ContactCell {
  readonly heading: string;
  readonly cell: unknown;
}

/** An entry of `email_list` or `phone_list`. */
type ContactEntry = { readonly type: string } & (
  | { readonly email: string }
  | { readonly phone: string }
);

/** Cell content that is not added to a list. */
export interface Leftover {
  readonly heading: string;
  readonly kind: WarningKind;
  readonly word: unknown;
}

/** The members that a target's columns add to a row's body. */
export interface ContactMembers {
  readonly members: Readonly<Record<string, unknown>>;
  readonly leftovers: readonly Leftover[];
}

/**
 * Returns the members that the cells of a target's columns produce, or undefined if the target is read from a single
 * cell like other fields. A list is included only if there are several entries.
 */
export function contactMembers(
  type: RecordType,
  target: string,
  cellsOf: () => readonly ContactCell[],
): ContactMembers | undefined {
  if (target === "social_dict_list") {
    const cells = cellsOf();
    const isByNetwork = cells.some(({ heading }) => platformOf(heading) !== undefined);
    const profiles = isByNetwork ? gatherProfiles(cells) : undefined;
    if (profiles === undefined) return undefined;
    return { members: profiles.length === 0 ? {} : { [target]: profiles }, leftovers: [] };
  }
  if (target !== "email" && target !== "phone") return undefined;
  const list = `${target}_list`;
  if (!(list in type.fields)) return undefined;
  const field = type.fields[target];
  const characters = field?.kind === "text" ? field.max : Infinity;
  const { entries, leftovers } = gatherContacts(target, cellsOf(), characters);
  const [main] = entries as readonly Readonly<Record<string, string>>[];
  const members = main && {
    [target]: main[target],
    ...(entries.length > 1 && { [list]: entries }),
  };
  return { members: members ?? {}, leftovers };
}

interface Found extends ContactValue {
  readonly heading: string;
}

/**
 * Returns a row's entries, starting with the best column. The first entry has the type Main. The types of the other
 * entries come from their columns or cells. Repeated addresses and numbers are dropped. All entries after the first one
 * are returned as leftovers if they have more than `characters` characters or exceed the list's limit.
 */
export function gatherContacts(
  field: ContactField,
  cells: readonly ContactCell[],
  characters = Infinity,
): { readonly entries: readonly ContactEntry[]; readonly leftovers: readonly Leftover[] } {
  const [first] = cells;
  if (first !== undefined && cells.length === 1) {
    const [one, ...others] = valuesOfCell(field, first.cell, "Main");
    // Nearly all rows have a single address or number, so there is nothing to compare.
    if (one && others.length === 0)
      return { entries: [entryOf(field, "Main", one.value)], leftovers: [] };
  }
  const found = new Map<string, Found>();
  const leftovers: Leftover[] = [];
  for (const { heading, cell } of cells) {
    const values = valuesOfCell(field, cell, typeOf(heading));
    if (values.includes(null)) {
      leftovers.push({ heading, kind: "unreadable_value", word: cell });
    }
    for (const one of values) {
      if (one === null) continue;
      const key = field === "email" ? emailKey(one.value) : spellingOf(one.value);
      if (found.has(key)) continue;
      // Keep a main address or number that is too long. The row is then rejected, as with other fields.
      if (found.size > 0 && [...one.value].length > characters) {
        leftovers.push({ heading, kind: "too_long", word: one.value });
      } else found.set(key, { ...one, heading });
    }
  }
  const all = [...found.values()];
  const beyond = Map.groupBy(all.slice(ENTRIES_MAX), ({ heading }) => heading);
  for (const [heading, values] of beyond) {
    const word = values.map(({ value }) => value).join(", ");
    leftovers.push({ heading, kind: "too_many_entries", word });
  }
  const entries = all.slice(0, ENTRIES_MAX).map(({ value, type }, at) => {
    const named = at === 0 ? "Main" : type.toLowerCase() === "main" ? "Other" : type;
    return entryOf(field, named, value);
  });
  return { entries, leftovers };
}

const entryOf = (field: ContactField, type: string, value: string): ContactEntry =>
  field === "email" ? { type, email: value } : { type, phone: value };

/**
 * Removes separators between digits. Other ways to write the same number are recognized later, when the record is
 * written.
 */
const spellingOf = (phone: string): string => phone.replace(/[\s()./-]/g, "") || phone;

/** Caches the types derived from column names, because they are needed for every row. */
const types = remember<string>(1000);
const typeOf = (heading: string): string =>
  types(heading, () => {
    const column = contactColumn(wholeName(heading)) ?? contactColumn(plainName(heading));
    return column?.type ?? "Other";
  });

const platforms = remember<{ readonly name: string | undefined }>(1000);
const platformOf = (heading: string): string | undefined =>
  platforms(heading, () => ({ name: socialPlatform(plainName(heading)) })).name;

/**
 * Returns a row's profiles, from one column per network or from a JSON list of profiles. Returns undefined if a cell is
 * neither.
 */
function gatherProfiles(cells: readonly ContactCell[]): readonly unknown[] | undefined {
  const profiles: unknown[] = [];
  for (const { heading, cell } of cells) {
    const text = typeof cell === "string" ? cell.trim() : "";
    const list = Array.isArray(cell) ? cell : text.startsWith("[") ? jsonOf(text) : undefined;
    const platform = platformOf(heading);
    if (Array.isArray(list)) for (const profile of list as unknown[]) profiles.push(profile);
    else if (platform !== undefined && text !== "") profiles.push({ type: platform, url: text });
    else if (text !== "") return undefined;
  }
  return profiles;
}

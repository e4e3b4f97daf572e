/**
 * What a person can say about how a file is to be read, as options of the command and of the API.
 */

import type { WriteMode } from "../../records/index.ts";
import type { DateOrder } from "./dates.ts";
import type { DecimalSign } from "./numbers.ts";

/** The members have the names that `POST /crm/imports` takes. */
export interface MappingOptions {
  /** Heading → field; an empty text ignores the column. */
  readonly map?: Readonly<Record<string, string>>;
  /** Field → template over headings; before the field's own column, where it gives a text. */
  readonly set?: Readonly<Record<string, string>>;
  /**
   * Field, heading or `*` → word of the file → value. `*` is every enumeration that has the value.
   */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The account of the rows that name none: an id, an external id or an exact name. */
  readonly default_account?: string;
  /** Create the accounts that rows name and that do not exist. */
  readonly create_accounts?: boolean;
  /** Refuse a row where it would otherwise be taken with a warning. */
  readonly strict?: boolean;
  /** The column that holds the file's own key of a record. */
  readonly external_id?: string;
  readonly mode?: WriteMode;
  readonly dates?: DateOrder;
  readonly decimal?: DecimalSign;
}

/**
 * Whether the options name the key of a record: its column, or what is read into external_id. A column that
 * is merely called "id" does not count.
 */
export const namesKey = ({ external_id, map = {}, set = {} }: MappingOptions): boolean =>
  external_id !== undefined ||
  Object.values(map).includes("external_id") ||
  Object.hasOwn(set, "external_id");

/** A key that is named means an upsert, unless a mode is named too. Without a key nothing is overwritten. */
export const modeOf = (options: MappingOptions): WriteMode =>
  options.mode ?? (namesKey(options) ? "upsert" : "create");

/** The options do not fit the file or each other; `problems` is what to show. */
export class MappingError extends Error {
  override readonly name = "MappingError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("; "));
    this.problems = problems;
  }
}

/** `Lead Source=source`: the last "=" divides, so a heading may hold one. */
export function parseMapOption(text: string): readonly [heading: string, field: string] {
  const at = text.lastIndexOf("=");
  if (at < 1) throw new MappingError([`--map wants heading=field, not "${text}"`]);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** `name={account} – {product}`: the first "=" divides, so a template may hold one. */
export function parseSetOption(text: string): readonly [field: string, template: string] {
  const at = text.indexOf("=");
  if (at < 1) throw new MappingError([`--set wants field=template, not "${text}"`]);
  return [text.slice(0, at).trim(), text.slice(at + 1)];
}

/**
 * `stage:Won=closed_won`, `Deal Stage:Won=closed_won` or, for all enumerations, `Won=closed_won`.
 */
export function parseValueOption(
  text: string,
): readonly [where: string, word: string, value: string] {
  const at = text.lastIndexOf("=");
  if (at < 1) throw new MappingError([`--value wants field:word=value, not "${text}"`]);
  const colon = text.slice(0, at).indexOf(":");
  const where = colon === -1 ? "*" : text.slice(0, colon).trim();
  return [where, text.slice(colon + 1, at).trim(), text.slice(at + 1).trim()];
}

/** The texts of repeated options, put together. */
export function mappingOptionsOf(given: {
  readonly map?: readonly string[];
  readonly set?: readonly string[];
  readonly value?: readonly string[];
}): MappingOptions {
  const values: Record<string, Record<string, string>> = {};
  for (const [where, word, value] of (given.value ?? []).map(parseValueOption)) {
    values[where] = { ...values[where], [word]: value };
  }
  return {
    map: Object.fromEntries((given.map ?? []).map(parseMapOption)),
    set: Object.fromEntries((given.set ?? []).map(parseSetOption)),
    values,
  };
}

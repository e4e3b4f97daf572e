/** Options that control how a file is read, for both the command line and the API. */

import { boolean, nullable, type Schemas, type Typed } from "../../platform/schemas/index.ts";
import { WRITE_MODES, type WriteMode } from "../../records/keys/index.ts";
import { DATE_ORDERS, DECIMAL_SIGNS } from "../formats/index.ts";

const ENTRIES_MAX = 1000;

export const TEXT = { type: ["string", "null"], maxLength: 1000 } as const;
export const FLAG = { type: ["boolean", "null"] } as const;
export const oneOf = <const V extends readonly string[]>(values: V, description: string) =>
  ({ type: ["string", "null"], enum: [...values, null], description }) as const;

const TEXTS = {
  type: "object",
  additionalProperties: { ...TEXT, type: "string" },
  maxProperties: ENTRIES_MAX,
} as const;

/** The options in the format of `POST /crm/imports`. */
export const MAPPING_OPTIONS = {
  map: {
    ...TEXTS,
    type: ["object", "null"],
    description: "Column header → field. An empty string ignores the column.",
  },
  set: {
    ...TEXTS,
    type: ["object", "null"],
    description: "Field → a template of column headers, such as `{account} – {product}`.",
  },
  values: {
    type: ["object", "null"],
    description: "Field, column header or `*` → value in the file → value to import.",
    additionalProperties: TEXTS,
    maxProperties: ENTRIES_MAX,
  },
  default_account: {
    ...TEXT,
    description: "The account for rows without one: an id, an external id or a name.",
  },
  create_accounts: nullable(boolean("Create accounts that rows refer to and that do not exist.")),
  strict: nullable(boolean("Reject rows that would cause a warning.")),
  external_id: {
    ...TEXT,
    description: "The column that uniquely identifies each record in the file.",
  },
  mode: oneOf(
    WRITE_MODES,
    "`create` rejects rows whose key exists, `update` rejects rows whose key does not exist, " +
      "and `upsert` accepts both. " +
      "`update` and `upsert` need a key: `external_id`, or a column that `map` or `set` reads " +
      "into external_id. " +
      "Default: `upsert` with a key, otherwise `create`.",
  ),
  dates: oneOf(DATE_ORDERS, "The order of day and month. Default: detected for each column."),
  decimal: oneOf(DECIMAL_SIGNS, "The decimal separator. Default: detected for each column."),
} as const satisfies Schemas;

/** Options by name. All of them are optional. */
export type Options<P extends Schemas> = { readonly [K in keyof P]?: NonNullable<Typed<P[K]>> };

export interface MappingOptions extends Options<typeof MAPPING_OPTIONS> {}

/**
 * Whether the options define the record key, either as a column or as a value that is read into external_id. A column
 * that happens to be called "id" does not count.
 */
export const namesKey = ({ external_id, map = {}, set = {} }: MappingOptions): boolean =>
  external_id !== undefined ||
  Object.values(map).includes("external_id") ||
  Object.hasOwn(set, "external_id");

/**
 * Returns the write mode. The default is upsert if there is a key, and otherwise create, so that nothing is
 * overwritten.
 */
export const modeOf = (options: MappingOptions): WriteMode =>
  options.mode ?? (namesKey(options) ? "upsert" : "create");

/** Thrown if the options do not fit the file or contradict each other. `problems` lists the reasons. */
export class MappingError extends Error {
  override readonly name = "MappingError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("; "));
    this.problems = problems;
  }
}

/**
 * Parses an option such as `Lead Source=source`. The last "=" is the separator, because column names may contain one.
 */
export function parseMapOption(text: string): readonly [heading: string, field: string] {
  const at = text.lastIndexOf("=");
  if (at < 1) throw new MappingError([`--map must have the form column=field, not "${text}"`]);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/**
 * Parses an option such as `name={account} – {product}`. The first "=" is the separator, because templates may contain
 * one.
 */
export function parseSetOption(text: string): readonly [field: string, template: string] {
  const at = text.indexOf("=");
  if (at < 1) throw new MappingError([`--set must have the form field=template, not "${text}"`]);
  return [text.slice(0, at).trim(), text.slice(at + 1)];
}

/**
 * Parses an option such as `stage:Won=closed_won` or `Deal Stage:Won=closed_won`, or `Won=closed_won` for all
 * enumerations.
 */
export function parseValueOption(
  text: string,
): readonly [where: string, word: string, value: string] {
  const at = text.lastIndexOf("=");
  if (at < 1)
    throw new MappingError([`--value must have the form field:text=value, not "${text}"`]);
  const colon = text.slice(0, at).indexOf(":");
  const where = colon === -1 ? "*" : text.slice(0, colon).trim();
  return [where, text.slice(colon + 1, at).trim(), text.slice(at + 1).trim()];
}

/** Combines the values of repeatable options. */
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

/**
 * What a person can say about how a file is to be read, as options of the command and of the API.
 */

import type { Schemas, Typed } from "../../platform/validation/index.ts";
import { WRITE_MODES, type WriteMode } from "../../records/index.ts";
import { DATE_ORDERS } from "./dates.ts";
import { DECIMAL_SIGNS } from "./numbers.ts";

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

/** The options as `POST /crm/imports` takes them. */
export const MAPPING_OPTIONS = {
  map: {
    ...TEXTS,
    type: ["object", "null"],
    description: "Heading → field; an empty text ignores the column.",
  },
  set: {
    ...TEXTS,
    type: ["object", "null"],
    description: "Field → a template over headings, such as `{account} – {product}`.",
  },
  values: {
    type: ["object", "null"],
    description: "Field, heading or `*` → word of the file → value.",
    additionalProperties: TEXTS,
    maxProperties: ENTRIES_MAX,
  },
  default_account: {
    ...TEXT,
    description: "The account of the rows that name none: an id, an external id or a name.",
  },
  create_accounts: {
    ...FLAG,
    description: "Create the accounts that rows name and that do not exist.",
  },
  strict: { ...FLAG, description: "Refuse what would cause a warning." },
  external_id: {
    ...TEXT,
    description: "The column that holds the file's own key of a record.",
  },
  mode: oneOf(
    WRITE_MODES,
    "`create` rejects rows whose key exists, `update` rows whose key does not exist; `upsert` does both. " +
      "`update` and `upsert` need a key: `external_id`, or a column that `map` or `set` reads into external_id. " +
      "Default: `upsert` with a key, otherwise `create`.",
  ),
  dates: oneOf(DATE_ORDERS, "The order of day and month. Default: decided for each column."),
  decimal: oneOf(DECIMAL_SIGNS, "The decimal sign. Default: decided for each column."),
} as const satisfies Schemas;

/** Options, of which none must be given. */
export type Options<P extends Schemas> = { readonly [K in keyof P]?: NonNullable<Typed<P[K]>> };

export interface MappingOptions extends Options<typeof MAPPING_OPTIONS> {}

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

/** Types and requests for imports. See docs/files.md. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "../../api/index.ts";
import { type RecordType, typeNamed } from "../../record/index.ts";

export const IMPORTS = "/crm/imports";

export type ImportState = "waiting" | "running" | "interrupted" | "finished" | "failed";

/** The options of an import, named as in `POST /crm/imports`. */
export interface ImportOptions {
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly map?: Readonly<Record<string, string>>;
  readonly set?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly external_id?: string;
  readonly default_account?: string;
  readonly mode?: string;
  readonly create_accounts?: boolean;
  readonly dates?: string;
  readonly decimal?: string;
  readonly strict?: boolean;
  readonly spreadsheet?: boolean;
}

/** How a column of numbers or dates is interpreted. */
export interface Decision {
  readonly heading: string;
  readonly about: "decimal" | "dates" | "percent";
  /** For `dmy` and `mdy`: the separator of the dates to which this order applies. */
  readonly separator?: string;
  /** A decimal separator; `dmy` or `mdy`; `serial` for Excel serial dates; or `percent`. */
  readonly value: string;
  readonly decided_by: "option" | "answer" | "column" | "default";
  /** The values that led to this decision. If there were none, some of the ambiguous values. */
  readonly examples: readonly string[];
}

/** The column mapping of a file. Each column is in exactly one of these lists. */
export interface Mapping {
  /** Whether the rows are people but no email or phone column was recognized. */
  readonly no_email_or_phone?: boolean;
  readonly matched: readonly { readonly heading: string; readonly field: string }[];
  readonly alternatives: readonly NotFirst[];
  readonly not_taken: readonly NotFirst[];
  readonly in_templates: readonly string[];
  readonly ignored: readonly string[];
  readonly read_only: readonly string[];
  readonly unmatched: readonly string[];
  /** Missing from imports made with earlier versions. */
  readonly decisions?: readonly Decision[];
  /** Messages to review before importing. Missing from imports made with earlier versions. */
  readonly notices?: readonly string[];
}

export interface NotFirst {
  readonly heading: string;
  readonly field: string;
  readonly instead: string;
}

/** What the service detected about a file. */
export interface Detected {
  readonly format: "csv" | "ndjson";
  readonly encoding: string;
  readonly delimiter?: string;
  readonly headings: readonly string[];
}

export interface WordCount {
  readonly kind: string;
  readonly field: string | null;
  readonly word: string | null;
  readonly rows: number;
}

/** References to other records, counted by the result of the lookup. */
export interface LinkCounts {
  readonly matched: number;
  readonly created: number;
  readonly not_found: number;
  readonly ambiguous: number;
}

export interface Reject {
  readonly line: number;
  readonly reason: string;
  readonly raw: string;
}

/** An existing record that would change, with the fields that differ. */
export interface ChangeExample {
  readonly line: number;
  readonly id: string;
  readonly name: string | null;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

export interface Import {
  readonly id: string;
  readonly type: string;
  readonly file_name: string | null;
  readonly dry_run: boolean;
  readonly options: ImportOptions;
  readonly state: ImportState;
  readonly error: string | null;
  readonly file: Detected | null;
  readonly mapping: Mapping | null;
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
  /** The number of rows that the file marks as deleted. */
  readonly skipped: number;
  readonly references: Readonly<Record<string, LinkCounts>>;
  readonly warned: number;
  readonly words: readonly WordCount[];
  readonly user_name: string | null;
  readonly created_ts: number;
  readonly finished_ts: number | null;
  readonly created_date: string;
  readonly finished_date: string | null;
  /** In a dry run: the first records that would change. */
  readonly examples?: readonly ChangeExample[];
  /** In a dry run: the number of existing records that would change; null if unknown. */
  readonly changed_records?: number | null;
  /** The first hundred rejected rows. Only included when a single import is requested. */
  readonly rejects?: readonly Reject[];
}

export interface NewImport {
  readonly type: string;
  readonly file_name: string;
  readonly dry_run?: boolean;
  readonly options: ImportOptions;
}

/**
 * Whether the options specify a unique ID column. If they do, the default mode is to create and
 * update.
 */
export const namesKey = ({ external_id, map = {}, set = {} }: ImportOptions): boolean =>
  external_id !== undefined ||
  Object.values(map).includes("external_id") ||
  (set["external_id"] ?? "").trim() !== "";

/**
 * Returns only the options that have an effect, so that equivalent options compare as equal.
 * Without a unique ID column, no existing record can be changed, so the mode has no effect.
 */
export function effectiveOf(options: ImportOptions): ImportOptions {
  const { map, set, values, mode, ...others } = options;
  const effective = {
    map,
    set: withoutEmpty(set, (template) => template.trim() === ""),
    values: withoutEmpty(values, (words) => Object.keys(words).length === 0),
  };
  return {
    ...withoutEmpty(effective, (of) => Object.keys(of ?? {}).length === 0),
    ...(mode !== undefined && namesKey(options) && { mode }),
    ...others,
  };
}

const withoutEmpty = <T>(of: Readonly<Record<string, T>> = {}, isEmpty: (value: T) => boolean) =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => !isEmpty(value)));

/** Creates an import. Its file is uploaded next. */
export async function prepareImport({ options, ...given }: NewImport): Promise<Import> {
  const { data } = await ask<Import>("post", IMPORTS, {
    body: { ...given, ...effectiveOf(options) },
  });
  return data;
}

/** Returns the URL for uploading the file of an import. */
export const dataPath = (id: string): string => `${IMPORTS}/${encodeURIComponent(id)}/data`;

/** Returns the URL for downloading the rejected rows of an import. */
export const rejectsPath = (id: string): string => `${IMPORTS}/${encodeURIComponent(id)}/rejects`;

const POLL_ms = 1000;

/** One import, polled every second while it runs. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ["import", id],
    queryFn: async ({ signal }) =>
      (await ask<Import>("get", `${IMPORTS}/${encodeURIComponent(id)}`, { signal })).data,
    refetchInterval: ({ state }) => (state.data?.state === "running" ? POLL_ms : false),
  });

/** Returns an import's record type. */
export const typeOf = ({ type }: Pick<Import, "type">): RecordType => typeNamed(type);

/** Returns all fields that a column can be mapped to. */
export const targetsOf = (type: RecordType): readonly string[] => [
  ...Object.keys(type.fields),
  ...("birth_year" in type.fields ? ["birth_date"] : []),
  ...("close_date" in type.members ? ["close_date"] : []),
  "is_deleted",
];

/**
 * Writes stored records as CSV or NDJSON. A record is the JSON text that the API returns. NDJSON contains it unchanged,
 * and CSV has one column per member.
 */

import type { ExportPlan } from "../../records/list/index.ts";
import { kindOf } from "../../records/kinds/index.ts";
import type { RecordType } from "../../records/types/index.ts";
import { csvText, forSpreadsheet } from "./csv-text.ts";
import { isJson } from "./json-check.ts";
import type { Format } from "./rows.ts";

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson",
};

/** The media types without parameters, for openapi.json. */
export const FILE_TYPES: readonly string[] = ["text/csv", "application/x-ndjson"];

const IDS = ["_id", "external_id"];
const STAMPS = [
  ["created_ts", "updated_ts", "status_update_date"],
  ["created_date", "updated_date", "status_updated_date"],
  ["userid", "user_name", "created_by_userid", "version"],
].flat();

/** Returns the CSV columns of a type: ids, fields, derived members, timestamps. */
export function columnsOf(type: RecordType): readonly string[] {
  const members = [...Object.keys(type.fields), ...Object.keys(type.derived)];
  return [...new Set([...IDS, ...members, ...(type.timestamp ? ["timestamp"] : []), ...STAMPS])];
}

export interface FileForm extends Pick<ExportPlan, "fields" | "pick"> {
  readonly format: Format;
  /**
   * Whether to write CSV for a spreadsheet program: with a byte order mark, and without values that look like formulas.
   */
  readonly spreadsheet?: boolean | undefined;
}

const BYTE_ORDER_MARK = "\uFEFF";

const NEWLINE = Buffer.from("\n");

/** Converts batches of record bodies to the bytes of a file, one batch at a time. */
export async function* writeRecords(
  type: RecordType,
  { format, spreadsheet = false, fields, pick = (body) => body }: FileForm,
  batches: AsyncIterable<readonly Buffer[]>,
): AsyncGenerator<Buffer> {
  if (format === "ndjson") {
    for await (const bodies of batches) {
      const lines = bodies.flatMap((body) => [pick(body), NEWLINE]);
      if (lines.length > 0) yield Buffer.concat(lines);
    }
    return;
  }
  const names = columnsOf(type).filter((name) => fields?.includes(name) !== false);
  const columns = names.map((name) => {
    const field = type.fields[name];
    return { name, isFree: field !== undefined && kindOf(field).holds === "object" };
  });
  const cellOf = spreadsheet ? guardedCell : exactCell;
  const cellsOf = (body: Buffer): readonly string[] => {
    const record = JSON.parse(body.toString("utf8")) as Readonly<Record<string, unknown>>;
    return columns.map(({ name, isFree }) => cellOf(record[name], isFree));
  };
  const heading = csvText([columns.map(({ name }) => name)]);
  yield Buffer.from((spreadsheet ? BYTE_ORDER_MARK : "") + heading);
  for await (const bodies of batches) {
    if (bodies.length > 0) yield Buffer.from(csvText(bodies.map(cellsOf)));
  }
}

/**
 * Formats a value so that an import reads it unchanged. Null becomes an empty cell, and lists and objects become JSON.
 * In a field that also accepts lists and objects, a string that could be parsed as JSON is written as a JSON string.
 */
function exactCell(value: unknown, isFree: boolean): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string" && !(isFree && isJson(value))) return value;
  return JSON.stringify(value);
}

/** Adds the `'` only to strings, so that negative numbers remain numbers. */
const guardedCell = (value: unknown, isFree: boolean): string =>
  typeof value === "string" ? forSpreadsheet(exactCell(value, isFree)) : exactCell(value, isFree);

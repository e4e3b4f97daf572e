/**
 * Stored records → CSV or NDJSON (D10.6). A record is the JSON text that the API answers; NDJSON
 * passes it through as it is, CSV has one column for each of its members.
 */

import { stringify } from "csv-stringify/sync";
import type { RecordType } from "../records/index.ts";
import type { Format } from "./rows.ts";

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson",
};

const IDS = ["_id", "external_id"];
const STAMPS = [
  ["created_ts", "updated_ts", "status_update_date"],
  ["created_date", "updated_date", "status_updated_date"],
  ["userid", "user_name", "created_by_userid", "version"],
].flat();

/** The columns of a type's CSV: ids, what was sent, what was derived, stamps. */
export function columnsOf(type: RecordType): readonly string[] {
  const members = [...Object.keys(type.fields), ...Object.keys(type.derived)];
  return [...new Set([...IDS, ...members, ...(type.timestamp ? ["timestamp"] : []), ...STAMPS])];
}

/** Turns batches of bodies into the text of a file, a batch at a time. */
export async function* writeRecords(
  type: RecordType,
  format: Format,
  batches: AsyncIterable<readonly string[]>,
): AsyncGenerator<string> {
  if (format === "ndjson") {
    for await (const bodies of batches) {
      if (bodies.length > 0) yield `${bodies.join("\n")}\n`;
    }
    return;
  }
  const columns = columnsOf(type);
  yield csvText([columns]);
  for await (const bodies of batches) {
    if (bodies.length > 0) yield csvText(bodies.map((body) => cellsOf(body, columns)));
  }
}

/** RFC 4180: commas, CRLF. Texts are exact, also those that a spreadsheet takes for a formula. */
const csvText = (rows: readonly (readonly string[])[]) =>
  stringify(
    rows.map((row) => [...row]),
    { record_delimiter: "\r\n" },
  );

function cellsOf(body: string, columns: readonly string[]): readonly string[] {
  const record = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return columns.map((name) => cellOf(record[name]));
}

/** Nothing is an empty cell; lists and objects are JSON, so that they can be read back whole. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}

/** NDJSON text → rows: one JSON object on each line. */

import { countJson, DEPTH_MAX, MEMBERS_MAX } from "../platform/json-limits.ts";

import { endOf } from "./csv-line.ts";
import { CELL_MAX_bytes, isLongerThan, ROW_MAX_bytes } from "./limits.ts";
import { LineSplitter, piecesOf } from "./lines.ts";
import type { Row, UnreadableRow } from "./rows.ts";

/** Shorter lines cannot have too many members, and are not nested so deep that it matters. */
const COUNTED_CHARACTERS = 1000;

/** The rows of an NDJSON text in groups. */
export async function* readNdjson(
  text: AsyncIterable<string>,
): AsyncGenerator<readonly (Row | UnreadableRow)[]> {
  const splitter = new LineSplitter("\n", ROW_MAX_bytes);
  let line = 0;
  const rowsOf = (lines: readonly string[]) =>
    lines.flatMap((text) => {
      line += 1;
      const raw = text.slice(0, endOf(text, "\n"));
      return raw.trim() === "" ? [] : rowOf(line, raw);
    });
  for await (const chunk of text) {
    for (const piece of piecesOf(chunk)) yield rowsOf(splitter.push(piece));
  }
  yield rowsOf(splitter.end());
}

function rowOf(line: number, raw: string): Row | UnreadableRow {
  if (isLongerThan(raw, ROW_MAX_bytes))
    return { line, raw, reason: "the row is longer than 4 MiB" };
  const excess = raw.length > COUNTED_CHARACTERS ? excessOf(raw) : undefined;
  if (excess !== undefined) return { line, raw, reason: excess };
  const text = raw.trim();
  // An exception for each of many short lines would take most of the time of a file.
  if (text.startsWith("{") && !text.endsWith("}")) {
    return { line, raw, reason: "not JSON: the object does not end on its line" };
  }
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    return { line, raw, reason: `not JSON: ${(error as Error).message}` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { line, raw, reason: "not a JSON object" };
  }
  if (raw.length > CELL_MAX_bytes && Object.values(value).some(isTooLong)) {
    return { line, raw, reason: "a cell of the row is longer than 1 MiB" };
  }
  return { line, raw, cells: new Map(Object.entries(value)) };
}

const isTooLong = (value: unknown): boolean =>
  typeof value === "string" && isLongerThan(value, CELL_MAX_bytes);

/** Which limit of a JSON text this one exceeds. */
function excessOf(raw: string): string | undefined {
  const { members, depth } = countJson(Buffer.from(raw), 0, MEMBERS_MAX);
  if (members > MEMBERS_MAX) return `more than ${MEMBERS_MAX} members and elements`;
  return depth > DEPTH_MAX ? `JSON nested more than ${DEPTH_MAX} levels deep` : undefined;
}

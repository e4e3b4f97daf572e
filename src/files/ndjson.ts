/** NDJSON text → rows: one JSON object on each line. */

import type { Row, UnreadableRow } from "./rows.ts";

const LINE_CHARACTERS_MAX = 4 * 1024 * 1024;

export async function* readNdjson(
  text: AsyncIterable<string>,
): AsyncGenerator<Row | UnreadableRow> {
  let line = 0;
  for await (const raw of linesOf(text)) {
    line += 1;
    if (raw === undefined) yield { line, raw: "", reason: "the line is longer than 4 MiB" };
    else if (raw.trim() !== "") yield rowOf(line, raw);
  }
}

function rowOf(line: number, raw: string): Row | UnreadableRow {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    return { line, raw, reason: `not JSON: ${(error as Error).message}` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { line, raw, reason: "not a JSON object" };
  }
  return { line, raw, cells: new Map(Object.entries(value)) };
}

/** The lines of a text without their ends; undefined stands for one that is too long to keep. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  let open = "";
  let tooLong = false;
  for await (const chunk of text) {
    let from = 0;
    for (let at = chunk.indexOf("\n"); at !== -1; at = chunk.indexOf("\n", from)) {
      yield tooLong ? undefined : withoutReturn(open + chunk.slice(from, at));
      open = "";
      tooLong = false;
      from = at + 1;
    }
    open += chunk.slice(from);
    if (open.length > LINE_CHARACTERS_MAX) {
      open = "";
      tooLong = true;
    }
  }
  if (tooLong) yield undefined;
  else if (open !== "") yield withoutReturn(open);
}

const withoutReturn = (line: string) => (line.endsWith("\r") ? line.slice(0, -1) : line);

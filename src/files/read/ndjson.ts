/** Parses NDJSON text into rows: one JSON object per line. */

import {
  countJson,
  DEPTH_MAX,
  isObject,
  type Json,
  type JsonObject,
  MEMBERS_MAX,
  parseJson,
} from "../../platform/json/index.ts";
import { endOf } from "./csv-line.ts";
import { isJson } from "./json-check.ts";
import { CELL_MAX_bytes, isLongerThan, ROW_MAX_bytes } from "./limits.ts";
import { LineSplitter } from "./lines.ts";
import type { Cells, Row, UnreadableRow } from "./row.ts";
import { storable } from "./storable.ts";
import { messageOf } from "../../platform/errors/index.ts";

/**
 * Lines shorter than this cannot have too many members or be nested too deeply, so these limits are not checked for
 * them.
 */
const COUNTED_CHARACTERS = 1000;

/**
 * Maximum number of invalid lines per file that are reported with JSON.parse's own message. Creating it takes 4 µs,
 * many times as long as parsing a short line.
 */
const MESSAGES_MAX = 100;
/**
 * After MESSAGES_MAX invalid lines, lines up to this length are validated before they are passed to JSON.parse. For
 * longer lines, creating the message takes less time than parsing.
 */
const CHECKED_CHARACTERS = 128;

export class NdjsonReader {
  readonly #splitter = new LineSplitter("\n", ROW_MAX_bytes);
  #line = 0;
  #messages = 0;

  read(text: string): readonly (Row | UnreadableRow)[] {
    return this.#rowsOf(this.#splitter.push(text));
  }

  end(): readonly (Row | UnreadableRow)[] {
    return this.#rowsOf(this.#splitter.end());
  }

  #rowsOf(lines: readonly string[]): readonly (Row | UnreadableRow)[] {
    const rows: (Row | UnreadableRow)[] = [];
    for (const text of lines) {
      this.#line += 1;
      const raw = text.slice(0, endOf(text, "\n"));
      const content = raw.trim();
      if (content === "") continue;
      const read = this.#valueOf(raw, content);
      const line = this.#line;
      rows.push(
        typeof read === "string"
          ? { line, raw, reason: read }
          : { line, raw, cells: new Members(read) },
      );
    }
    return rows;
  }

  /**
   * Returns the object on a line, or an error message if there is none. `content` is the line without surrounding
   * spaces.
   */
  #valueOf(raw: string, content: string): JsonObject | string {
    if (isLongerThan(raw, ROW_MAX_bytes)) return "the row is longer than 4 MiB";
    const excess = raw.length > COUNTED_CHARACTERS ? excessOf(raw) : undefined;
    if (excess !== undefined) return excess;
    const looksLikeObject = content.startsWith("{");
    if (looksLikeObject && !content.endsWith("}"))
      return "not JSON: the object does not end on its line";
    if (this.#messages === MESSAGES_MAX) {
      if (!looksLikeObject) return "not a JSON object";
      if (content.length <= CHECKED_CHARACTERS && !isJson(content)) {
        return "not JSON: check its quotes, commas, colons and brackets";
      }
    }
    let value: Json;
    try {
      value = parseJson(raw);
    } catch (error) {
      if (this.#messages < MESSAGES_MAX) this.#messages += 1;
      return `not JSON: ${messageOf(error)}`;
    }
    if (!isObject(value)) return "not a JSON object";
    const isLong = raw.length > CELL_MAX_bytes && Object.values(value).some(isTooLong);
    return isLong ? "a cell of the row is longer than 1 MiB" : withStorableNames(value, raw);
  }
}

/** Makes the member names storable. Only escape sequences can represent characters that are not. */
function withStorableNames(object: JsonObject, raw: string): JsonObject {
  if (!raw.includes("\\u") || Object.keys(object).every((name) => storable(name) === name)) {
    return object;
  }
  return Object.fromEntries(Object.entries(object).map(([name, cell]) => [storable(name), cell]));
}

/**
 * An object's members as cells. They are not copied into a Map, because reading a file would then take a third longer.
 */
class Members implements Cells {
  readonly #object: JsonObject;

  constructor(object: JsonObject) {
    this.#object = object;
  }

  get(name: string): unknown {
    return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
  }

  keys(): Iterable<string> {
    return Object.keys(this.#object);
  }

  values(): Iterable<unknown> {
    return Object.values(this.#object);
  }

  [Symbol.iterator](): Iterator<readonly [string, unknown]> {
    return Object.entries(this.#object)[Symbol.iterator]();
  }
}

const isTooLong = (value: unknown): boolean =>
  typeof value === "string" && isLongerThan(value, CELL_MAX_bytes);

/** Returns the limit that JSON text exceeds, or undefined if it exceeds none. */
function excessOf(raw: string): string | undefined {
  const { members, depth } = countJson(Buffer.from(raw), 0, MEMBERS_MAX);
  if (members > MEMBERS_MAX) return `more than ${MEMBERS_MAX} members and elements`;
  return depth > DEPTH_MAX ? `JSON nested more than ${DEPTH_MAX} levels deep` : undefined;
}

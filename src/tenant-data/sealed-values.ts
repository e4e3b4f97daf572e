/** Lists the columns that contain sealed values, and reseals these values in COPY rows with another key. */

import { Transform } from "node:stream";
import type { Table } from "../backup/contents/index.ts";
import { StartError, asError } from "../platform/errors/index.ts";
import { isObject } from "../platform/json/index.ts";

interface SealedColumn {
  readonly column: string;
  /** The member of a JSON column that is sealed. If omitted, the whole column is sealed. */
  readonly member?: string;
  /** The column with the id of the record to which the secret belongs. */
  readonly of: string;
  /** The kind of secret, which is part of the value's encryption context. */
  readonly kind: string;
}

const ssn = (column: string, of: string): SealedColumn => ({
  column,
  member: "ssn",
  of,
  kind: "ssn of",
});

/** The columns that contain sealed values. A test compares this list with all code that seals values. */
export const SEALED: Readonly<Record<string, readonly SealedColumn[]>> = {
  leads: [ssn("internal", "id")],
  contacts: [ssn("internal", "id")],
  merged_records: [ssn("internal", "old_id")],
  merges: [ssn("kept", "survivor_id")],
  people: [
    { column: "totp", of: "id", kind: "second factor" },
    { column: "totp_pending", of: "id", kind: "second factor" },
  ],
  person_erasures: [{ column: "sealed", of: "id", kind: "person erasure" }],
  event_webhooks: [{ column: "sealed", of: "id", kind: "event webhook" }],
  tenant_settings: [{ column: "sealed", of: "name", kind: "setting" }],
};

export type Reseal = (place: string, sealed: string) => string;

/**
 * Returns a transform of a table's COPY rows that reseals their values with another key, or undefined if the table has
 * no sealed values.
 */
export function resealing({ name, columns }: Table, reseal: Reseal): Transform | undefined {
  const sealed = SEALED[name];
  if (sealed === undefined) return undefined;
  const places = sealed.map((one) => ({
    ...one,
    at: columns.indexOf(one.column),
    ofAt: columns.indexOf(one.of),
  }));
  const withNewKey = (line: string): string => {
    const fields = line.split("\t");
    for (const { at, ofAt, kind, member } of places) {
      const field = fields[at];
      if (field === undefined || field === NULL) continue;
      const place = `${kind} ${unescaped(fields[ofAt] ?? "")}`;
      const value = resealed(unescaped(field), member, (text) => reseal(place, text));
      fields[at] = escaped(value);
    }
    return fields.join("\t");
  };
  return byLine((line) => {
    try {
      return withNewKey(line);
    } catch (error) {
      throw new StartError(
        `An encrypted value in the table ${name} cannot be decrypted. The file or the database may have been modified.`,
        { cause: error },
      );
    }
  });
}

function resealed(text: string, member: string | undefined, reseal: (text: string) => string) {
  if (member === undefined) return reseal(text);
  const object: unknown = JSON.parse(text);
  if (!isObject(object)) return text;
  const sealed = object[member];
  return typeof sealed === "string"
    ? JSON.stringify({ ...object, [member]: reseal(sealed) })
    : text;
}

/** The text that COPY writes for null. */
const NULL = "\\N";
const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
const LETTERS = new Map(Object.entries(ESCAPES).map(([letter, char]) => [char, letter]));

const unescaped = (field: string): string =>
  field.replaceAll(/\\([\s\S])/g, (_, letter: string) => ESCAPES[letter] ?? letter);

const escaped = (value: string): string =>
  // oxlint-disable-next-line no-control-regex
  value.replaceAll(/[\\\b\f\n\r\t\v]/g, (char) => `\\${LETTERS.get(char) ?? char}`);

/**
 * Returns a stream that applies `change` to each line. A line may span several chunks, and a chunk may contain several
 * lines.
 */
function byLine(change: (line: string) => string): Transform {
  let parts: Buffer[] = [];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = chunk.lastIndexOf(0x0a);
      if (end < 0) {
        parts.push(chunk);
        done();
        return;
      }
      const lines = Buffer.concat([...parts, chunk.subarray(0, end)]).toString("utf8");
      parts = [chunk.subarray(end + 1)];
      try {
        done(null, `${lines.split("\n").map(change).join("\n")}\n`);
      } catch (error) {
        done(asError(error));
      }
    },
    flush(done) {
      done(null, Buffer.concat(parts));
    },
  });
}

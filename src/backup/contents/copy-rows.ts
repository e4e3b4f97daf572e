/** Reads and writes COPY rows as compressed files with checksums, for backups and tenant files. */

import { createHash } from "node:crypto";
import { type Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { type Connection, openCopyIn, openCopyOut } from "../../platform/database/index.ts";

interface CopyOut {
  /** The stream that the compressed rows are written to. */
  readonly file: Writable;
  /** Called with the uncompressed bytes of each chunk. */
  readonly onBytes: (bytes: number) => void;
  /** Transforms the rows before they are compressed. */
  readonly through?: Transform | undefined;
}

const NEWLINE = 0x0a;

/**
 * Compresses and writes the rows of a `copy … to stdout`. Returns the number and size of the rows, and the size and
 * SHA-256 of the file.
 */
export async function copyRowsOut(db: Connection, statement: string, options: CopyOut) {
  const { file, onBytes, through } = options;
  let rows = 0;
  let raw_bytes = 0;
  // COPY escapes line breaks in values, so each unescaped line break ends a row.
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) rows += 1;
      raw_bytes += chunk.length;
      onBytes(chunk.length);
      done(null, chunk);
    },
  });
  const digest = digesting();
  const rowsOut = openCopyOut(db, statement);
  const parts = through === undefined ? [counting] : [through, counting];
  await pipeline([rowsOut, ...parts, createGzip({ level: 1 }), digest.stream, file]);
  return { rows, raw_bytes, ...digest.found() };
}

interface CopyIn {
  /** The compressed rows. */
  readonly file: Readable;
  /** Called with the compressed bytes of each chunk. */
  readonly onBytes: (bytes: number) => void;
  /** Receives the decompressed rows, and can abort the copy with an error. */
  readonly through?: Transform | undefined;
}

/** Sends compressed rows to a `copy … from stdin`. Returns the size and SHA-256 of the compressed bytes. */
export async function copyRowsIn(db: Connection, statement: string, options: CopyIn) {
  const { file, onBytes, through } = options;
  const digest = digesting(onBytes);
  const rowsIn = await openCopyIn(db, statement);
  const parts = through === undefined ? [] : [through];
  await pipeline([file, digest.stream, createGunzip(), ...parts, rowsIn]);
  return digest.found();
}

function digesting(onBytes?: (bytes: number) => void) {
  const hash = createHash("sha256");
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      onBytes?.(chunk.length);
      done(null, chunk);
    },
  });
  return { stream, found: () => ({ bytes, sha256: hash.digest("hex") }) };
}

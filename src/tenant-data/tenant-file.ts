/**
 * The format of a tenant file: a ZIP archive with a compressed COPY of each table, a manifest with the checksums, and a
 * signature of the manifest. The signature is created with the transfer key. A tenant file is untrusted input, so only
 * parts that the manifest lists are read.
 */

import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { PassThrough, Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { timingSafeEqual } from "node:crypto";
import { BlobReader, configure, type FileEntry, ZipReader, ZipWriter } from "@zip.js/zip.js";
import {
  checkedManifest,
  MANIFEST,
  MANIFEST_MAX_bytes,
  type TenantManifest,
} from "../backup/contents/index.ts";
import { messageOf, StartError, asError } from "../platform/errors/index.ts";
import type { TransferKey } from "../platform/secrets/index.ts";

// Parts are compressed before they are added, so the archive only stores them.
configure({ useWebWorkers: false });

const SIGNATURE = "manifest.sig";
const PART = /^tables\/[a-z_][a-z0-9_]*\.copy\.gz$/;
/** The maximum number of entries in the archive. An installation has about 30 tables. */
const ENTRIES_MAX = 1000;

export const partOf = (table: string): string => `tables/${table}.copy.gz`;

export interface TenantFileWriter {
  /** Adds a part to the file. `write` writes the contents of the part to a stream. */
  readonly add: <T>(path: string, write: (part: Writable) => Promise<T>) => Promise<T>;
  readonly finish: (manifest: TenantManifest) => Promise<void>;
}

/** Writes a tenant file to a stream, part by part. */
export function writeTenantFile(sink: Writable, key: TransferKey): TenantFileWriter {
  const zip = new ZipWriter(Writable.toWeb(sink), { level: 0, zip64: true });
  const add: TenantFileWriter["add"] = async (path, write) => {
    const part = new PassThrough();
    const added = zip.add(path, Readable.toWeb(part) as ReadableStream<Uint8Array>);
    const failed = added.catch((error: unknown) => {
      part.destroy(asError(error));
      throw error;
    });
    const [written] = await Promise.allSettled([write(part), failed]);
    await failed;
    if (written.status === "rejected") throw written.reason;
    return written.value;
  };
  const addText = (path: string, content: string) =>
    add(path, async (part) => void part.end(content));
  return {
    add,
    finish: async (manifest) => {
      const content = JSON.stringify(manifest);
      await addText(MANIFEST, content);
      await addText(SIGNATURE, key.sign(content));
      await zip.close();
    },
  };
}

export interface TenantFile {
  readonly manifest: TenantManifest;
  /** Opens a part that the manifest lists. */
  readonly open: (path: string) => Readable;
}

/**
 * Opens a tenant file and checks everything except the contents of its parts. Throws a StartError if the file is
 * invalid.
 */
export async function openTenantFile(path: string, key: TransferKey): Promise<TenantFile> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isFile() !== true) throw new StartError(`There is no file ${path}.`);
  const entries = await entriesOf(path);
  const manifestText = await shortText(path, entries, MANIFEST);
  const signature = await shortText(path, entries, SIGNATURE);
  const manifest = checkedManifest(`${path}: ${MANIFEST}`, manifestText, ["tenant"]);
  if (manifest.key_fingerprints[0] !== key.fingerprint) {
    throw new StartError(
      `The transfer key does not belong to ${path}. Use the key that was shown when this file was exported.`,
    );
  }
  if (!isEqual(signature, key.sign(manifestText))) {
    throw unusable(path, `${MANIFEST} was changed after the export`);
  }
  checkParts(path, manifest, entries);
  return { manifest, open: (part) => read(entries.get(part) as FileEntry) };
}

export const unusable = (path: string, why: string, cause?: unknown): StartError =>
  new StartError(`The tenant file ${path} cannot be used: ${why}. Export the tenant again.`, {
    cause,
  });

async function entriesOf(path: string): Promise<ReadonlyMap<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  const zip = new ZipReader(new BlobReader(await openAsBlob(path)), {
    checkOverlappingEntry: true,
  });
  const found = zip.getEntriesGenerator();
  for (;;) {
    const next = await found.next().catch((error: unknown) => {
      throw unusable(path, `it is damaged or not a ZIP archive (${messageOf(error)})`, error);
    });
    if (next.done === true) return entries;
    const entry = next.value;
    const { filename } = entry;
    const name = JSON.stringify(filename.slice(0, 100));
    if (filename !== MANIFEST && filename !== SIGNATURE && !PART.test(filename)) {
      throw unusable(path, `it contains ${name}, which does not belong in a tenant file`);
    }
    if (entry.directory || isLink(entry.externalFileAttributes)) {
      throw unusable(path, `${name} is a link or a folder`);
    }
    if (entries.has(filename)) throw unusable(path, `it contains ${name} twice`);
    if (entries.size === ENTRIES_MAX) throw unusable(path, `it has more than ${ENTRIES_MAX} parts`);
    if (entry.encrypted || entry.compressionMethod !== 0) {
      throw unusable(path, `${name} is encrypted, or compressed by the archive`);
    }
    entries.set(filename, entry);
  }
}

/**
 * Whether an entry is a symbolic link. The upper half of the attributes contains the Unix mode. Systems without Unix
 * modes set it to 0.
 */
const isLink = (attributes: number): boolean => ((attributes >>> 16) & 0o170000) === 0o120000;

async function shortText(
  path: string,
  entries: ReadonlyMap<string, FileEntry>,
  name: string,
): Promise<string> {
  const entry = entries.get(name);
  if (entry === undefined) throw unusable(path, `${name} is missing`);
  if (entry.uncompressedSize > MANIFEST_MAX_bytes) {
    throw unusable(path, `${name} is larger than 64 MB`);
  }
  try {
    return await text(read(entry));
  } catch (error) {
    throw unusable(path, `${name} is damaged`, error);
  }
}

function checkParts(
  path: string,
  { files, tables }: TenantManifest,
  entries: ReadonlyMap<string, FileEntry>,
): void {
  const listed = new Map(files.map((file) => [file.path, file]));
  const own = new Set([MANIFEST, SIGNATURE]);
  const further = [...entries.keys()];
  const extra = further.find((name) => !own.has(name) && !listed.has(name));
  if (extra !== undefined) throw unusable(path, `${extra} is not listed in the manifest`);
  for (const { path: part, bytes } of files) {
    const entry = entries.get(part);
    if (entry === undefined) throw unusable(path, `${part} is missing`);
    if (entry.uncompressedSize !== bytes || entry.compressedSize !== bytes) {
      throw unusable(path, `${part} does not have the size in the manifest`);
    }
  }
  for (const { table, path: part } of tables) {
    if (part !== partOf(table) || !listed.has(part)) {
      throw unusable(path, `the manifest has no part for the table "${table}"`);
    }
  }
  if (tables.length !== files.length || listed.size !== files.length) {
    throw unusable(path, "the manifest lists a part twice, or a part without a table");
  }
}

function read(entry: FileEntry): Readable {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const stream = Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0]);
  entry.getData(writable, { checkSignature: true }).catch((error: unknown) => {
    stream.destroy(asError(error));
  });
  return stream;
}

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Makes a file's bytes readable twice: first to detect the format of whole columns, then to import the rows. A file is
 * reopened. A stream is stored in a temporary file during the first pass.
 */

import type { FileHandle } from "node:fs/promises";
import type { Spool } from "./temporary-files.ts";
import { codeOf } from "../../platform/errors/index.ts";

const PIECE_bytes = 256 * 1024;
const KEPT_MAX_ms = 24 * 60 * 60 * 1000;
const INCOMPLETE = "The temporary file of an import was not written or read completely";

export interface SecondReading {
  /** Reopens the file for the second pass. Omitted for streams. */
  readonly reopen?: (() => AsyncIterable<Uint8Array>) | undefined;
  /** Where to store a stream for the second pass. Without `spool` or `reopen`, there is no second pass. */
  readonly spool?: Spool | undefined;
}

export class Rereadable {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #options: SecondReading;
  /**
   * Bytes that are kept in memory, because it is not yet known whether there will be a second pass, or because the
   * temporary file has no space for them.
   */
  #kept: Uint8Array[] = [];
  #keeps: boolean;
  #file: FileHandle | undefined;
  #written = 0;
  /**
   * The number of bytes reserved in the spool, at least as many as were written. They are released at the end, even if
   * a write failed.
   */
  #reserved = 0;
  #expiry: NodeJS.Timeout | undefined;
  #isDone = false;
  #read = 0;
  /** Whether no more bytes can be stored. If so, the second pass must start now. */
  isFull = false;

  constructor(bytes: AsyncIterable<Uint8Array>, options: SecondReading) {
    this.#source = bytes[Symbol.asyncIterator]();
    this.#options = options;
    this.#keeps = options.reopen === undefined;
  }

  /** The number of bytes read so far in the current pass. */
  readonly read_bytes = (): number => this.#read;

  /** Yields the bytes in the first pass. Does not close the source. */
  async *first(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const { done, value } = await this.#source.next();
      if (done === true) {
        this.#isDone = true;
        return;
      }
      if (this.#keeps) await this.#keep(value);
      this.#read += value.length;
      yield value;
    }
  }

  /** Declares that there will be no second pass. */
  readOnce(): void {
    this.#keeps = false;
    this.#kept = [];
  }

  /** Declares that there will be a second pass. From now on, all bytes are stored, including those already read. */
  async readTwice(): Promise<void> {
    if (this.#options.reopen !== undefined) return;
    this.#file = await this.#options.spool?.create();
    if (this.#file === undefined) {
      this.isFull = true;
      return;
    }
    this.#expiry = setTimeout(() => void this.#file?.close(), KEPT_MAX_ms).unref();
    const kept = this.#kept;
    this.#kept = [];
    for (const bytes of kept) await this.#keep(bytes);
  }

  /** Yields all bytes from the start for the second pass, even if the first pass ended early. */
  async *again(): AsyncGenerator<Uint8Array> {
    this.#keeps = false;
    this.#read = 0;
    const { reopen } = this.#options;
    for await (const bytes of reopen === undefined ? this.#stored() : reopen()) {
      this.#read += bytes.length;
      yield bytes;
    }
  }

  /** Deletes the stored bytes and closes the source. */
  async close(): Promise<void> {
    clearTimeout(this.#expiry);
    this.#options.spool?.free(this.#reserved);
    this.#reserved = 0;
    this.#keeps = false;
    await this.#file?.close().catch(() => undefined);
    // Not awaited, because closing the source could wait for bytes that never arrive.
    if (!this.#isDone) this.#source.return?.()?.catch(() => undefined);
  }

  async #keep(bytes: Uint8Array): Promise<void> {
    if (await this.#write(bytes)) return;
    this.isFull ||= this.#file !== undefined;
    this.#kept.push(bytes);
  }

  /** Writes bytes to the temporary file. Returns false if there is no file, or no space for them. */
  async #write(bytes: Uint8Array): Promise<boolean> {
    const file = this.#file;
    if (file === undefined || this.isFull || !this.#reserve(bytes.length)) return false;
    try {
      const { bytesWritten } = await file.write(bytes, 0, bytes.length, this.#written);
      if (bytesWritten !== bytes.length) return false;
    } catch (error) {
      if (codeOf(error) === "ENOSPC") return false;
      throw error;
    }
    this.#written += bytes.length;
    return true;
  }

  #reserve(bytes: number): boolean {
    if (this.#options.spool?.reserve(bytes) !== true) return false;
    this.#reserved += bytes;
    return true;
  }

  async *#stored(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < this.#written;) {
      const bytes = Buffer.allocUnsafe(Math.min(PIECE_bytes, this.#written - at));
      const read = await this.#file?.read(bytes, 0, bytes.length, at);
      if (read?.bytesRead !== bytes.length) throw new Error(INCOMPLETE);
      at += bytes.length;
      yield bytes;
    }
    yield* this.#kept.splice(0);
    while (!this.#isDone) {
      const { done, value } = await this.#source.next();
      if (done === true) this.#isDone = true;
      else yield value;
    }
  }
}

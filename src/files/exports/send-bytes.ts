/**
 * Sends exports. If the reader is slow, the export is written to a temporary file at full speed and sent from there, so
 * that its database connection and snapshot are released early.
 */

import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Spool } from "../spool/index.ts";
import { asError } from "../../platform/errors/index.ts";

/** Readers that consume no data for this long are considered slow. */
const PATIENCE_ms = 1000;
const PIECE_bytes = 256 * 1024;
const INCOMPLETE = "The temporary file of an export was not written or read completely";

export interface SendingOptions {
  /** Where to store the data for slow readers. If omitted, the source waits for the reader. */
  readonly spool?: Spool | undefined;
  /** Readers that consume no data for this long are disconnected. */
  readonly stall_ms: number;
}

/**
 * Sends bytes as a stream. The stream is destroyed if the source fails or the reader stalls. The source is closed when
 * it has been read completely or the stream is closed.
 */
export function sendBytes(source: AsyncGenerator<Buffer>, options: SendingOptions): Readable {
  const sending = new Sending(source, options);
  return sending.stream;
}

class Sending {
  readonly stream: Readable;
  readonly #stall_ms: number;
  #spool: Spool | undefined;
  #stalled: NodeJS.Timeout | undefined;
  /** Called when the reader wants more data. */
  #wanted: (() => void) | undefined;
  #wants = false;
  #file: FileHandle | undefined;
  #written = 0;
  #sent = 0;

  constructor(source: AsyncGenerator<Buffer>, { spool, stall_ms }: SendingOptions) {
    this.#spool = spool;
    this.#stall_ms = stall_ms;
    this.stream = new Readable({
      highWaterMark: PIECE_bytes,
      read: () => this.#want(),
      destroy: (error, done) => {
        clearTimeout(this.#stalled);
        this.#want();
        done(error);
      },
    });
    this.#run(source).catch((error: unknown) => this.stream.destroy(asError(error)));
  }

  #want(): void {
    clearTimeout(this.#stalled);
    this.#wants = true;
    this.#wanted?.();
  }

  /** Passes on all bytes of the source. Leaving the loop closes the source. */
  async #run(source: AsyncGenerator<Buffer>): Promise<void> {
    try {
      for await (const bytes of source) {
        await this.#pass(bytes);
        if (this.stream.destroyed) return;
      }
      await this.#sendFile();
      this.stream.push(null);
    } finally {
      await this.#file?.close();
      this.#spool?.free(this.#written);
    }
  }

  /** Sends bytes directly, or writes them to the file if the reader is slow. */
  async #pass(bytes: Buffer): Promise<void> {
    if (this.#file !== undefined) return this.#write(bytes);
    if (await this.#readerWants(this.#spool && PATIENCE_ms)) return this.#push(bytes);
    if (this.stream.destroyed) return;
    this.#file = await this.#spool?.create();
    if (this.#file === undefined) this.#spool = undefined;
    await this.#write(bytes);
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#spool?.reserve(bytes.length) !== true) {
      // The temporary files have reached their size limit, so wait until the reader has consumed this one.
      await this.#sendFile();
      if (await this.#readerWants()) this.#push(bytes);
      return;
    }
    const at = this.#written;
    // Count the bytes before writing them, so that the reserved space is released even if writing fails.
    this.#written += bytes.length;
    const written = await this.#file?.write(bytes, 0, bytes.length, at);
    if (written?.bytesWritten !== bytes.length) throw new Error(INCOMPLETE);
    if (this.#wants) await this.#sendPiece();
  }

  /** Sends the file's contents as the reader consumes them, and then empties the file. */
  async #sendFile(): Promise<void> {
    while (this.#sent < this.#written && (await this.#readerWants())) await this.#sendPiece();
    if (this.stream.destroyed) return;
    await this.#file?.truncate(0);
    this.#spool?.free(this.#written);
    this.#written = 0;
    this.#sent = 0;
  }

  async #sendPiece(): Promise<void> {
    const bytes = Buffer.allocUnsafe(Math.min(PIECE_bytes, this.#written - this.#sent));
    const read = await this.#file?.read(bytes, 0, bytes.length, this.#sent);
    if (read?.bytesRead !== bytes.length) throw new Error(INCOMPLETE);
    this.#sent += bytes.length;
    this.#push(bytes);
  }

  #push(bytes: Buffer): void {
    if (this.stream.destroyed) return;
    this.#wants = this.stream.push(bytes);
    if (this.#wants) return;
    this.#stalled = setTimeout(
      () => this.stream.destroy(new Error("The client stopped reading the export")),
      this.#stall_ms,
    );
  }

  /** Resolves to true when the reader wants more data, and to false if it disconnects or `limit_ms` have passed. */
  async #readerWants(limit_ms?: number): Promise<boolean> {
    if (!this.#wants && !this.stream.destroyed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wanted = resolve;
      const limit = limit_ms === undefined ? undefined : setTimeout(resolve, limit_ms);
      await promise;
      clearTimeout(limit);
      this.#wanted = undefined;
    }
    return this.#wants && !this.stream.destroyed;
  }
}

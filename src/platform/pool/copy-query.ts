/** `copy … to stdout` and `copy … from stdin` as streams. */

import { Readable, Writable } from "node:stream";
import { serialize } from "./driver.ts";
import { Query } from "./query.ts";
import type { Wire } from "./wire.ts";

/** Copies rows out of the database. `stream` ends after the last row, or fails if the statement does. */
export class CopyOutQuery extends Query {
  #wire: Wire | undefined = undefined;
  readonly stream = new Readable({
    read: () => void this.#wire?.stream.resume(),
    destroy: (error, done) => {
      // The server sends the remaining rows anyway. They are ignored.
      this.#wire?.stream.resume();
      done(error);
    },
  });

  submit(wire: Wire): null {
    this.#wire = wire;
    wire.query(this.text);
    return null;
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (!this.stream.destroyed && !this.stream.push(chunk)) this.#wire?.stream.pause();
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#leaveWire();
    if (this.end() && !this.stream.destroyed) this.stream.push(null);
  }

  override abandon(error: Error): void {
    this.#leaveWire();
    this.stream.destroy(error);
  }

  #leaveWire(): void {
    // The reader may have paused the connection and asks for no more rows.
    this.#wire?.stream.resume();
    this.#wire = undefined;
  }
}

type Done = (error?: Error | null) => void;

/** Copies rows into the database. `stream` finishes when the database has stored all rows, or fails if it rejects them. */
export class CopyInQuery extends Query {
  #wire: Wire | undefined = undefined;
  readonly #ready = Promise.withResolvers<Wire>();
  #finished: Done | undefined = undefined;
  readonly stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => void this.#write(chunk, done),
    final: (done) => this.#finish(done),
    destroy: (error, done) => {
      if (this.#finished === undefined) this.#wire?.sendCopyFail(error?.message ?? "canceled");
      done(error);
    },
  });

  constructor(text: string) {
    super(text);
    // Until `opened` resolves, only this query has the stream. Its error is then the one that `opened` throws.
    this.stream.on("error", () => undefined);
    this.#ready.promise.catch(() => undefined);
  }

  submit(wire: Wire): null {
    wire.query(this.text);
    this.#wire = wire;
    return null;
  }

  /** Resolves when the database accepts rows. Rejects if it rejects the statement. */
  async opened(): Promise<Writable> {
    await this.#ready.promise;
    return this.stream;
  }

  handleCopyInResponse(): void {
    if (this.#wire !== undefined) this.#ready.resolve(this.#wire);
  }

  async #write(chunk: Buffer, done: Done): Promise<void> {
    const wire = this.#wire;
    if (wire === undefined) return;
    wire.send(serialize.copyData(chunk));
    await wire.drained();
    done();
  }

  #finish(done: Done): void {
    this.#finished = done;
    this.#wire?.send(serialize.copyDone());
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#wire = undefined;
    if (this.end()) this.#finished?.();
  }

  override abandon(error: Error): void {
    this.#wire = undefined;
    this.#ready.reject(error);
    if (this.#finished === undefined) this.stream.destroy(error);
    else this.#finished(error);
  }
}

/**
 * A connection of the driver that passes rows on as bytes. The driver itself converts every column to a string, which
 * takes longer than all other work for a page of records. Statements that are sent in the same turn of the event loop
 * are written together.
 */

import { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import { parse } from "pg-protocol";
import type { ServerAddress } from "./address.ts";
import { DriverConnection, serialize } from "./driver.ts";
import type { Prepared } from "./prepared.ts";
import type { Settings, Target } from "./target.ts";
import { asError } from "../errors/index.ts";

/** Codes of the messages from the server that are read here (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
const BIND_COMPLETE = 0x32;
const COMMAND_COMPLETE = 0x43;
const DATA_ROW = 0x44;
/** Maximum number of prepared statements. */
const PREPARED_MAX = 2_000;
/** The size of a message's code and length. */
const HEADER_bytes = 5;

export interface WireOptions {
  readonly target: Target;
  /** Returns the address to connect to. Default: the one in `target`. */
  readonly address: (() => ServerAddress) | undefined;
  readonly settings: Settings;
}

export class Wire extends DriverConnection {
  /** Increases whenever the server sends data. */
  heard = 0;
  /** The prepared statements, by their declared types and text. */
  readonly prepared = new Map<string, Prepared>();
  readonly #options: WireOptions;
  /** Passes the messages that are not read here to the driver's parser. */
  readonly #others = new EventEmitter();
  #unsent: Buffer[] = [];
  /** The beginning of an incomplete message. */
  #parts: Buffer[] = [];
  #parts_bytes = 0;
  #needed_bytes = HEADER_bytes;

  constructor(options: WireOptions) {
    super({ ssl: options.target.ssl, keepAlive: true, keepAliveInitialDelayMillis: 60_000 });
    this.#options = options;
    void parse(this.#others as never, (message) => this.#pass(message));
  }

  override connect(port: number | string, host?: string): void {
    const address = this.#options.address?.();
    if (address === undefined) super.connect(port, host);
    else if ("path" in address) super.connect(address.path);
    else super.connect(address.port, address.host);
  }

  override startup(config: Readonly<Record<string, string>>): void {
    const { target, settings } = this.#options;
    const all = Object.entries({ ...settings, ...target.settings });
    super.startup({
      ...config,
      ...Object.fromEntries(all.map(([name, value]) => [name, String(value)])),
    });
  }

  /** Closes the oldest prepared statements if there is no room for `count` more. */
  makeRoom(count: number): void {
    for (const [key, { name }] of this.prepared) {
      if (this.prepared.size + count <= PREPARED_MAX) return;
      this.prepared.delete(key);
      delete this.parsedStatements[name];
      this.send(serialize.close({ type: "S", name }));
    }
  }

  /** Called by the driver when the connection has been opened, and again when it has been encrypted. */
  attachListeners(stream: Readable): void {
    stream.on("data", (chunk: Buffer) => this.#receive(chunk));
  }

  /** Called by the driver to send a message. */
  _send(message: Buffer): void {
    this.send(message);
  }

  /** Sends a message at the end of this turn of the event loop. */
  send(message: Buffer): void {
    if (this.#unsent.push(message) === 1) setImmediate(() => this.#write());
  }

  /** Resolves when everything has been written, and the stream accepts more. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        if (!this.stream.writable || !this.stream.writableNeedDrain) return resolve();
        const done = (): void => {
          this.stream.off("drain", done).off("close", done);
          resolve();
        };
        this.stream.on("drain", done).on("close", done);
      });
    });
  }

  #write(): void {
    const messages = this.#unsent;
    this.#unsent = [];
    if (!this.stream.writable) return;
    const [first] = messages;
    this.stream.write(messages.length === 1 ? first : Buffer.concat(messages));
  }

  #receive(chunk: Buffer): void {
    this.heard += 1;
    if (this.#parts_bytes === 0) return this.#read(chunk);
    this.#parts.push(chunk);
    this.#parts_bytes += chunk.length;
    if (this.#parts_bytes < this.#needed_bytes) return;
    const bytes = Buffer.concat(this.#parts, this.#parts_bytes);
    this.#parts = [];
    this.#parts_bytes = 0;
    this.#read(bytes);
  }

  #read(bytes: Buffer): void {
    let at = 0;
    let needed_bytes = HEADER_bytes;
    while (bytes.length - at >= HEADER_bytes) {
      needed_bytes = 1 + bytes.readUInt32BE(at + 1);
      if (bytes.length - at < needed_bytes) break;
      this.#readMessage(bytes, at, at + needed_bytes);
      at += needed_bytes;
      needed_bytes = HEADER_bytes;
    }
    if (at === bytes.length) return;
    this.#parts = [bytes.subarray(at)];
    this.#parts_bytes = bytes.length - at;
    this.#needed_bytes = needed_bytes;
  }

  #readMessage(bytes: Buffer, start: number, end: number): void {
    const code = bytes[start];
    if (code === DATA_ROW) this.emit("dataRow", bytes.subarray(start + HEADER_bytes, end));
    else if (code === COMMAND_COMPLETE) {
      this.emit("commandComplete", {
        text: bytes.toString("latin1", start + HEADER_bytes, end - 1),
      });
    } else if (code !== BIND_COMPLETE) this.#parse(bytes.subarray(start, end));
  }

  /** Passes a message to the driver's parser. A message that it does not know ends the connection. */
  #parse(message: Buffer): void {
    try {
      this.#others.emit("data", message);
    } catch (error) {
      this.stream.destroy(asError(error));
    }
  }

  #pass(message: { name: string }): void {
    if (message.name !== "error") {
      this.emit(message.name, message);
      return;
    }
    // The parser uses the name of an error for the kind of message.
    message.name = "DatabaseError";
    this.emit("errorMessage", message);
  }
}

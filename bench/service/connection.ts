/**
 * A persistent HTTP/1.1 connection that sends one request at a time. It reads into one buffer and discards bytes that
 * are not checked. A general-purpose client needed as much processor time to read a page of 76 kB as the service needed
 * to send it.
 */

import { connect, type Socket } from "node:net";

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Response {
  readonly status: number;
  /** The status line and the headers. */
  readonly head: string;
  /** The response body. Present if it was requested, or if the response is an error. */
  readonly body: string | undefined;
}

const BUFFER_bytes = 256 * 1024;
/** Some of the lists that are measured take seconds, and a deep page takes minutes if the disk cache is cold. */
const TIMEOUT_ms = 600_000;
const HEAD_END = Buffer.from("\r\n\r\n");
/** The last chunk of a chunked response. Stored JSON has no line breaks, so no other response can end like this. */
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

interface Pending {
  readonly keeps: boolean;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

/** A response whose headers have arrived. `left` is undefined if the response is chunked. */
interface Arriving {
  readonly status: number;
  readonly head: string;
  left: number | undefined;
  /** The last bytes received. They are stored because the last chunk may arrive in two parts. */
  end: Buffer;
  readonly kept: Buffer[];
}

export class Connection {
  readonly #socket: Socket;
  readonly #host: string;
  #pending: Pending | undefined;
  #head: Buffer = Buffer.alloc(0);
  #arriving: Arriving | undefined;

  constructor(url: string) {
    const { hostname, port, host } = new URL(url);
    this.#host = host;
    const buffer = Buffer.alloc(BUFFER_bytes);
    const callback = (bytes: number): boolean => {
      this.#take(buffer.subarray(0, bytes));
      return true;
    };
    this.#socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: { buffer, callback },
    });
    const fail = (error: Error): void => this.#pending?.reject(error);
    this.#socket
      .on("error", fail)
      .on("close", () => fail(new Error(`${url} closed the connection`)));
    this.#socket.setTimeout(TIMEOUT_ms, () =>
      this.#socket.destroy(new Error(`${url} does not respond`)),
    );
  }

  /** Sends a request once the previous response is complete. */
  send({ method, path, headers, body = "" }: Request, keeps: boolean): Promise<Response> {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    this.#pending = { keeps, resolve, reject };
    let text = `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n`;
    for (const [name, value] of Object.entries(headers)) text += `${name}: ${value}\r\n`;
    if (method !== "GET") text += `content-length: ${Buffer.byteLength(body)}\r\n`;
    this.#socket.write(`${text}\r\n${body}`);
    return promise;
  }

  close(): void {
    this.#pending = undefined;
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    if (this.#arriving !== undefined) return this.#takeBody(this.#arriving, bytes);
    const head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
    const end = head.indexOf(HEAD_END);
    if (end === -1) {
      this.#head = Buffer.from(head);
      return;
    }
    this.#head = Buffer.alloc(0);
    const lines = head.toString("latin1", 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(lines)?.[1];
    this.#arriving = {
      status: Number(lines.slice(9, 12)),
      head: lines,
      left: length === undefined ? undefined : Number(length),
      end: Buffer.alloc(0),
      kept: [],
    };
    this.#takeBody(this.#arriving, head.subarray(end + HEAD_END.length));
  }

  #takeBody(arriving: Arriving, bytes: Buffer): void {
    const { status, head, kept } = arriving;
    if (this.#pending?.keeps === true || status > 299) kept.push(Buffer.from(bytes));
    const isChunked = arriving.left === undefined;
    if (arriving.left !== undefined) arriving.left -= bytes.length;
    if (isChunked) {
      const last = bytes.subarray(-LAST_CHUNK.length);
      arriving.end = Buffer.concat([arriving.end, last]).subarray(-LAST_CHUNK.length);
    }
    const isWhole = isChunked ? arriving.end.equals(LAST_CHUNK) : arriving.left === 0;
    if (!isWhole) return;
    this.#arriving = undefined;
    const text = kept.length === 0 ? undefined : Buffer.concat(kept).toString("utf8");
    const body = isChunked ? text?.replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n(?:\r\n$)?/g, "") : text;
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve({ status, head, body });
  }
}

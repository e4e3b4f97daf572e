/** Receivers of outgoing requests. They use plain sockets, so that a response can be as broken as a test requires. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TLSSocket,
} from "node:tls";
import { listening, temporaryFolder, atEnd } from "../kit/started.ts";

export interface Receiver {
  readonly port: number;
  /** All connections in order, with the bytes received on each. */
  readonly connections: readonly { text: string; isClosed: boolean }[];
  /** The host names requested by TLS clients (SNI), in order. */
  readonly named: readonly (string | false | null)[];
}

/** Called with the connection after a complete request has arrived. */
export type Reaction = (socket: Socket, request: string) => void;

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export async function startReceiver(
  t: TestContext,
  react: Reaction,
  certificate?: Certificate,
): Promise<Receiver> {
  const connections: { text: string; isClosed: boolean }[] = [];
  const named: (string | false | null)[] = [];
  const accept = (socket: Socket) => {
    const connection = { text: "", isClosed: false };
    connections.push(connection);
    if (certificate !== undefined) named.push((socket as TLSSocket).servername);
    socket.on("error", () => undefined);
    socket.on("close", () => (connection.isClosed = true));
    let pending = "";
    socket.on("data", (chunk) => {
      connection.text += chunk.toString("latin1");
      pending += chunk.toString("latin1");
      const size = sizeOf(pending);
      if (size === undefined) return;
      const request = pending.slice(0, size);
      pending = pending.slice(size);
      react(socket, request);
    });
  };
  const server =
    certificate === undefined
      ? createServer(accept)
      : createTlsServer(certificate, accept).on("tlsClientError", () => undefined);
  return { port: await listening(t, server), connections, named };
}

/** Returns the length of the request at the start of a string, or undefined if it is incomplete. */
function sizeOf(text: string): number | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [, length = "0"] = /\r\ncontent-length: (\d+)/i.exec(text) ?? [];
  const size = end + 4 + Number(length);
  return text.length >= size ? size : undefined;
}

/** Builds an HTTP/1.1 response, including its Content-Length. */
export const answer = (status: string, body = "", headers: readonly string[] = []): string =>
  [`HTTP/1.1 ${status}`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers, "", body].join(
    "\r\n",
  );

/** Sends the same response to every request. */
export const answering =
  (text: string | Buffer): Reaction =>
  (socket) => {
    socket.write(text);
  };

/** Creates a certificate for a name, signed by a new authority that is not yet trusted. */
export function makeCertificate(
  t: TestContext,
  name: string,
): Certificate & { readonly authority: string } {
  const folder = temporaryFolder(t);
  const openssl = (line: string) =>
    execFileSync("openssl", line.split(" "), { cwd: folder, stdio: "ignore" });
  const made = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2";
  openssl(`req -x509 ${made} -subj /CN=authority -keyout authority.key -out authority.pem`);
  openssl(
    `req -x509 ${made} -subj /CN=${name} -addext subjectAltName=DNS:${name} ` +
      `-addext basicConstraints=critical,CA:FALSE ` +
      `-CA authority.pem -CAkey authority.key -keyout key.pem -out cert.pem`,
  );
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  return { key: read("key.pem"), cert: read("cert.pem"), authority: read("authority.pem") };
}

/** Makes this process trust an authority until the test ends. */
export function trust(t: TestContext, authority: string): void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, authority]);
  atEnd(t, () => setDefaultCACertificates(before));
}

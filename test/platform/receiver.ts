/** Receivers of what goes out: plain sockets, so that an answer can be as broken as a test wants it. */

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TLSSocket,
} from "node:tls";

export interface Receiver {
  readonly port: number;
  /** Every connection, in order, with what came over it. */
  readonly connections: readonly { text: string; isClosed: boolean }[];
  /** The host name that TLS named (SNI), in order. */
  readonly named: readonly (string | false | null)[];
}

/** What is done with a connection once a request has come over it whole. */
export type Reaction = (socket: Socket, request: string) => void;

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

async function listen(t: TestContext, server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
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
    t.after(() => socket.destroy());
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
  return { port: await listen(t, server), connections, named };
}

/** The bytes of the request that a text begins with; undefined while it is not whole. */
function sizeOf(text: string): number | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [, length = "0"] = /\r\ncontent-length: (\d+)/i.exec(text) ?? [];
  const size = end + 4 + Number(length);
  return text.length >= size ? size : undefined;
}

/** An answer of HTTP/1.1, with its length. */
export const answer = (status: string, body = "", headers: readonly string[] = []): string =>
  [`HTTP/1.1 ${status}`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers, "", body].join(
    "\r\n",
  );

/** Answers every request so. */
export const answering =
  (text: string | Buffer): Reaction =>
  (socket) => {
    socket.write(text);
  };

/** A certificate for a name, signed by an authority of its own that nobody knows yet. */
export function makeCertificate(
  t: TestContext,
  name: string,
): Certificate & { readonly authority: string } {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
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

/** This process believes an authority for as long as the test runs. */
export function trust(t: TestContext, authority: string): void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, authority]);
  t.after(() => setDefaultCACertificates(before));
}

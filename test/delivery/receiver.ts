/** A real HTTP server that takes deliveries and answers as a test says. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export interface Received {
  readonly at_ms: number;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Respond = (response: ServerResponse, received: Received) => void | Promise<void>;

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** What it answers from now on. */
  respond: Respond;
}

/** An answer without more to it. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ""): Respond =>
  (response) =>
    void response.writeHead(code, headers).end(body);

/** Answers 204 until it is told otherwise. */
export async function startReceiver(t: Pick<TestContext, "after">): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const { url: path = "", headers } = request;
      const one = { at_ms: performance.timeOrigin + performance.now(), path, headers, body };
      received.push(one);
      void receiver.respond(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    received,
    respond: status(204),
  };
  return receiver;
}

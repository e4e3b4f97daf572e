/** A real HTTP server that accepts deliveries and responds as a test requires. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listening, type Owner } from "../kit/started.ts";

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
  /** How the receiver responds. Tests may replace it at any time. */
  respond: Respond;
}

/** Responds with a status and, optionally, headers and a body. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ""): Respond =>
  (response) =>
    void response.writeHead(code, headers).end(body);

/** Starts a receiver that responds with 204 until `respond` is set. */
export async function startReceiver(t: Owner): Promise<Receiver> {
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
  const port = await listening(t, server);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    received,
    respond: status(204),
  };
  return receiver;
}

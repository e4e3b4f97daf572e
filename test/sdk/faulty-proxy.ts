/** A real HTTP proxy in front of the service that fails individual requests in the ways that networks do. */

import { createServer, request as send, type ClientRequest, type IncomingMessage } from "node:http";
import type { ServerResponse } from "node:http";
import { listening, type Owner } from "../kit/started.ts";

/** The faults of the next requests, one per request. All later requests pass. */
export type Fault =
  /** Forwarded and executed, but the response is lost. */
  | { readonly kind: "lose-answer" }
  /** The connection closes before anything is forwarded. */
  | { readonly kind: "refuse" }
  /** The response is cut off after this many bytes of its body. */
  | { readonly kind: "cut"; readonly bytes: number }
  /** Nothing is forwarded, and there is no response. */
  | { readonly kind: "hang" }
  /** The proxy itself responds. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };

export interface Seen {
  readonly at_ms: number;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
}

export interface FaultyProxy {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Sets the faults of the next requests. A request with the fault undefined passes. Clears the recorded requests. */
  readonly next: (...faults: readonly (Fault | undefined)[]) => void;
  /** Closes every connection. */
  readonly cutAll: () => void;
}

export async function startFaultyProxy(t: Owner, target: string): Promise<FaultyProxy> {
  let faults: (Fault | undefined)[] = [];
  let seen: Seen[] = [];
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    seen.push({ at_ms: performance.now(), method, url, headers });
    meet(target, faults.shift(), request, response);
  });
  return {
    url: `http://127.0.0.1:${await listening(t, server)}`,
    get seen() {
      return seen;
    },
    next: (...given) => {
      faults = [...given];
      seen = [];
    },
    cutAll: () => server.closeAllConnections(),
  };
}

function meet(
  target: string,
  fault: Fault | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (fault?.kind === "hang") return;
  if (fault?.kind === "refuse") {
    request.socket.destroy();
    return;
  }
  if (fault?.kind === "answer") {
    response.writeHead(fault.status, fault.headers).end(fault.body ?? "proxy");
    return;
  }
  const forward: ClientRequest = send(
    new URL(request.url ?? "", target),
    { method: request.method, headers: request.headers },
    (answer) => {
      if (fault === undefined) {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      } else if (fault.kind === "cut") cut(answer, response, fault.bytes);
      else answer.resume().on("end", () => request.socket.destroy());
    },
  );
  forward.on("error", () => request.socket.destroy());
  response.on("close", () => forward.destroy());
  request.pipe(forward);
}

/** Forwards the first bytes of a response and then closes the connection. */
function cut(answer: IncomingMessage, response: ServerResponse, bytes: number): void {
  response.writeHead(answer.statusCode ?? 0, answer.headers);
  let left = bytes;
  answer.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, left);
    left -= part.length;
    response.write(part, () => {
      if (left === 0) response.socket?.destroy();
    });
  });
}

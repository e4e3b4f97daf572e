/** Sends requests over node:http without address checks, in place of the outgoing HTTP client in delivery tests. */

import { Agent, request as open, type IncomingMessage } from "node:http";
import {
  OutgoingError,
  type Outgoing,
  type OutgoingResponse,
  type OutgoingRequest,
} from "../../src/platform/outgoing/outgoing.ts";

const BODY_BYTES_MAX = 64 * 1024;

export function plainOutgoing(): Outgoing {
  const agent = new Agent({ keepAlive: true });
  return { send: (request) => send(agent, request), close: async () => agent.destroy() };
}

function send(agent: Agent, request: OutgoingRequest): Promise<OutgoingResponse> {
  const { url, method, headers, body, timeout_s } = request;
  return new Promise((resolve, reject) => {
    const call = open(url, { method, agent, headers }, (answer) => {
      read(answer).then(resolve, () => fail("connection"));
    });
    const fail = (fault: "timeout" | "connection") => {
      clearTimeout(timer);
      call.destroy();
      reject(new OutgoingError(fault, `The request failed: ${fault}`));
    };
    const timer = setTimeout(() => fail("timeout"), timeout_s * 1000);
    call.on("error", () => fail("connection"));
    call.on("close", () => clearTimeout(timer));
    call.end(body);
  });
}

async function read(answer: IncomingMessage): Promise<OutgoingResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) break;
  }
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers as Readonly<Record<string, string>>,
    body: Buffer.concat(chunks).subarray(0, BODY_BYTES_MAX),
    isCut: bytes > BODY_BYTES_MAX,
  };
}

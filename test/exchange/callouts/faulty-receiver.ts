/** An endpoint that fails at random in every possible way, and eventually accepts every lead. */

import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { atEnd, type Owner } from "../../kit/started.ts";

/** The attempts made with one webhook-id. */
export interface Tries {
  readonly lead: string;
  requests: number;
  /** The number of attempts that the endpoint accepted, even if its response was lost. */
  taken: number;
}

export interface FaultyReceiver {
  readonly url: string;
  readonly byId: ReadonlyMap<string, Tries>;
  /** How often each fault or response occurred. */
  readonly shown: Readonly<Record<string, number>>;
  /** The number of requests to the target of a redirect. */
  readonly followed: () => number;
  readonly taken: () => number;
  /** Makes the endpoint accept all further requests with these webhook-ids. */
  readonly favor: (ids: readonly string[]) => void;
  /** Stops listening for a period. */
  readonly refuse: (for_ms: number) => Promise<void>;
}

export interface FaultyOptions {
  readonly random: () => number;
  /** Whether a lead's first delivery fails with 410. */
  readonly isGone: (lead: string) => boolean;
}

const BIG = Buffer.alloc(10 * 1024 * 1024, "x");
/** The maximum number of requests per webhook-id that may fail. Later requests are accepted. */
const FAULTS_MAX = 6;
const FAULT_SHARE = 0.55;

type Answer = (response: ServerResponse) => void;

/** Longer than the webhook's timeout_s. */
const LATE_ms = 1300;

const TAKES: Readonly<Record<string, Answer>> = {
  "204": (response) => void response.writeHead(204).end(),
  "200 and 10 MB": (response) => void response.writeHead(200).end(BIG),
};

const FAULTS: Readonly<Record<string, Answer>> = {
  "no response": () => {},
  "200 too late": (response) => void setTimeout(() => response.writeHead(200).end(), LATE_ms),
  "500": (response) => void response.writeHead(500).end("broken"),
  "500 and 10 MB": (response) => void response.writeHead(500).end(BIG),
  "301": (response) => void response.writeHead(301, { location: "/followed" }).end(),
  "429": (response) => void response.writeHead(429, { "retry-after": "1" }).end(),
  "503 until a date": (response) => {
    const date = new Date(Date.now() + 1000).toUTCString();
    response.writeHead(503, { "retry-after": date }).end();
  },
  "half a body": (response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("x".repeat(50), () => response.socket?.destroy());
  },
  "half a head": (response) => void response.socket?.end("HTTP/1.1 200 O"),
  "a reset": (response) => void response.socket?.resetAndDestroy(),
  "no HTTP": (response) => void response.socket?.end("hello\r\n\r\n"),
};

export async function startFaultyReceiver(
  t: Owner,
  options: FaultyOptions,
): Promise<FaultyReceiver> {
  const { random, isGone } = options;
  const byId = new Map<string, Tries>();
  const favored = new Set<string>();
  const gone = new Map<string, string>();
  const shown: Record<string, number> = {};
  let followed = 0;
  let taken = 0;

  const answer = (response: ServerResponse, id: string, tries: Tries): void => {
    const show = (name: string, how: Answer | undefined) => {
      shown[name] = (shown[name] ?? 0) + 1;
      how?.(response);
    };
    const pick = (from: Readonly<Record<string, Answer>>): void => {
      const name = Object.keys(from)[Math.floor(random() * Object.keys(from).length)] ?? "";
      show(name, from[name]);
    };
    if (isGone(tries.lead) && (gone.get(tries.lead) ?? id) === id) {
      gone.set(tries.lead, id);
      show("410", () => void response.writeHead(410).end());
    } else if (tries.requests <= FAULTS_MAX && !favored.has(id) && random() < FAULT_SHARE) {
      pick(FAULTS);
    } else {
      response.on("close", () => {
        tries.taken += 1;
        taken += 1;
      });
      pick(TAKES);
    }
  };
  const server = createServer((request, response) => {
    if (request.url === "/followed") followed += 1;
    const chunks: Buffer[] = [];
    // Errors are expected: the sender may be killed or may stop reading.
    for (const stream of [request, response]) stream.on("error", () => undefined);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const id = String(request.headers["webhook-id"]);
      const { id: lead } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { id: string };
      const tries = byId.get(id) ?? { lead, requests: 0, taken: 0 };
      byId.set(id, tries);
      tries.requests += 1;
      answer(response, id, tries);
    });
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  atEnd(t, close);
  return {
    url: `http://127.0.0.1:${port}`,
    byId,
    shown,
    followed: () => followed,
    taken: () => taken,
    favor: (ids) => {
      for (const id of ids) favored.add(id);
    },
    refuse: async (for_ms) => {
      shown["refused"] = (shown["refused"] ?? 0) + 1;
      const closed = once(server, "close");
      close();
      await closed;
      await sleep(for_ms);
      await listen(port);
    },
  };
}

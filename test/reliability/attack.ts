/**
 * The definition of an attack, and its building blocks. An attack ends automatically when its time or its number of
 * requests is used up.
 */

import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";

/** Credentials of the attacker's tenant. */
export interface Tokens {
  /** An ordinary access token. */
  readonly token: string;
  readonly owner: string;
  /** A partner's token. */
  readonly partner?: string;
}

export interface Target extends Tokens {
  readonly url: string;
  /** When the attack ends, in milliseconds since the epoch. */
  readonly until_ms: number;
}

export interface Outcome {
  readonly requests: number;
  /** Responses by status, and failures by code. */
  readonly responses: Readonly<Record<string, number>>;
  /** When the first request was sent, in milliseconds since the epoch. */
  readonly started_ms: number;
  /** When the attack ended. Some attacks end before their time is used up. */
  readonly ended_ms: number;
  /** The attack's own measurements. */
  readonly figures: Readonly<Record<string, number>>;
}

/** Sends until `target.until_ms`; returns additional figures. */
export type Run = (
  target: Target,
  tally: Tally,
) => Promise<Readonly<Record<string, number>> | void>;

export interface Attack {
  readonly name: string;
  /** The minimum duration in seconds, if it is longer than the campaign's ATTACK_S. */
  readonly atLeast_s?: number;
  /** Builds the data to send, before the time of the attack starts. */
  readonly prepare: () => Run;
  /** Returns what is wrong with the outcome; undefined if nothing is. */
  readonly bound?: (outcome: Outcome) => string | undefined;
}

/** The attacker's first message, sent when the time of the attack starts. Its second message is the outcome. */
export const STARTED = "started";

/** Counts of requests and responses. */
export interface Tally {
  requests: number;
  readonly responses: Record<string, number>;
}

/** How long to keep waiting for responses after an attack ends. */
const GRACE_ms = 40_000;
/** The maximum number of requests per attack. */
const REQUESTS_MAX = 20_000;

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly body?: Buffer | string;
  readonly token?: string | undefined;
  /** A partner's token. */
  readonly partner?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

export interface Response {
  /** The response status, or 0 if there was no response. */
  readonly status: number;
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request and reads the response; never throws. */
export function send({ url, until_ms }: Target, tally: Tally, sent: Sent): Promise<Response> {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { method = "GET", path, body, token, partner, headers = {} } = sent;
  tally.requests += 1;
  const end = (what: string, response: Response): void => {
    tally.responses[what] = (tally.responses[what] ?? 0) + 1;
    resolve(response);
  };
  const fail = (error: Error): void =>
    end((error as NodeJS.ErrnoException).code ?? error.name, { status: 0, body: Buffer.of() });
  const asked = request(url + path, {
    agent,
    method,
    headers: {
      ...(body !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(partner !== undefined && { authorization: `Partner ${partner}` }),
      ...headers,
    },
    signal: AbortSignal.timeout(Math.max(1, until_ms + GRACE_ms - Date.now())),
  });
  asked.on("error", fail);
  asked.on("response", (response) => {
    const status = response.statusCode ?? 0;
    buffer(response).then((body) => end(String(status), { status, body }), fail);
  });
  asked.end(body);
  return promise;
}

/** Repeats a request on several connections until the attack ends. */
export async function repeat(
  target: Target,
  tally: Tally,
  { connections, sent }: { readonly connections: number; readonly sent: (n: number) => Sent },
): Promise<void> {
  let n = 0;
  const work = async (): Promise<void> => {
    while (Date.now() < target.until_ms && n < REQUESTS_MAX) {
      const { status } = await send(target, tally, sent(n++));
      // Refused connections fail immediately, so there is no point in flooding a dead service.
      if (status === 0) await pause(100);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/**
 * Opens connections that send the given bytes, and counts the connections that the service closed. With `endsEarly`, it
 * ends as soon as all of them are closed.
 */
export async function openConnections(
  { url, until_ms }: Target,
  tally: Tally,
  {
    connections,
    begin,
    endsEarly = false,
  }: {
    readonly connections: number;
    readonly begin: (socket: Socket, n: number) => void;
    readonly endsEarly?: boolean;
  },
): Promise<{ readonly open: number; readonly closed: number }> {
  const sockets = Array.from({ length: connections }, (_, n) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
      tally.requests += 1;
      begin(socket, n);
    });
    let first = "";
    socket.on("data", (chunk) => {
      if (first === "")
        first = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString("latin1"))?.[1] ?? "unknown";
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      const what = first === "" ? "closed" : first;
      tally.responses[what] = (tally.responses[what] ?? 0) + 1;
    });
    return socket;
  });
  const time = pause(until_ms - Date.now());
  const closes = sockets.map((socket) => new Promise((resolve) => socket.on("close", resolve)));
  await (endsEarly ? Promise.race([time, Promise.all(closes)]) : time);
  const open = sockets.filter(
    ({ destroyed, readableEnded }) => !destroyed && !readableEnded,
  ).length;
  for (const socket of sockets) socket.destroy();
  return { open, closed: connections - open };
}

/** Writes the bytes repeatedly until the connection is closed. */
export function drip(socket: Socket, piece: (n: number) => string, every_ms: number): void {
  let n = 0;
  const timer = setInterval(() => socket.write(piece(n++)), every_ms);
  socket.on("close", () => clearInterval(timer));
}

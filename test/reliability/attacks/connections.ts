/** Connections that are slow, numerous, or full of headers. */

import { readFileSync } from "node:fs";
import { METHODS } from "node:http";
import type { Socket } from "node:net";
import { drip, openConnections, pause, repeat, send, type Attack } from "../attack.ts";

const kB = 1024;
const DESCRIPTION = new URL("../../../openapi.json", import.meta.url);

/** The service's time limits for headers and for a 64 kB body are 30 s or slightly more. */
const SLOW_s = 50;
const SLOW_CONNECTIONS = 300;

const lines = (...all: readonly string[]): string => `${all.join("\r\n")}\r\n`;

const slowBody = (socket: Socket, headers: readonly string[]): void => {
  const head = ["Host: x", "Content-Type: application/json", `Content-Length: ${64 * kB}`];
  socket.write(lines("POST /crm/leads HTTP/1.1", ...head, ...headers, ""));
  drip(socket, (n) => (n === 0 ? "{" : " "), 2000);
};

const slowHeaders = (socket: Socket): void => {
  socket.write(lines("GET /crm/leads HTTP/1.1", "Host: x"));
  drip(socket, (n) => lines(`X-Slow-${n}: 1`), 2000);
};

/** Of every three connections, one has no credential, one has a token, and one never finishes sending its headers. */
const slowConnections: Attack = {
  name: "600 slow bodies and 300 slow headers",
  atLeast_s: SLOW_s,
  prepare: () => (target, tally) => {
    const authorization = `Authorization: Bearer ${target.token}`;
    const begin = (socket: Socket, n: number): void => {
      if (n % 3 === 0) slowBody(socket, []);
      else if (n % 3 === 1) slowBody(socket, [authorization]);
      else slowHeaders(socket);
    };
    const connections = 3 * SLOW_CONNECTIONS;
    return openConnections(target, tally, { connections, begin, endsEarly: true });
  },
  bound: ({ figures: { open = 0 } }) =>
    open > 0 ? `${open} connections are still open after ${SLOW_s} s.` : undefined,
};

/** The number of requests: one for each known method on each path, and some with unknown methods. */
const ODD_REQUESTS = 5_338;
const METRICS_MAX_MB = 1;

const oddMethods: Attack = {
  name: "odd methods on every path, then /metrics",
  atLeast_s: 12,
  prepare: () => async (target, tally) => {
    // Read the paths from the file, because an earlier attack may have used up the requests that
    // this address may send without a credential.
    const { paths } = JSON.parse(readFileSync(DESCRIPTION, "utf8")) as { paths: object };
    const known = METHODS.filter((method) => method !== "CONNECT");
    const odd = Object.keys(paths).flatMap((path) => known.map((method) => ({ method, path })));
    const until_ms = target.until_ms - 3000;
    await repeat({ ...target, until_ms }, tally, {
      connections: 8,
      sent: (n) => odd[n % Math.min(odd.length, ODD_REQUESTS)] ?? { path: "/" },
    });
    // The last responses can arrive late, so the connections have their own time.
    await openConnections({ ...target, until_ms: Date.now() + 1000 }, tally, {
      connections: 200,
      begin: (socket, n) => socket.write(lines(`ODD${n} /crm/leads HTTP/1.1`, "Host: x", "")),
    });
    const { body } = await send(target, tally, { path: "/metrics" });
    return { metrics_MB: body.length / kB / kB };
  },
  bound: ({ figures: { metrics_MB = 0 } }) =>
    metrics_MB > METRICS_MAX_MB ? `/metrics has ${metrics_MB.toFixed(1)} MB.` : undefined,
};

const headerFlood = (name: string, header: (n: number) => string, count: number): Attack => ({
  name,
  prepare: () => async (target, tally) => {
    const many = Array.from({ length: count }, (_, n) => header(n));
    const text = lines("GET /crm/leads HTTP/1.1", "Host: x", ...many, "");
    const round_ms = 1000;
    while (Date.now() < target.until_ms) {
      const until_ms = Math.min(target.until_ms, Date.now() + round_ms);
      await openConnections({ ...target, until_ms }, tally, {
        connections: 100,
        begin: (socket) => socket.write(text),
      });
    }
  },
});

const PIPELINED = 100;

export const CONNECTION_ATTACKS: readonly Attack[] = [
  slowConnections,
  oddMethods,
  headerFlood(
    "100 connections a second with 120 kB of headers",
    (n) => `X-${n}: ${"v".repeat(kB)}`,
    118,
  ),
  headerFlood("100 connections a second with 12,000 short headers", (n) => `X${n}: 1`, 12_000),
  {
    name: "pipelined requests whose responses are never read",
    prepare: () => async (target, tally) => {
      const one = lines(
        "GET /crm/leads?page_size=500 HTTP/1.1",
        "Host: x",
        `Authorization: Bearer ${target.token}`,
        "",
      );
      await openConnections(target, tally, {
        connections: 10,
        begin: (socket) => {
          socket.pause();
          socket.write(one.repeat(PIPELINED));
        },
      });
    },
  },
  {
    name: "1,000 idle connections",
    prepare: () => async (target, tally) => {
      await openConnections(target, tally, { connections: 1000, begin: () => {} });
      await pause(1);
    },
  },
];

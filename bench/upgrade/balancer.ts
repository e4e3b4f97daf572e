/**
 * A plain load balancer: it forwards requests in turn to the processes that are ready. It checks that every 500 ms, takes
 * a process out after two checks that failed, and never sends a request twice. If no process is ready, it uses all of
 * them.
 */

import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { isReady } from "./processes.ts";

const CHECK_EVERY_ms = 500;
const FAILED_MAX = 2;

interface Target {
  readonly url: string;
  isIn: boolean;
  failed: number;
  /** The number of requests in progress. */
  open: number;
}

export type Balancer = Awaited<ReturnType<typeof openBalancer>>;

export async function openBalancer() {
  const targets = new Set<Target>();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer((asked, answer) => {
    const ready = [...targets].filter(({ isIn }) => isIn);
    const used = ready.length > 0 ? ready : [...targets];
    const target = used[turn++ % used.length];
    if (target === undefined) return void answer.writeHead(503).end("No process is ready.");
    target.open += 1;
    answer.once("close", () => (target.open -= 1));
    forward(asked, answer, target);
  });
  const forward = (asked: IncomingMessage, answer: ServerResponse, target: Target): void => {
    const { method, url, headers } = asked;
    const onward = request(new URL(url ?? "", target.url), { method, headers, agent });
    onward.on("response", (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
      response.on("error", () => answer.destroy());
    });
    onward.on("error", (error) => {
      if ("code" in error && error.code === "ECONNREFUSED") target.isIn = false;
      if (!answer.headersSent) answer.writeHead(502).end(String(error));
    });
    answer.on("close", () => {
      if (!answer.writableFinished) onward.destroy();
    });
    asked.pipe(onward);
  };
  const check = async (target: Target): Promise<void> => {
    target.failed = (await isReady(target.url)) ? 0 : target.failed + 1;
    if (target.failed === 0) target.isIn = true;
    if (target.failed >= FAILED_MAX) target.isIn = false;
  };
  const timer = setInterval(() => {
    for (const target of targets) void check(target);
  }, CHECK_EVERY_ms);
  // Connections of clients stay open.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const find = (url: string) => [...targets].find((target) => target.url === url);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async (url: string): Promise<void> => {
      targets.add({ url, isIn: false, failed: 0, open: 0 });
      while (find(url)?.isIn !== true) await sleep(20);
    },
    /** Waits until a process gets no more requests and none is in progress. */
    untilOut: async (url: string): Promise<void> => {
      for (let target = find(url); target !== undefined; target = find(url)) {
        if (!target.isIn && target.open === 0) targets.delete(target);
        else await sleep(20);
      }
    },
    close: (): void => {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

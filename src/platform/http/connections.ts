/** Limits the concurrent requests on each connection. By default, Node.js starts every pipelined request at once. */

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Socket } from "node:net";

const RUNNING_MAX = 4;
const WAITING_MAX = 256;
/** How long a client can continue to send a request body after the response has been sent. */
const DRAIN_ms = 5_000;

/** A request whose response has not been completely sent. */
interface Open {
  readonly start: () => void;
  readonly listeners: (() => void)[];
}

interface RequestQueue {
  readonly socket: Socket;
  readonly running: Set<Open>;
  readonly waiting: Set<Open>;
}

const QUEUE = Symbol("the requests of a connection");
const OPEN = Symbol("an open request");
type Queued = Socket & { [QUEUE]?: RequestQueue };
type WithOpen = FastifyRequest & { [OPEN]?: Open };

/** Limits the requests on each connection. Call this before adding any other hook. */
export function limitConnections(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    const socket: Queued = request.raw.socket;
    // Even after the connection is closed, Node.js parses the bytes that it has already read. Ignore the requests in
    // these bytes.
    if (socket.destroyed) return;
    const queue = (socket[QUEUE] ??= queueOf(socket));
    const open: Open = { start: done, listeners: [] };
    const withOpen: WithOpen = request;
    withOpen[OPEN] = open;
    // If the connection closes, a queued response to a pipelined request emits no event. `queueOf`
    // handles that case.
    reply.raw.once("close", () => leave(queue, open));
    if (queue.running.size < RUNNING_MAX) {
      queue.running.add(open);
      done();
    } else if (queue.waiting.size < WAITING_MAX) {
      queue.waiting.add(open);
    } else {
      socket.destroy();
    }
  });
  app.addHook("onResponse", ({ raw }, _reply, done) => {
    if (!raw.complete) {
      const timer = setTimeout(() => raw.complete || raw.destroy(), DRAIN_ms).unref();
      raw.once("close", () => clearTimeout(timer));
    }
    done();
  });
}

/** Calls `listener` when the response has been completely sent or the connection has been closed. */
export const whenClosed = (request: WithOpen, listener: () => void): void =>
  void request[OPEN]?.listeners.push(listener);

function queueOf(socket: Queued): RequestQueue {
  const queue: RequestQueue = { socket, running: new Set(), waiting: new Set() };
  socket.once("close", () => {
    for (const open of [...queue.running, ...queue.waiting]) leave(queue, open);
  });
  return queue;
}

function leave(queue: RequestQueue, open: Open): void {
  for (const listener of open.listeners.splice(0)) listener();
  queue.waiting.delete(open);
  if (!queue.running.delete(open)) return;
  const [next] = queue.waiting;
  if (next === undefined || queue.socket.destroyed) return;
  queue.waiting.delete(next);
  queue.running.add(next);
  next.start();
}

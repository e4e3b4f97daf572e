/** Bounds what one connection does at once; Node alone would start every pipelined request. */

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Socket } from "node:net";

const RUNNING_MAX = 4;
const WAITING_MAX = 256;
/** A response to an incomplete request is followed by so much time for the rest of its body. */
const DRAIN_ms = 5_000;

/** A request that has arrived and is not answered to the last byte. */
interface Open {
  readonly start: () => void;
  readonly listeners: (() => void)[];
}

interface Line {
  readonly socket: Socket;
  readonly running: Set<Open>;
  readonly waiting: Set<Open>;
}

const LINE = Symbol("the requests of a connection");
const OPEN = Symbol("an open request");
type Lined = Socket & { [LINE]?: Line };
type WithOpen = FastifyRequest & { [OPEN]?: Open };

/** To be called before any other hook is added. */
export function boundConnections(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    const socket = request.raw.socket as Lined;
    // Node parses the rest of what it has read although the connection is gone.
    if (socket.destroyed) return;
    const line = (socket[LINE] ??= lineOf(socket));
    const open: Open = { start: done, listeners: [] };
    (request as WithOpen)[OPEN] = open;
    // A pipelined response that waits for its turn emits nothing if the connection is closed.
    reply.raw.once("close", () => leave(line, open));
    if (line.running.size < RUNNING_MAX) {
      line.running.add(open);
      done();
    } else if (line.waiting.size < WAITING_MAX) {
      line.waiting.add(open);
    } else {
      socket.destroy();
    }
  });
  app.addHook("onResponse", ({ raw }, _reply, done) => {
    if (!raw.complete) {
      const timer = setTimeout(() => raw.complete || raw.socket.destroy(), DRAIN_ms).unref();
      raw.once("close", () => clearTimeout(timer));
    }
    done();
  });
}

/** Calls `listener` when the response is sent to the last byte, or the connection is closed. */
export const whenClosed = (request: FastifyRequest, listener: () => void): void =>
  void (request as WithOpen)[OPEN]?.listeners.push(listener);

function lineOf(socket: Lined): Line {
  const line: Line = { socket, running: new Set(), waiting: new Set() };
  socket.once("close", () => {
    for (const open of [...line.running, ...line.waiting]) leave(line, open);
  });
  return line;
}

function leave(line: Line, open: Open): void {
  for (const listener of open.listeners.splice(0)) listener();
  line.waiting.delete(open);
  if (!line.running.delete(open)) return;
  const [next] = line.waiting;
  if (next === undefined || line.socket.destroyed) return;
  line.waiting.delete(next);
  line.running.add(next);
  next.start();
}

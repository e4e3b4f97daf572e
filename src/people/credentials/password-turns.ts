/**
 * The queue for hashing passwords. Only a few are hashed at the same time, because each takes 19 MiB and 13 ms of a CPU
 * core. Each network gets only a few places, so that it cannot fill the queue. A request leaves the queue when its
 * client disconnects.
 */

import type { FastifyRequest } from "fastify";
import PQueue from "p-queue";
import { networksOf } from "../../platform/addresses/index.ts";
import { whenClosed } from "../../platform/http/index.ts";
import { AppError } from "../../platform/errors/index.ts";

const AT_ONCE = 2;
/** With a longer queue, requests would wait more than two seconds, and clients would give up. */
const WAITING_MAX = 100;
/** Maximum number of running and waiting requests per address. Larger IPv6 networks get more (`allowance`). */
const NETWORK_MAX = 5;

/**
 * Queues work for a request and runs it when its turn comes. Throws 429 if the request's network has too many requests
 * running or waiting, and 503 if the queue is full or the client disconnects while it waits.
 */
export type InTurn = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>;

export function createPasswordTurns(): InTurn {
  const queue = new PQueue({ concurrency: AT_ONCE });
  const ofNetworks = new Map<string, number>();

  /** Takes a place for the request in each of its networks. Returns a function that releases these places. */
  const takePlaces = ({ ip }: FastifyRequest): (() => void) => {
    const networks = networksOf(ip);
    const isFull = networks.some(
      ({ first, allowance }) => (ofNetworks.get(first) ?? 0) >= NETWORK_MAX * allowance,
    );
    if (isFull) throw new AppError("too_many_passwords", { headers: { "retry-after": "1" } });
    for (const { first } of networks) ofNetworks.set(first, (ofNetworks.get(first) ?? 0) + 1);
    return () => {
      for (const { first } of networks) {
        const remaining = (ofNetworks.get(first) ?? 1) - 1;
        if (remaining === 0) ofNetworks.delete(first);
        else ofNetworks.set(first, remaining);
      }
    };
  };

  return async (request, work) => {
    const release = takePlaces(request);
    try {
      if (request.raw.socket.destroyed || queue.size >= WAITING_MAX) throw tooBusy();
      const disconnected = new AbortController();
      let isRunning = false;
      // Abort the request only while it is waiting. Complete work that has already started.
      whenClosed(request, () => isRunning || disconnected.abort(tooBusy()));
      const run = () => {
        isRunning = true;
        return work();
      };
      return await queue.add(run, { signal: disconnected.signal });
    } finally {
      release();
    }
  };
}

const tooBusy = (): AppError => new AppError("too_busy", { headers: { "retry-after": "2" } });

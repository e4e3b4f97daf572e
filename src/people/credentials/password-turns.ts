/**
 * The queue for hashing passwords: a few at once, since each takes 19 MiB and 13 ms of a core. A network
 * gets a few of the places, so that it cannot fill the queue, and a request whose client has gone gives up
 * its place.
 */

import type { FastifyRequest } from "fastify";
import PQueue from "p-queue";
import { networksOf } from "../../platform/addresses/index.ts";
import { whenClosed } from "../../platform/http/index.ts";
import { AppError } from "../../platform/errors/index.ts";

const AT_ONCE = 2;
/** Clients give up before more than these are done, which takes about two seconds. */
const WAITING_MAX = 100;
/** Of one address, running or waiting; larger IPv6 networks have more (`allowance`). */
const NETWORK_MAX = 5;

/**
 * Runs work for a request when it is its turn. Throws 429 if the network of the request has too much
 * running or waiting, and 503 if the queue is full, or the client goes while the request waits.
 */
export type InTurn = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>;

export function createPasswordTurns(): InTurn {
  const queue = new PQueue({ concurrency: AT_ONCE });
  const ofNetworks = new Map<string, number>();

  /** Takes a place in each network of the request; returns what gives them back. */
  const takePlaces = ({ ip }: FastifyRequest): (() => void) => {
    const networks = networksOf(ip);
    const isFull = networks.some(
      ({ first, allowance }) => (ofNetworks.get(first) ?? 0) >= NETWORK_MAX * allowance,
    );
    if (isFull) throw new AppError("too_many_passwords", { headers: { "retry-after": "1" } });
    for (const { first } of networks) ofNetworks.set(first, (ofNetworks.get(first) ?? 0) + 1);
    return () => {
      for (const { first } of networks) {
        const rest = (ofNetworks.get(first) ?? 1) - 1;
        if (rest === 0) ofNetworks.delete(first);
        else ofNetworks.set(first, rest);
      }
    };
  };

  return async (request, work) => {
    const giveBack = takePlaces(request);
    try {
      if (request.raw.socket.destroyed || queue.size >= WAITING_MAX) throw tooBusy();
      const gone = new AbortController();
      let isRunning = false;
      // Work that has started ends, and keeps its turn until then.
      whenClosed(request, () => isRunning || gone.abort(tooBusy()));
      const run = () => {
        isRunning = true;
        return work();
      };
      return await queue.add(run, { signal: gone.signal });
    } finally {
      giveBack();
    }
  };
}

const tooBusy = (): AppError => new AppError("too_busy", { headers: { "retry-after": "2" } });

/** A tenant's system that receives events. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** How long to wait for events after the last write. */
const WITHIN_ms = 120_000;

interface Event {
  readonly data: { readonly record_id: string; readonly version: number };
}

export async function openReceiver() {
  const arrived = new Set<string>();
  const deliveries = new Set<string>();
  let repeated = 0;
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = String(request.headers["webhook-id"]);
    if (deliveries.has(id)) repeated += 1;
    deliveries.add(id);
    const { data } = JSON.parse(await text(request)) as Event;
    arrived.add(`${data.record_id}:${data.version}`);
    response.end();
  };
  // A delivery whose request ends early is sent again.
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const notArrived = (written: readonly string[]): number =>
    written.filter((key) => !arrived.has(key)).length;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Waits until an event of each write has arrived. Returns how many are missing. */
    missing: async (written: readonly string[]): Promise<number> => {
      const end_ms = performance.now() + WITHIN_ms;
      while (notArrived(written) > 0 && performance.now() < end_ms) await sleep(50);
      return notArrived(written);
    },
    /** The number of deliveries that arrived again, which happens after a worker was killed. */
    repeated: () => repeated,
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}

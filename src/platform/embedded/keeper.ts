/** Starting the server, and starting it again whenever it ends without our doing. */

import { setTimeout as sleep } from "node:timers/promises";
import { clearLeftovers, cut } from "./left-behind.ts";
import {
  type Cluster,
  dataOf,
  freePort,
  type Postmaster,
  type ServerOptions,
  startServer,
  stopServer,
  type Notify,
} from "./postmaster.ts";
import { readPidFile } from "./server-processes.ts";

const LOOK_EVERY_ms = 1_000;
/** The pauses between attempts to start it again. */
const FIRST_PAUSE_ms = 200;
const LONGEST_PAUSE_ms = 5_000;

/** Asks the system: PostgreSQL's log may not be on the disk yet when it has ended. */
const isTaken = async (port: number): Promise<boolean> =>
  (await freePort(port).catch(() => undefined)) === undefined;

export async function startOnFreePort(cluster: Cluster, args: readonly string[], notify: Notify) {
  await clearLeftovers(cluster, notify);
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return await startServer(cluster, { args, port }, notify);
    } catch (error) {
      // Another program took the port in the moment between.
      if (attempt === 3 || !(await isTaken(port))) throw error;
    }
  }
}

/** Starts the server again on its port; by its socket alone if another program has the port. */
async function startOnSamePort(
  cluster: Cluster,
  options: ServerOptions,
  notify: Notify,
  signal: AbortSignal,
): Promise<Postmaster> {
  await clearLeftovers(cluster, notify);
  try {
    return await startServer(cluster, options, notify, signal);
  } catch (error) {
    const { args, port } = options;
    const hasSocket = !args.includes("unix_socket_directories=");
    if (signal.aborted || !hasSocket || !(await isTaken(port))) throw error;
    notify(`Another program has taken port ${port}; the database is reached by its socket alone`);
    const socketOnly = [...args, "-c", "listen_addresses="];
    return startServer(cluster, { args: socketOnly, port }, notify, signal);
  }
}

/** Starts the server again when it ends: at once, then after 0.2 s, doubling up to 5 s. */
export function keepRunning(
  cluster: Cluster,
  args: readonly string[],
  first: Postmaster,
  notify: Notify,
): { stop(): Promise<void> } {
  let server: Postmaster | undefined = first;
  const stopping = new AbortController();
  const { signal } = stopping;

  const watch = async () => {
    while (!signal.aborted) {
      if (server !== undefined) await endOf(cluster, server, signal, notify);
      if (signal.aborted) return;
      notify("The database ended unexpectedly; starting it again");
      server = undefined;
      for (let pause_ms = FIRST_PAUSE_ms; server === undefined;) {
        try {
          server = await startOnSamePort(cluster, { args, port: first.port }, notify, signal);
        } catch (error) {
          if (signal.aborted) return;
          notify((error as Error).message);
          await sleep(pause_ms, undefined, { signal }).catch(() => {});
          pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_ms);
        }
        if (signal.aborted) return;
      }
    }
  };
  const watching = watch();
  return {
    stop: async () => {
      stopping.abort();
      if (server !== undefined) await stopServer(server);
      await watching;
      // A start that was under way when the stop came.
      if (server !== undefined) await stopServer(server);
    },
  };
}

/** Waits for a server's end. One that was asked to stop and may never finish is ended. */
async function endOf(cluster: Cluster, server: Postmaster, signal: AbortSignal, notify: Notify) {
  const look = async () => {
    while (!signal.aborted) {
      await sleep(LOOK_EVERY_ms, undefined, { signal, ref: false }).catch(() => {});
      const file = readPidFile(dataOf(cluster));
      if (signal.aborted || file?.pid !== server.pid || file.status !== "stopping") continue;
      notify(`Something has asked the database (process ${server.pid}) to stop; ending it`);
      await cut(server);
      return;
    }
  };
  await Promise.race([server.exited, look()]);
}

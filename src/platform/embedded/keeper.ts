/** Starts the server, and restarts it whenever it exits unexpectedly. */

import { setTimeout as sleep } from "node:timers/promises";
import { clearLeftovers, forceStop } from "./left-behind.ts";
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
import { messageOf } from "../errors/index.ts";

const CHECK_EVERY_ms = 1_000;
/** The shortest and the longest pause between attempts to restart the server. */
const FIRST_PAUSE_ms = 200;
const LONGEST_PAUSE_ms = 5_000;

/**
 * Whether a port is in use. Tries to listen on it, because PostgreSQL's log may not be on disk yet when the server
 * exits.
 */
const isTaken = async (port: number): Promise<boolean> =>
  (await freePort(port).catch(() => undefined)) === undefined;

export async function startOnFreePort(cluster: Cluster, args: readonly string[], notify: Notify) {
  await clearLeftovers(cluster, notify);
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return await startServer(cluster, { args, port }, notify);
    } catch (error) {
      // Retry only if another program took the port in the meantime.
      if (attempt === 3 || !(await isTaken(port))) throw error;
    }
  }
}

/** Restarts the server on its port, or only on its socket if another program uses the port. */
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
    notify(`Another program uses port ${port}; the database now listens only on its socket`);
    const socketOnly = [...args, "-c", "listen_addresses="];
    return startServer(cluster, { args: socketOnly, port }, notify, signal);
  }
}

/**
 * Restarts the server whenever it exits. The first restart is immediate. The pause before the next one is 0.2 s. It
 * doubles with each further restart, up to 5 s.
 */
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
      notify("The database ended unexpectedly; restarting it");
      server = undefined;
      for (let pause_ms = FIRST_PAUSE_ms; server === undefined;) {
        try {
          server = await startOnSamePort(cluster, { args, port: first.port }, notify, signal);
        } catch (error) {
          if (signal.aborted) return;
          notify(messageOf(error));
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
      // If a restart was in progress when `stop` was called, stop the server that it started.
      if (server !== undefined) await stopServer(server);
    },
  };
}

/**
 * Waits until a server has exited. If another process has asked the server to shut down, kills it,
 * because the shutdown might never finish.
 */
async function endOf(cluster: Cluster, server: Postmaster, signal: AbortSignal, notify: Notify) {
  const watchForStop = async () => {
    while (!signal.aborted) {
      await sleep(CHECK_EVERY_ms, undefined, { signal, ref: false }).catch(() => {});
      const file = readPidFile(dataOf(cluster));
      if (signal.aborted || file?.pid !== server.pid || file.status !== "stopping") continue;
      notify(`Another process has asked the database (process ${server.pid}) to stop; ending it`);
      await forceStop(server);
      return;
    }
  };
  await Promise.race([server.exited, watchForStop()]);
}

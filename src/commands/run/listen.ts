/** Listens on the API's port, and shuts down cleanly. */

import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import { buildApp, buildWorkerApp } from "../../service/index.ts";
import type { SharedMetrics } from "../../platform/metrics/index.ts";
import { openPages } from "../../platform/http/index.ts";
import { codeOf, StartError } from "../../platform/errors/index.ts";
import type { Config } from "../../settings/index.ts";
import { exportSpool, importSpool, type Installation } from "../installation.ts";
import { within } from "../../platform/clock/index.ts";

/** How long responses in progress may take before their connections are closed. */
const RESPONSES_WITHIN_MS = 4_000;

/** The folder into which `npm ci` and `npm run build` build the pages. */
const PAGES = join(import.meta.dirname, "../../../console/dist");

export interface Measuring {
  readonly register: Registry;
  /** Set if this process is one of several. */
  readonly shared?: SharedMetrics | undefined;
}

export interface Listening {
  /** The actual port. It differs from the setting if the setting is 0. */
  readonly port: number;
  /** Makes the service report that it is not ready, although it continues to serve requests. */
  readonly drain: () => void;
  readonly close: () => Promise<void>;
}

/** Listens on HOST and PORT. Throws a StartError if that is not possible. */
export async function listen(installation: Installation, { register, shared }: Measuring) {
  let isDraining = false;
  const { host, port } = installation.config;
  const spools = { spool: exportSpool(installation), importSpool: importSpool(installation) };
  const parts = { register, metrics: shared, ...spools, pages: openPages(PAGES) };
  const app = await buildApp({ ...installation, isReady: () => !isDraining, ...parts });
  return {
    port: await openPort(app, { host, port }),
    drain: () => void (isDraining = true),
    close: () => closeWithin(app),
  };
}

/** Serves health checks and metrics on HOST and WORKER_PORT. Throws a StartError if it cannot. */
export async function listenForWorker(
  installation: Installation,
  port: number,
  register: Registry,
): Promise<Listening> {
  const app = await buildWorkerApp({ ...installation, register });
  const { host } = installation.config;
  const taken = await openPort(app, { host, port, setting: "WORKER_PORT" });
  return { port: taken, drain: () => undefined, close: () => closeWithin(app) };
}

interface Place {
  readonly host: string;
  readonly port: number;
  /** The setting to name in error messages. Default: PORT. */
  readonly setting?: string;
}

async function openPort(app: FastifyInstance, place: Place): Promise<number> {
  const { host, port } = place;
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw cannotListen(error, place);
  }
  const address = app.server.address();
  return (typeof address === "object" ? address?.port : undefined) ?? port;
}

/**
 * Throws a StartError if the pages are not built, or if HOST and PORT are not available. Call this before creating
 * anything.
 */
export async function mustBeAbleToListen({ host, port }: Config): Promise<void> {
  openPages(PAGES);
  const probe = createServer().listen({ host, port });
  try {
    await once(probe, "listening");
  } catch (error) {
    throw cannotListen(error, { host, port });
  }
  probe.close();
  await once(probe, "close");
}

async function closeWithin(app: FastifyInstance): Promise<void> {
  const closing = app.close();
  // A keep-alive connection becomes idle only after its response has been sent. Therefore, close idle connections
  // repeatedly.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
  const closed = await within(RESPONSES_WITHIN_MS, closing);
  clearInterval(sweep);
  if (closed) return;
  app.server.closeAllConnections();
  await within(500, closing);
}

function cannotListen(error: unknown, { host, port, setting = "PORT" }: Place): unknown {
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return new StartError(
        `Port ${port} on ${host} is already in use. Set ${setting} to another port.`,
      );
    case "EACCES":
      return new StartError(
        `This user is not allowed to listen on port ${port}. Set ${setting} to 1024 or higher.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartError(
        `${host} is not an address of this machine. Set HOST to one of its addresses.`,
      );
    default:
      return error;
  }
}

/** The steps of docs/upgrading.md for two serving processes and a worker behind a load balancer. */

import { setTimeout as sleep } from "node:timers/promises";
import { withDatabase } from "../service/database.ts";
import type { Balancer } from "./balancer.ts";
import type { Client } from "./client.ts";
import { type Env, type Process, runCommand, startProcess, stop } from "./processes.ts";
import { BACKFILL, type Release, WRONG_REGIONS } from "./releases.ts";

export interface Installation {
  readonly databaseUrl: string;
  /** The settings of all processes. */
  readonly env: Env;
  readonly balancer: Balancer;
  readonly client: Client;
  readonly serving: Process[];
  worker: Process;
  /** Whether a second signal ends the drain as soon as the balancer sends no more requests. */
  readonly endsDrain: boolean;
}

/** Starts the processes of a release. */
export async function startAll(
  release: Release,
  { env, balancer }: Pick<Installation, "env" | "balancer">,
): Promise<Pick<Installation, "serving" | "worker">> {
  const serving: Process[] = [];
  for (let n = 0; n < 2; n += 1) {
    const started = await startProcess(release, "serve", env);
    await balancer.add(started.url);
    serving.push(started);
  }
  return { serving, worker: await startProcess(release, "worker", env) };
}

/** Upgrades to a release. */
export async function upgrade(to: Release, installation: Installation): Promise<void> {
  await migrate(to, installation);
  await restartServing(to, installation);
  await restartWorker(to, installation);
}

export async function migrate(to: Release, { client, env }: Installation): Promise<void> {
  client.begin(`migrate to ${to.version}`);
  console.error((await runCommand(to, ["migrate"], env)).trim());
}

/** Restarts one serving process after the other. */
export async function restartServing(to: Release, installation: Installation): Promise<void> {
  const { balancer, client, env, serving } = installation;
  client.begin(`restart with ${to.version}`);
  for (const [at, old] of serving.entries()) {
    await takeOut(old, installation);
    const started = await startProcess(to, "serve", env);
    serving[at] = started;
    await balancer.add(started.url);
  }
}

/** Stops a serving process. */
export async function takeOut(
  process: Process,
  { balancer, endsDrain }: Pick<Installation, "balancer" | "endsDrain">,
): Promise<void> {
  process.signal("SIGTERM");
  await balancer.untilOut(process.url);
  if (endsDrain) process.signal("SIGTERM");
  await process.ended;
}

export async function restartWorker(to: Release, installation: Installation): Promise<void> {
  await stop(installation.worker);
  installation.worker = await startProcess(to, "worker", installation.env);
}

/** Waits until the back-fill has reached a state. Returns it. */
export async function untilBackfill(
  databaseUrl: string,
  isReached: (progress: Progress) => boolean,
): Promise<Progress> {
  return withDatabase(databaseUrl, async ({ query }) => {
    for (;;) {
      const [progress] = await query<Progress>(
        `select rows_done::int as done, rows_total::int as total, finished_at is not null as "isFinished"
           from backfills where name = '${BACKFILL}'`,
      );
      if (progress !== undefined && isReached(progress)) return progress;
      await sleep(20);
    }
  });
}

interface Progress {
  /** The rows that the current pass has read, and about how many it will read. */
  readonly done: number;
  readonly total: number;
  readonly isFinished: boolean;
}

const isInMiddle = ({ done, total, isFinished }: Progress): boolean =>
  isFinished || done > total / 4;

/**
 * Waits until the back-fill is finished. Kills the worker in the middle of it, and starts it again. Returns the rows
 * per second, and the number of rows with a wrong value.
 */
export async function backfill(installation: Installation) {
  const { client, databaseUrl, env, worker } = installation;
  client.begin("back-fill, worker killed");
  const start_ms = performance.now();
  const { done: killedAt } = await untilBackfill(databaseUrl, isInMiddle);
  worker.signal("SIGKILL");
  await worker.ended;
  installation.worker = await startProcess(worker.release, "worker", env);
  const { done: rows } = await untilBackfill(databaseUrl, ({ isFinished }) => isFinished);
  const rate = (1000 * rows) / (performance.now() - start_ms);
  const [wrong] = await withDatabase(databaseUrl, ({ query }) =>
    query<{ n: number }>(WRONG_REGIONS),
  );
  return { killedAt, rows, rate, wrong: wrong?.n };
}

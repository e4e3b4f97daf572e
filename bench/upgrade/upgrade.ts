/**
 * Upgrades to the next two releases while requests are sent: what fails, what is lost, and how long the service is away.
 * No request may fail with two serving processes, and nothing may be lost with one.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { headText, ms, rowText } from "../compare/results.ts";
import { FILLED_OPTIONS, numberOf, UsageError, type Benchmark } from "../options.ts";
import { openBalancer } from "./balancer.ts";
import type { Client } from "./client.ts";
import { type Place, withPlace, withServer } from "./installations.ts";
import { runCommand, startProcess, stop } from "./processes.ts";
import { laterReleases, thisRelease } from "./releases.ts";
import { backfill, startAll, untilBackfill, upgrade as upgradeTo } from "./steps.ts";
import { startTraffic } from "./traffic.ts";
import { upload } from "./upload.ts";

const QUIET_s = 5;
const SHOWN_MAX = 20;
const IMPORTED_ROWS = 20_000;
const IMPORTED_IN_s = 60;

/** The figures of a run, other than those of its phases. */
type Figures = Readonly<Record<string, string | number | undefined>>;

function report({ phases, failures }: Client, figures: Figures): void {
  console.log(
    headText(
      "phase",
      "seconds",
      "requests",
      "failed",
      "longest pause, ms",
      "longest response, ms",
      "which was",
    ),
  );
  const end_ms = performance.now();
  for (const [at, phase] of phases.entries()) {
    const { name, sent, failed, start_ms, pause_ms, slowest_ms, slowest } = phase;
    const took_s = ((phases[at + 1]?.start_ms ?? end_ms) - start_ms) / 1000;
    console.log(
      rowText([name, took_s.toFixed(1), sent, failed, ms(pause_ms), ms(slowest_ms), slowest]),
    );
  }
  console.log("");
  for (const [name, value] of Object.entries(figures)) console.log(`- ${name}: ${value}`);
  for (const { phase, at_s, what } of failures.slice(0, SHOWN_MAX)) {
    console.error(`${at_s.toFixed(1)} s, ${phase}: ${what}`);
  }
}

/** Two serving processes and a worker behind a load balancer, upgraded twice. */
const sideBySide = (place: Place, rate: number): Promise<boolean> =>
  withServer(place, async (databaseUrl, env) => {
    const { token, first, folder } = place;
    const { next, later } = laterReleases(folder);
    const balancer = await openBalancer();
    const started = await startAll(first, { env, balancer });
    const url = (): string => balancer.url;
    const traffic = await startTraffic({ url, token, isPatient: false, rate });
    const { client } = traffic;
    const installation = { databaseUrl, env, balancer, client, ...started, endsDrain: false };
    await sleep(QUIET_s * 1000);
    const figures: Record<string, string | number | undefined> = {};
    for (const release of [next, later]) {
      const name = `import-${release.version}`;
      const rows = IMPORTED_ROWS;
      const importing = upload(client, { url, token, rows, for_s: IMPORTED_IN_s, name });
      await upgradeTo(release, installation);
      if (release === next) {
        const { killedAt, rows, rate, wrong } = await backfill(installation);
        figures["rows of the back-fill"] = rows;
        figures["rows when the worker was killed"] = killedAt;
        figures["rows per second of the back-fill"] = Math.round(rate);
        figures["rows with a wrong value"] = wrong;
      }
      client.begin(`import ends, ${release.version}`);
      const { state, created, interruptions } = await importing;
      figures[`import during the upgrade to ${release.version}`] =
        `${state}, ${created} of ${rows} rows, interruptions: ${interruptions.join("; ") || "none"}`;
      if (created !== rows) client.fail(`the import has ${created} of ${rows} rows`);
    }
    client.begin("after");
    await sleep(QUIET_s * 1000);
    const result = await traffic.stop();
    report(client, { ...figures, ...result });
    balancer.close();
    const missed = result.missedChanges + result.repeatedChanges + result.missedEvents;
    return client.failures.length === 0 && missed === 0 && figures["rows with a wrong value"] === 0;
  });

/** A release that knows nothing of this: all processes are stopped before the database is migrated. */
const allStopped = (place: Place, rate: number): Promise<boolean> =>
  withServer(place, async (_, env) => {
    const { token, first } = place;
    const balancer = await openBalancer();
    const { serving, worker } = await startAll(first, { env, balancer });
    const traffic = await startTraffic({ url: () => balancer.url, token, isPatient: true, rate });
    const { client } = traffic;
    await sleep(QUIET_s * 1000);
    client.begin("all stopped");
    const start_ms = performance.now();
    await Promise.all([...serving, worker].map(stop));
    await Promise.all(serving.map(({ url }) => balancer.untilOut(url)));
    await runCommand(thisRelease(), ["migrate"], env);
    await startAll(thisRelease(), { env, balancer });
    const away_s = (performance.now() - start_ms) / 1000;
    client.begin("after");
    await sleep(QUIET_s * 1000);
    const result = await traffic.stop();
    report(client, { "seconds until all processes run": away_s.toFixed(1), ...result });
    balancer.close();
    return result.missedChanges + result.missedEvents === 0;
  });

/** One process with its own database. Clients send requests again until the service is back. */
async function oneProcess(place: Place, rate: number): Promise<boolean> {
  const { token, first, folder, dataDir } = place;
  const { next, later } = laterReleases(folder);
  const env = { ...place.env, DATA_DIR: dataDir };
  let running = await startProcess(first, "start", env);
  const figures: Record<string, string | number> = {};
  /** Returns how long the service is away, in seconds. */
  const restart = async (release: typeof first): Promise<string> => {
    const start_ms = performance.now();
    await stop(running);
    running = await startProcess(release, "start", env);
    return ((performance.now() - start_ms) / 1000).toFixed(1);
  };
  figures["seconds without service, same release, idle"] = await restart(first);
  const to = first.root === thisRelease().root ? [next, later] : [thisRelease(), next];
  const [one = next, other = later] = to;
  figures[`seconds without service, ${one.version}, idle`] = await restart(one);
  if (one === next) {
    const databaseUrl = readFileSync(join(dataDir, "database-url"), "utf8").trim();
    await untilBackfill(databaseUrl, ({ isFinished }) => isFinished);
  }
  const traffic = await startTraffic({ url: () => running.url, token, isPatient: true, rate });
  const { client } = traffic;
  await sleep(QUIET_s * 1000);
  client.begin(`restart with ${other.version}`);
  figures[`seconds without service, ${other.version}, during writes`] = await restart(other);
  client.begin("after");
  await sleep(QUIET_s * 1000);
  const result = await traffic.stop();
  report(client, { ...figures, ...result });
  await stop(running);
  return result.missedChanges + result.missedEvents === 0;
}

export const upgrade: Benchmark = {
  does: "Upgrades to later releases while requests are sent: failures, pauses and losses",
  options: {
    ...FILLED_OPTIONS,
    rate: { value: "<number>", fallback: "20", doc: "Requests per second." },
    processes: {
      value: "<number>",
      fallback: "2",
      doc: "2: serving processes and a worker behind a load balancer; 1: a process with its own database.",
    },
    from: {
      value: "<commit>",
      fallback: "",
      doc: "Upgrade from this commit to the working tree, with all processes stopped before.",
    },
  },
  run: (values) => {
    const { processes, from } = values;
    if (processes !== "1" && processes !== "2") throw new UsageError("--processes takes 1 or 2");
    const rate = numberOf(values, "rate");
    return withPlace(values, (place) => {
      if (processes === "1") return oneProcess(place, rate);
      return from === "" ? sideBySide(place, rate) : allStopped(place, rate);
    });
  },
};

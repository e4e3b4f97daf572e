/**
 * Measures safe writes, upserts, batches, conditions and rate limits over 16 connections, compared with plain requests:
 * `npm run bench:writes -- --help`. All kinds of requests take turns in one run. Each turn comes right before or after
 * a turn of plain requests.
 */

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { Agent, request, type Dispatcher } from "undici";
import { head, ms, row } from "./exchange-table.ts";
import { cpuMeterOf, type Cpu } from "./cpu.ts";
import { machineOf } from "./machine.ts";
import { numberOf, readOptions } from "./options.ts";
import { median, quantile, startService, type Service } from "./service.ts";
import {
  armsOf,
  CONNECTIONS,
  REPEATS,
  stranger,
  type Arm,
  type Ask,
  type Known,
} from "./write-arms.ts";

const FILL = 1000;
/** The highest possible rate limit. Requests are counted, but the limit is never reached. */
const LIMIT = 1_000_000;

interface Answered {
  readonly etag: string;
  readonly text: string;
  readonly took_ms: number;
}

type Send = (ask: Ask) => Promise<Answered>;

/**
 * What each turn needs: a function that sends requests, a function that measures processor time, and the turn's
 * duration.
 */
interface Bench {
  readonly send: Send;
  readonly meter: () => Cpu;
  readonly for_ms: number;
}

/** One turn of an arm. */
interface Turn {
  /** Records per second. */
  readonly rate: number;
  readonly took_ms: readonly number[];
  /** The processor time that the service and its database used. */
  readonly used_ms: number;
  readonly records: number;
}

function senderTo({ url, token }: Service, limited: string, agent: Dispatcher): Send {
  return async ({ method, path, headers, body, status = 200, isLimited }) => {
    const begun = performance.now();
    const answer = await request(url + path, {
      ...{ method, dispatcher: agent },
      headers: {
        authorization: `Bearer ${isLimited === true ? limited : token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const took_ms = performance.now() - begun;
    if (answer.statusCode !== status) {
      throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    }
    return { etag: String(answer.headers["etag"] ?? ""), text, took_ms };
  };
}

/** Creates enough leads that PostgreSQL does not scan the whole table for any query. Returns the last ones. */
async function fill(send: Send, leads: number): Promise<Known[]> {
  let known: Known[] = [];
  for (let at = 0; at < leads; at += FILL) {
    const items = Array.from({ length: FILL }, stranger);
    const ask = { method: "POST", path: "/crm/leads/batch", body: { items }, status: 207 } as const;
    const made = JSON.parse((await send(ask)).text) as readonly { readonly _id: string }[];
    known = known.concat(
      made.map(({ _id }, n) => ({ id: _id, email: items[n]?.email ?? "", etag: '"v1"' })),
    );
  }
  return known.slice(-4 * FILL);
}

const usedIn = ({ service_ms, database_ms }: Cpu): number => service_ms + database_ms;

async function takeTurn({ send, meter, for_ms }: Bench, { ask, records = 1 }: Arm): Promise<Turn> {
  const took_ms: number[] = [];
  const before_ms = usedIn(meter());
  const begun = performance.now();
  const work = async (connection: number): Promise<void> => {
    while (performance.now() - begun < for_ms) {
      const { told, ...asked } = ask(connection);
      const answer = await send(asked);
      told?.(answer.etag);
      took_ms.push(answer.took_ms);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => work(connection)));
  const for_s = (performance.now() - begun) / 1000;
  const done = took_ms.length * records;
  return { rate: done / for_s, took_ms, used_ms: usedIn(meter()) - before_ms, records: done };
}

/** The turns of an arm. Each is paired with an adjacent turn of the plain arm. */
interface Compared {
  readonly arm: Arm;
  readonly own: Turn[];
  readonly plain: Turn[];
}

/**
 * Other work on the machine makes its speed vary. Turns are therefore short and numerous, and each
 * is compared only with the adjacent one.
 */
async function measure(
  bench: Bench,
  arms: readonly Arm[],
  rounds: number,
): Promise<readonly Compared[]> {
  const plainOf = ({ plain }: Arm) => arms.find(({ name }) => name === plain) as Arm;
  const compared = arms
    .filter(({ plain }) => plain !== undefined)
    .map((arm): Compared => ({ arm, own: [], plain: [] }));
  for (const arm of arms) await takeTurn(bench, arm);
  for (let round = 0; round < rounds; round++) {
    for (const { arm, own, plain } of compared) {
      const turns = [
        async () => own.push(await takeTurn(bench, arm)),
        async () => plain.push(await takeTurn(bench, plainOf(arm))),
      ];
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    }
  }
  return compared;
}

function report(compared: readonly Compared[]): void {
  const columns = ["rate, per s", "p50, ms", "baseline rate", "relative time", "quartiles"];
  columns.push("CPU, µs", "baseline CPU, µs", "relative CPU");
  head("Cost", "request", "baseline", ...columns);
  for (const { arm, own, plain } of compared) {
    const ratios = own.map(({ rate }, at) => (plain[at]?.rate ?? Number.NaN) / rate);
    const rateOf = (turns: readonly Turn[]) => Math.round(median(turns.map(({ rate }) => rate)));
    const quartiles = [0.25, 0.75].map((part) => quantile(ratios, part).toFixed(2)).join(" to ");
    const took_ms = median(own.flatMap((turn) => turn.took_ms));
    row([
      ...[arm.name, arm.plain ?? "", rateOf(own), ms(took_ms), rateOf(plain)],
      ...[median(ratios).toFixed(2), quartiles],
      ...[used(own).toFixed(0), used(plain).toFixed(0), (used(own) / used(plain)).toFixed(2)],
    ]);
  }
}

/** Returns the processor time per record, in µs. */
const used = (turns: readonly Turn[]): number =>
  (1000 * turns.reduce((sum, { used_ms }) => sum + used_ms, 0)) /
  turns.reduce((sum, { records }) => sum + records, 0);

/** Prints how many times the processes sent their counts to the database, and how many requests they counted. */
async function tellStatements({ databaseUrl }: Service, requests: number): Promise<void> {
  // Wait, because PostgreSQL updates a session's statistics only some time after the session becomes idle.
  await sleep(3000);
  const sql = postgres(databaseUrl, { max: 1 });
  const [told] = await sql`
    select n_tup_ins + n_tup_upd as statements from pg_stat_user_tables
     where relname = 'counting_processes'`;
  await sql.end();
  const statements = Number(told?.["statements"]);
  const each = ((statements / requests) * 1000).toFixed(1);
  console.log(
    `\n${requests} requests were counted by ${statements} statements: ${each} per 1,000.`,
  );
}

const { values } = readOptions(
  "bench:writes",
  "The cost of safe writes, upserts, batches, conditions and rate limits compared with plain requests.",
  {
    leads: { value: "<number>", fallback: "50000", doc: "Existing leads." },
    rounds: { value: "<number>", fallback: "30", doc: "Turns for each kind of request." },
    turn: { value: "<ms>", fallback: "250", doc: "How long a turn takes." },
    only: {
      value: "<text>",
      fallback: "",
      doc: "Only requests with this in their name, and their baselines.",
    },
  },
);
const folder = await mkdtemp(join(tmpdir(), "leadport-writes-"));
// If root runs this script, the database runs as another user, so that user needs access to the folder.
await chmod(folder, 0o711);
const service = await startService(join(folder, "data"));
const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
try {
  const made = await senderTo(
    service,
    "",
    agent,
  )({
    ...{ method: "POST", path: "/crm/admin/access_tokens" },
    body: { name: "limited", permissions: ["records:write"], rate_limit: LIMIT },
  });
  const { token } = JSON.parse(made.text) as { readonly token: string };
  const send = senderTo(service, token, agent);
  console.log(`${await machineOf(service)}.`);
  const known = await fill(send, Math.max(numberOf(values, "leads"), 4 * FILL));
  for (const ask of REPEATS) await send(ask);
  const all = armsOf(known.slice(0, 2 * FILL), known.slice(2 * FILL));
  const chosen = all.filter(({ name }) => name.includes(values["only"] ?? ""));
  const arms = all.filter((arm) =>
    chosen.some(({ name, plain }) => [name, plain].includes(arm.name)),
  );
  let counted = 0;
  const counting: Send = (ask) => {
    if (ask.isLimited === true) counted++;
    return send(ask);
  };
  const rounds = numberOf(values, "rounds");
  const meter = await cpuMeterOf(service);
  const bench = { send: counting, meter, for_ms: numberOf(values, "turn") };
  report(await measure(bench, arms, rounds));
  await tellStatements(service, counted);
} finally {
  await agent.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}

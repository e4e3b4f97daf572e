/**
 * What it costs to write by a key: upserts and creations that look for duplicates, beside plain ones,
 * and a thousand records in one call beside a thousand calls. All by turns, in one run.
 */

import { mkdtemp, rm, chmod } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { head, ms, row } from "./exchange-table.ts";
import { leadAt } from "./leads.ts";
import { machineOf } from "./machine.ts";
import { numberOf, readOptions } from "./options.ts";
import { median, quantile, startService, type Service } from "./service.ts";

const BATCH = 1000;
const WORKERS = 16;

/** One call, and what it has to answer. */
interface Call {
  readonly method: "POST" | "PUT" | "PATCH";
  readonly path: string;
  readonly body: object;
  readonly status: number;
}

/** A way to write, as the nth call of it. */
type Way = (at: number) => Call;

type Send = (call: Call) => Promise<{ readonly took_ms: number; readonly body: string }>;

function senderTo({ url, token }: Service, sockets: number): { send: Send; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const send: Send = async ({ method, path, body, status }) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const sent = JSON.stringify(body);
    const begun_ms = performance.now();
    request(url + path, { agent, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === status) resolve(text);
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`));
      });
    })
      .on("error", reject)
      .end(sent);
    const text = await promise;
    return { took_ms: performance.now() - begun_ms, body: text };
  };
  return { send, close: () => agent.destroy() };
}

let drawn = 0;
/** A lead whom nobody knows; the nth of `leadAt` with an address and a number of its own. */
function stranger(): object & { readonly email: string } {
  const at = ++drawn;
  const phone = `+1212${String(2_000_000 + at)}`;
  return {
    ...leadAt(at),
    external_id: undefined,
    email: `p${at}@bench.example.com`,
    phone,
  } as never;
}

const post = (query: string, body: object, status = 200): Call => ({
  method: "POST",
  path: `/crm/leads${query}`,
  body,
  status,
});

const put = (email: string, body: object): Call => ({
  method: "PUT",
  path: `/crm/leads/by/email/${encodeURIComponent(email)}`,
  body,
  status: 200,
});

/** The ways to write, of which the first is what the others are compared with. */
function waysTo(known: readonly { readonly id: string; readonly email: string }[]) {
  const knownAt = (at: number) => known[at % known.length] as (typeof known)[number];
  return {
    "plain creation": () => post("", stranger()),
    "creation, on_duplicate=reject": () => post("?on_duplicate=reject", stranger()),
    "the same of somebody known (409)": (at) =>
      post("?on_duplicate=reject", { name: "Known", email: knownAt(at).email }, 409),
    "upsert by e-mail, new": () => {
      const lead = stranger();
      return put(lead.email, lead);
    },
    "plain PATCH": (at) => ({
      method: "PATCH",
      path: `/crm/leads/${knownAt(at).id}`,
      body: { comments: `patch ${at}` },
      status: 200,
    }),
    "upsert by e-mail, changed": (at) => put(knownAt(at).email, { comments: `put ${at}` }),
    "upsert by e-mail, unchanged": (at) => put(knownAt(at).email, {}),
  } satisfies Readonly<Record<string, Way>>;
}

/** Leads enough that no plan reads them all; answers some of them. */
async function fill(send: Send, leads: number) {
  const known: { id: string; email: string }[] = [];
  for (let at = 0; at < leads; at += BATCH) {
    const items = Array.from({ length: BATCH }, stranger);
    const { body } = await send({ ...post("/batch", { items }), status: 207 });
    const results = JSON.parse(body) as readonly { readonly _id: string }[];
    for (const [place, { _id }] of results.slice(0, 20).entries()) {
      known.push({ id: _id, email: items[place]?.email ?? "" });
    }
  }
  return known;
}

/** One connection, one call after the other, the ways by turns. */
async function measureAlone(send: Send, ways: Readonly<Record<string, Way>>, calls: number) {
  const took = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  for (let at = -20; at < calls; at++) {
    for (const [name, way] of Object.entries(ways)) {
      const { took_ms } = await send(way(at + 20));
      if (at >= 0) took.get(name)?.push(took_ms);
    }
  }
  head("One connection", "what", "median ms", "p99 ms", "to a plain creation", "calls");
  const plain_ms = median([...took.values()][0] ?? []);
  for (const [name, times] of took) {
    const ratio = (median(times) / plain_ms).toFixed(2);
    row([name, ms(median(times)), ms(quantile(times, 0.99)), ratio, times.length]);
  }
  return plain_ms;
}

/** Many connections at once, each way for itself. */
async function measureTogether(
  service: Service,
  ways: Readonly<Record<string, Way>>,
  calls: number,
): Promise<void> {
  const { send, close } = senderTo(service, WORKERS);
  head(`${WORKERS} connections`, "what", "a second", "p50 ms", "p99 ms", "calls");
  for (const [name, way] of Object.entries(ways)) {
    const times: number[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < calls) times.push((await send(way(next++))).took_ms);
    };
    const begun_ms = performance.now();
    await Promise.all(Array.from({ length: WORKERS }, work));
    const took_s = (performance.now() - begun_ms) / 1000;
    row([name, Math.round(calls / took_s), ms(median(times)), ms(quantile(times, 0.99)), calls]);
  }
  close();
}

async function measureBatches(send: Send, plain_ms: number, batches: number): Promise<void> {
  head(`${BATCH} leads in one call`, "what", "median ms", "ms a lead", "calls in its place, ms");
  for (const query of ["", "?on_duplicate=reject"]) {
    const times: number[] = [];
    for (let at = 0; at < batches; at++) {
      const items = Array.from({ length: BATCH }, stranger);
      times.push((await send({ ...post(`/batch${query}`, { items }), status: 207 })).took_ms);
    }
    const each_ms = median(times) / BATCH;
    const ratio = `${(plain_ms * BATCH).toFixed(0)} (${(plain_ms / each_ms).toFixed(1)} ×)`;
    row([`POST /crm/leads/batch${query}`, ms(median(times)), ms(each_ms), ratio]);
  }
}

const { values } = readOptions(
  "bench:writes-by-key",
  "Upserts, creations that look for duplicates, and batches beside plain writes.",
  {
    leads: { value: "<number>", fallback: "100000", doc: "Leads that are there before." },
    calls: { value: "<number>", fallback: "500", doc: "Calls of each way to write." },
  },
);
const calls = numberOf(values, "calls");
const folder = await mkdtemp(join(tmpdir(), "leadport-by-key-"));
await chmod(folder, 0o711);
const service = await startService(join(folder, "data"));
const { send, close } = senderTo(service, 1);
try {
  console.log(await machineOf(service));
  const known = await fill(send, numberOf(values, "leads"));
  const ways = waysTo(known);
  const plain_ms = await measureAlone(send, ways, calls);
  await measureTogether(service, ways, calls * 4);
  await measureBatches(send, plain_ms, 10);
} finally {
  close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}

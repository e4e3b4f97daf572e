/**
 * Measures writes by key (upserts, and creates that look for duplicates) compared with plain writes, and one call that
 * writes a thousand records compared with a thousand calls. All kinds of writes take turns in one run.
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
const TURNS = 10;

/** One call and its expected status. */
interface Call {
  readonly method: "POST" | "PUT" | "PATCH";
  readonly path: string;
  readonly body: object;
  readonly status: number;
}

/** Returns the nth call of a kind of write. */
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
/** Returns a lead that does not exist yet: the nth lead of `leadAt` with a new email address and phone number. */
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

/** Returns the kinds of writes. The first one is the baseline for all others. */
function waysTo(known: readonly { readonly id: string; readonly email: string }[]) {
  const knownAt = (at: number) => known[at % known.length] as (typeof known)[number];
  return {
    "plain create": () => post("", stranger()),
    "create with on_duplicate=reject, no duplicate": () => post("?on_duplicate=reject", stranger()),
    "create with on_duplicate=reject, duplicate (409)": (at) =>
      post("?on_duplicate=reject", { name: "Known", email: knownAt(at).email }, 409),
    "upsert by email, lead created": () => {
      const lead = stranger();
      return put(lead.email, lead);
    },
    "plain PATCH": (at) => ({
      method: "PATCH",
      path: `/crm/leads/${knownAt(at).id}`,
      body: { comments: `patch ${at}` },
      status: 200,
    }),
    "upsert by email, lead updated": (at) => put(knownAt(at).email, { comments: `put ${at}` }),
    "upsert by email, lead unchanged": (at) => put(knownAt(at).email, {}),
  } satisfies Readonly<Record<string, Way>>;
}

/** Creates enough leads that PostgreSQL does not scan the whole table for any query. Returns some of them. */
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

/** Makes one call at a time over one connection, alternating between the kinds of writes. */
async function measureAlone(send: Send, ways: Readonly<Record<string, Way>>, calls: number) {
  const took = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  for (let at = -20; at < calls; at++) {
    for (const [name, way] of Object.entries(ways)) {
      const { took_ms } = await send(way(at + 20));
      if (at >= 0) took.get(name)?.push(took_ms);
    }
  }
  head("One connection", "write", "median, ms", "p99, ms", "ratio to plain create", "calls");
  const plain_ms = median([...took.values()][0] ?? []);
  for (const [name, times] of took) {
    const ratio = (median(times) / plain_ms).toFixed(2);
    row([name, ms(median(times)), ms(quantile(times, 0.99)), ratio, times.length]);
  }
}

/**
 * Makes calls over many concurrent connections, alternating between the kinds of writes, so that other work on the
 * machine slows all of them equally.
 */
async function measureTogether(
  service: Service,
  ways: Readonly<Record<string, Way>>,
  calls: number,
) {
  const { send, close } = senderTo(service, WORKERS);
  const took = new Map<string, Took>(
    Object.keys(ways).map((name) => [name, { total_s: 0, times: [] }]),
  );
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, way] of Object.entries(ways)) {
      const one = took.get(name) as Took;
      const end = Math.ceil((calls * (turn + 1)) / TURNS);
      let next = one.times.length;
      const work = async (): Promise<void> => {
        while (next < end) one.times.push((await send(way(next++))).took_ms);
      };
      const begun_ms = performance.now();
      await Promise.all(Array.from({ length: WORKERS }, work));
      one.total_s += (performance.now() - begun_ms) / 1000;
    }
  }
  close();
  const columns = ["write", "writes/s", "ratio to plain create", "p50, ms", "p99, ms", "calls"];
  head(`${WORKERS} connections`, ...columns);
  const [plain] = [...took.values()].map(rateOf);
  for (const [name, one] of took) {
    const { times } = one;
    const spread = [ms(median(times)), ms(quantile(times, 0.99)), times.length];
    row([name, Math.round(rateOf(one)), (rateOf(one) / (plain ?? 1)).toFixed(2), ...spread]);
  }
}

/** The calls of one kind, and how long they took in total. */
interface Took {
  total_s: number;
  readonly times: number[];
}

const rateOf = ({ total_s, times }: Took): number => times.length / total_s;

/** Alternates between batches and single creates. Returns the time per lead. */
async function measureBatches(send: Send, batches: number): Promise<void> {
  const queries = ["", "?on_duplicate=reject"];
  const singles: number[] = [];
  const took = new Map<string, number[]>(queries.map((query) => [query, []]));
  for (let at = 0; at < batches; at++) {
    for (let single = 0; single < 100; single++) {
      singles.push((await send(post("", stranger()))).took_ms);
    }
    for (const query of queries) {
      const items = Array.from({ length: BATCH }, stranger);
      const { took_ms } = await send({ ...post(`/batch${query}`, { items }), status: 207 });
      took.get(query)?.push(took_ms);
    }
  }
  const columns = ["total (median), ms", "per lead, ms", "speed compared with single creates"];
  head("Batches", `${BATCH.toLocaleString("en")} leads`, ...columns);
  const single_ms = median(singles);
  row([
    `${BATCH.toLocaleString("en")} single creates`,
    ms(single_ms * BATCH),
    ms(single_ms),
    "1.0×",
  ]);
  for (const [query, times] of took) {
    const each_ms = median(times) / BATCH;
    const faster = `${(single_ms / each_ms).toFixed(1)}×`;
    row([`POST /crm/leads/batch${query}`, ms(median(times)), ms(each_ms), faster]);
  }
}

const { values } = readOptions(
  "bench:writes-by-key",
  "Upserts, creates that look for duplicates, and batches, compared with plain writes.",
  {
    leads: { value: "<number>", fallback: "100000", doc: "Existing leads." },
    calls: { value: "<number>", fallback: "500", doc: "Calls of each kind of write." },
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
  await measureAlone(send, ways, calls);
  await measureTogether(service, ways, calls * 4);
  await measureBatches(send, 10);
} finally {
  close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}

/**
 * Measures the service's processor time for compression and the number of bytes saved, with all requests on this
 * machine: `npm run bench:compression -- --help`. The arms (encodings) take turns sending requests to one service with
 * COMPRESSION=on.
 */

import { Agent, request, type IncomingMessage } from "node:http";
import { cpuMeterOf } from "./cpu.ts";
import { filled } from "./fill.ts";
import { machineOf } from "./machine.ts";
import { readOptions } from "./options.ts";
import { median, startService, type Service } from "./service.ts";

const IN_FLIGHT = 8;
const ROUNDS = 5;
const ARMS = ["identity", "gzip", "br", "zstd"] as const;

/** The requests, and the number of times each is sent per round. */
const LOADS = [
  { name: "page of 50 leads", path: "/crm/leads?page_size=50", requests: 1000 },
  { name: "page of 500 leads", path: "/crm/leads?page_size=500", requests: 160 },
  { name: "time window of 31 days", path: "/crm/leads/created?start_date=", requests: 16 },
] as const;
const WINDOW_s = 31 * 86_400;

interface Round {
  readonly bytes: number;
  /** Responses per second. */
  readonly rate: number;
  /** The service's processor time per response. */
  readonly cpu_ms: number;
}

function bytesOf({ url, token }: Service, agent: Agent, path: string, encoding: string) {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${token}`, "accept-encoding": encoding };
  const read = (answer: IncomingMessage): void => {
    const { "content-encoding": packed = "identity" } = answer.headers;
    if (answer.statusCode !== 200 || packed !== encoding) reject(new Error(`${path}: ${packed}`));
    let bytes = 0;
    answer.on("data", (chunk: Buffer) => (bytes += chunk.length));
    answer.once("end", () => resolve(bytes));
    answer.once("error", reject);
  };
  request(url + path, { agent, headers }, read)
    .on("error", reject)
    .end();
  return promise;
}

/** Sends N requests, some of them concurrently. */
async function ask(
  ask1: () => Promise<number>,
  requests: number,
  cpu: () => { readonly service_ms: number },
): Promise<Round> {
  let [left, bytes] = [requests, 0];
  const before = cpu().service_ms;
  const begun = performance.now();
  const work = async (): Promise<void> => {
    while (left-- > 0) bytes = await ask1();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  const took_s = (performance.now() - begun) / 1000;
  return { bytes, rate: requests / took_s, cpu_ms: (cpu().service_ms - before) / requests };
}

/** Returns the bandwidth below which compression saves more time than it takes. */
const paysBelow = (plain: Round, packed: Round): string => {
  const more_ms = packed.cpu_ms - plain.cpu_ms;
  const Mbit = ((plain.bytes - packed.bytes) * 8) / 1e6;
  return more_ms <= 0 ? "always" : Math.round((Mbit / more_ms) * 1000).toLocaleString("en");
};

const { rows, dataDir } = readOptions(
  "bench:compression",
  "The cost of compression for the service and the bytes it saves, over loopback.",
);
const { newest_s } = await filled(dataDir, rows);
const from = new Date((newest_s - WINDOW_s) * 1000).toISOString().slice(0, 10);
const service = await startService(dataDir, { settings: { COMPRESSION: "on" } });
const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
try {
  console.log(`${await machineOf(service)}, ${rows.toLocaleString("en")} leads.\n`);
  console.log(
    "| response | encoding | size, KB | responses/s | service CPU, ms | break-even, Mbit/s |",
  );
  console.log("|---|---|---:|---:|---:|---:|");
  const cpu = await cpuMeterOf(service);
  for (const { name, path, requests } of LOADS) {
    const whole = path.endsWith("=") ? path + from : path;
    const rounds = new Map<string, Round[]>(ARMS.map((arm) => [arm, []]));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const arm of ARMS) {
        const found = await ask(() => bytesOf(service, agent, whole, arm), requests, cpu);
        if (round > 0) rounds.get(arm)?.push(found);
      }
    }
    const middle = (arm: string): Round => {
      const found = rounds.get(arm) ?? [];
      const of = (key: keyof Round) => median(found.map((one) => one[key]));
      return { bytes: of("bytes"), rate: of("rate"), cpu_ms: of("cpu_ms") };
    };
    for (const arm of ARMS) {
      const [plain, { bytes, rate, cpu_ms }] = [middle(ARMS[0]), middle(arm)];
      const pays = arm === ARMS[0] ? "" : paysBelow(plain, middle(arm));
      const cells = [(bytes / 1000).toFixed(1), rate.toFixed(0), cpu_ms.toFixed(2), pays];
      console.log(`| ${name} | ${arm} | ${cells.join(" | ")} |`);
    }
  }
} finally {
  agent.destroy();
  await service.stop();
}

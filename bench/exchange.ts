/**
 * Measures the partner exchange: `npm run bench:exchange -- --help`. Covers lookups in the database and over HTTP,
 * pushes, analytics, lists, and the cost of attribution, with a million leads and a million contacts. Prints tables.
 * Exits with 1 if a target is missed.
 */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { callsOf } from "./exchange-calls.ts";
import { filledExchange } from "./exchange-fill.ts";
import { measureHook } from "./exchange-hook.ts";
import { measureLoad } from "./exchange-load.ts";
import { measureSecrecy, measureStatement } from "./exchange-lookup.ts";
import { measureAnalytics, measureLists } from "./exchange-reading.ts";
import { machineOf } from "./machine.ts";
import { numberOf, readOptions } from "./options.ts";
import { startService, type Service } from "./service.ts";

const { rows, values } = readOptions(
  "bench:exchange",
  "How fast the partner exchange is among many leads and as many contacts.",
  {
    data: {
      value: "<folder>",
      fallback: "",
      doc: "The data folder; filled if it is empty. Default: leadport-bench-exchange-<rows> next to the others.",
    },
    only: {
      value: "<word>",
      fallback: "",
      doc: "statement, secrecy, analytics, lists, hook or load.",
    },
    requests: { value: "<number>", fallback: "1000", doc: "Requests of each kind." },
    seconds: {
      value: "<number>",
      fallback: "20",
      doc: "How long lookups and pushes are sent over 16 connections.",
    },
  },
);
const dataDir = values["data"] || join(tmpdir(), `leadport-bench-exchange-${rows}`);
const requests = numberOf(values, "requests");
const filling = await filledExchange(dataDir, rows);

const measurings: Readonly<Record<string, (service: Service) => Promise<boolean | void>>> = {
  statement: (service) => measureStatement(service, rows, requests),
  secrecy: async (service) => {
    const calls = await callsOf(service, filling.pusher);
    return measureSecrecy(calls, rows, requests).finally(calls.close);
  },
  analytics: (service) => measureAnalytics(service, filling, Math.ceil(requests / 5)),
  lists: (service) => measureLists(service, dataDir, filling, Math.ceil(requests / 5)),
  hook: () => measureHook(dataDir),
  load: (service) => measureLoad(service, dataDir, filling, numberOf(values, "seconds")),
};

const asked = Object.entries(measurings).filter(([name]) =>
  ["", name].includes(values["only"] ?? ""),
);
if (asked.length === 0) throw new Error(`There is no measurement "${values["only"]}"`);
const service = await startService(dataDir);
try {
  console.log(`${await machineOf(service)}.`);
  const isMet: boolean[] = [];
  for (const [, measure] of asked) isMet.push((await measure(service)) !== false);
  process.exitCode = isMet.every(Boolean) ? 0 : 1;
} finally {
  await service.stop();
}

/**
 * Measures the write cost of each index: `npm run bench:indexes -- --help`. Each round writes twice in transactions
 * that are rolled back, once with all indexes and once without the one being measured. The two are compared by the
 * processor time of the database's process, which other programs hardly affect, and by the bytes of WAL written.
 */

import { readFileSync } from "node:fs";
import type { JsonObject } from "../src/platform/json/json.ts";
import { fullBody } from "../test/api/samples.ts";
import { transaction } from "../src/platform/database/db.ts";
import { type Tx } from "../src/platform/database/tx.ts";
import { idSource } from "../src/platform/clock/ids.ts";
import { systemClock } from "../src/platform/clock/clock.ts";
import { RECORD_TYPES } from "../src/records/index.ts";
import { withoutStamps } from "../src/records/shape/schemas.ts";
import { updateRecord } from "../src/records/write/statements.ts";
import { findStored } from "../src/records/write/find-record.ts";
import { createDraft, secretDraft } from "../src/records/write/write.ts";
import { openFolder, writerOf, type Writer } from "./exchange-fill.ts";
import { head, row } from "./exchange-table.ts";
import { filled } from "./fill.ts";
import { leadAt } from "./leads.ts";
import { numberOf, readOptions } from "./options.ts";
import { filledForPlans } from "./plan-fill.ts";
import { median } from "./service.ts";

const { rows, dataDir, values } = readOptions(
  "bench:indexes",
  "What each index costs for creates, updates and pushes.",
  {
    rounds: { value: "<number>", fallback: "5", doc: "Rounds for each index." },
    writes: { value: "<number>", fallback: "1000", doc: "Writes per transaction." },
    only: {
      value: "<text>",
      fallback: "",
      doc: "Only writes and indexes with this in their names.",
    },
  },
);
const [rounds, writes] = [numberOf(values, "rounds"), numberOf(values, "writes")];
const only = values["only"] ?? "";

/** The counter for phone numbers that are not in the test data. Incremented with each use. */
let next = 20_000_000;
const makeId = idSource(systemClock());
const { lead } = RECORD_TYPES;

/** Ids of leads to change, and of an account to refer to. */
let someIds: readonly string[] = [];
let accountId = "";

interface Load {
  readonly name: string;
  /** The tables whose indexes are dropped in turn. */
  readonly tables: readonly string[];
  readonly write: (writer: Writer, tx: Tx, partnerId: string) => Promise<unknown>;
}

const createOf = (name: "contact" | "deal"): Load => ({
  name: `create a ${name}`,
  tables: [`${name}s`],
  write: ({ scope, deps, author }, tx) => {
    const { ssn: _, ...body } = fullBody(RECORD_TYPES[name], next++, {}) as JsonObject;
    const given = { ...body, account_id: accountId };
    const writer = { scope: { ...scope, db: tx }, deps, author, type: RECORD_TYPES[name] };
    return createDraft(writer, secretDraft(writer, given));
  },
});

const LOADS: readonly Load[] = [
  {
    name: "create a lead",
    tables: ["leads", "changes"],
    write: ({ scope, deps, author }, tx) => {
      const writer = { scope: { ...scope, db: tx }, deps, author, type: lead };
      return createDraft(writer, secretDraft(writer, leadAt(next++)));
    },
  },
  {
    name: "change a lead's status",
    tables: ["leads", "changes"],
    write: async ({ scope }, tx) => {
      const within = { ...scope, db: tx };
      const id = someIds[next++ % someIds.length] ?? "";
      const stored = await findStored(within, lead, id);
      if (stored === undefined) throw new Error(`No lead ${id}`);
      const lead_status = stored.body["lead_status"] === "open" ? "contacted" : "open";
      const body = { ...withoutStamps(stored.body), lead_status };
      const fields = { lead_status: ["open", lead_status] as const };
      const touch = { updated: true, status: true };
      const change = { stored, next: { id, body, internal: stored.internal, fields }, touch };
      const leads = { scope: within, deps: { makeId }, type: lead };
      await updateRecord(leads, { ...change, action: "updated" });
    },
  },
  createOf("contact"),
  createOf("deal"),
  {
    name: "queue a delivery",
    tables: ["deliveries"],
    write: ({ scope: { tenantId } }, tx) => {
      const now_s = Math.floor(Date.now() / 1000);
      return tx`
        insert into deliveries (tenant_id, id, topic, subject_id, status, attempts, tries, next_at,
                                created_ts, updated_ts)
        values (${tenantId}, ${makeId()}, 'event', ${`${makeId()}.${makeId()}`}, 'pending', 0, 0,
                to_timestamp(${now_s}), ${now_s}, ${now_s})`;
    },
  },
  {
    name: "store a pushed lead",
    tables: ["pushed_leads"],
    write: ({ scope: { tenantId } }, tx, partnerId) => {
      const n = next++;
      const now_s = Math.floor(Date.now() / 1000);
      return tx`
        insert into pushed_leads (tenant_id, id, partner_id, name, email, phone, email_key, phone_key,
                                  source, status, possible_duplicate, submitted_ts)
        values (${tenantId}, ${makeId()}, ${partnerId}, ${`Person ${n}`}, ${`P.${n}@mail.example.org`},
                null, ${`p.${n}@mail.example.org`}, ${`1212${n}`}, 'Google', 'pending', false, ${now_s})`;
    },
  },
];

/** The cost of a transaction of writes: processor time (µs per write) and WAL (bytes per write). */
interface Cost {
  readonly cpu_us: number;
  readonly logged_bytes: number;
}

class RolledBack extends Error {}

/** Measures a workload's writes after a schema change. The writes and the schema change are rolled back. */
async function costOf(
  writer: Writer,
  load: Load,
  partnerId: string,
  before: string,
): Promise<Cost> {
  let cost: Cost | undefined;
  const work = async (tx: Tx): Promise<never> => {
    await tx.unsafe(before);
    const read = async () => {
      const [at] = await tx`
        select pg_backend_pid() as pid, pg_current_wal_insert_lsn() - '0/0'::pg_lsn as logged`;
      // The first number is the processor time that the database's process has used, in nanoseconds.
      const text = readFileSync(`/proc/${at?.["pid"]}/schedstat`, "utf8");
      return { ns: Number(text.split(" ")[0]), logged: Number(at?.["logged"]) };
    };
    for (let warm = 0; warm < 20; warm++) await load.write(writer, tx, partnerId);
    const begun = await read();
    for (let count = 0; count < writes; count++) await load.write(writer, tx, partnerId);
    const ended = await read();
    cost = {
      cpu_us: (ended.ns - begun.ns) / 1000 / writes,
      logged_bytes: (ended.logged - begun.logged) / writes,
    };
    throw new RolledBack();
  };
  await transaction(writer.scope.db, work).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  if (cost === undefined) throw new Error("It was not measured");
  return cost;
}

interface Variant {
  readonly name: string;
  readonly before: string;
}

async function variantsOf(
  { scope: { db } }: Writer,
  { tables }: Load,
): Promise<readonly Variant[]> {
  const found = await db<{ name: string; method: string }[]>`
    select c.relname as name, a.amname as method
      from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
     where i.indrelid = any(${[...tables]}::regclass[]) and not i.indisprimary
     order by i.indrelid, c.relname`;
  const all = found.map(({ name }) => `drop index ${name}`).join("; ");
  const one = found.flatMap(({ name, method }) => [
    { name: `without ${name}`, before: `drop index ${name}` },
    ...(method === "gin"
      ? [{ name: `${name} with fastupdate`, before: `alter index ${name} set (fastupdate = on)` }]
      : []),
  ]);
  return [{ name: "without all but the primary keys", before: all }, ...one];
}

async function measure(writer: Writer, load: Load, partnerId: string): Promise<void> {
  head(
    load.name,
    "indexes",
    "CPU saved, µs",
    "share of the write, %",
    "WAL saved, bytes",
    "middle half of the rounds, µs",
  );
  const all: Cost[] = [];
  for (const { name, before } of await variantsOf(writer, load)) {
    if (!`${load.name} ${name}`.includes(only)) continue;
    const saved: Cost[] = [];
    for (let round = 0; round < rounds; round++) {
      // The side that goes first alternates.
      const order = round % 2 === 0 ? ["", before] : [before, ""];
      const costs: Record<string, Cost> = {};
      for (const way of order) costs[way] = await costOf(writer, load, partnerId, way);
      const [whole, less] = [costs[""] as Cost, costs[before] as Cost];
      all.push(whole);
      saved.push({
        cpu_us: whole.cpu_us - less.cpu_us,
        logged_bytes: whole.logged_bytes - less.logged_bytes,
      });
    }
    const cpus = saved.map(({ cpu_us }) => cpu_us).toSorted((a, b) => a - b);
    const of = median(cpus) / median(all.map(({ cpu_us }) => cpu_us));
    const quarter = Math.floor(rounds / 4);
    row([
      name,
      median(cpus).toFixed(1),
      (of * 100).toFixed(1),
      Math.round(median(saved.map(({ logged_bytes }) => logged_bytes))),
      `${cpus[quarter]?.toFixed(1)} to ${cpus[rounds - 1 - quarter]?.toFixed(1)}`,
    ]);
  }
  const whole = [all.map(({ cpu_us }) => cpu_us), all.map(({ logged_bytes }) => logged_bytes)];
  const [cpu_us = 0, logged = 0] = whole.map(median);
  console.log(
    `\nWith all indexes: ${cpu_us.toFixed(0)} µs of CPU time and ${Math.round(logged)} bytes of WAL per write.`,
  );
}

await filled(dataDir, rows);
const installation = await openFolder(dataDir);
try {
  const partner = await filledForPlans(installation, dataDir);
  const writer = await writerOf(installation);
  const { db, tenantId } = writer.scope;
  // Pick leads from the whole table, because old leads change too.
  const ids = await db<{ id: string }[]>`
    select id from leads tablesample system (1) where tenant_id = ${tenantId} limit 10000`;
  someIds = ids.map(({ id }) => id);
  const [account] = await db<{ id: string }[]>`
    select id from accounts where tenant_id = ${tenantId} limit 1`;
  accountId = account?.id ?? "";
  for (const load of LOADS) await measure(writer, load, partner.id);
  for (const table of new Set(LOADS.flatMap(({ tables }) => tables))) {
    await db.unsafe(`vacuum ${table}`);
  }
} finally {
  await installation.close();
}

/**
 * Writers that remember what the service acknowledged. Each keeps a model of its records, based
 * only on the responses that it received. Some records are shared. A writer reads a shared record
 * before it changes it.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Asker, Told } from "./asking.ts";

/** The acknowledged state of one of a writer's records. */
interface Promised {
  readonly id: string;
  version: number;
  comments: string | null;
}

export interface Ledger {
  /** Leads by name, each created once. */
  readonly leads: Map<string, Promised>;
  /** Contacts by external id, written with upserts. */
  readonly contacts: Map<string, Promised>;
  /** Names of existing tasks and of deleted tasks. */
  readonly tasks: Set<string>;
  readonly deleted: Set<string>;
  /** Increments of the shared counters that returned 200, by lead. */
  readonly increments: Map<string, number>;
  stale: number;
}

export const emptyLedger = (): Ledger => ({
  leads: new Map(),
  contacts: new Map(),
  tasks: new Set(),
  deleted: new Set(),
  increments: new Map(),
  stale: 0,
});

export interface Writer {
  readonly name: string;
  readonly asker: Asker;
  readonly ledger: Ledger;
  /** Leads that all writers use as counters. The count is in `comments`. */
  readonly shared: readonly string[];
  readonly random: () => number;
}

type Deed = (writer: Writer, number: number) => Promise<void>;

const keyed = () => ({ "idempotency-key": randomUUID() });

function succeeded({ status, body }: Told, wanted = 200): void {
  assert.equal(status, wanted, JSON.stringify(body));
}

async function createLead({ name: by, asker, ledger }: Writer, number: number): Promise<void> {
  const name = `${by}-${number}`;
  const body = { name, email: `${name}@example.com`, external_id: null };
  const told = await asker.ask({ method: "POST", path: "/crm/leads", body, headers: keyed() });
  succeeded(told);
  assert.equal(told.body.version, 1);
  ledger.leads.set(name, { id: told.body._id, version: 1, comments: null });
}

/** Sends the same request twice concurrently: one request writes, and both return the same record. */
async function createTwiceAtOnce(writer: Writer, number: number): Promise<void> {
  const name = `${writer.name}-${number}`;
  const asked = { method: "POST", path: "/crm/leads", body: { name }, headers: keyed() };
  const [one, other] = await Promise.all([writer.asker.ask(asked), writer.asker.ask(asked)]);
  succeeded(one);
  assert.deepEqual(one.body, other.body);
  writer.ledger.leads.set(name, { id: one.body._id, version: 1, comments: null });
}

async function patchOwn(writer: Writer, number: number): Promise<void> {
  const { asker, ledger, random } = writer;
  const own = [...ledger.leads].filter(([name]) => name.startsWith(`${writer.name}-`));
  const [, lead] = own[Math.floor(random() * own.length)] ?? [];
  if (lead === undefined) return;
  const comments = `${writer.name} said ${number}`;
  const path = `/crm/leads/${lead.id}`;
  const told = await asker.ask({ method: "PATCH", path, body: { comments }, headers: keyed() });
  succeeded(told);
  lead.version += 1;
  lead.comments = comments;
  assert.deepEqual([told.body.version, told.body.comments], [lead.version, comments]);
}

/** Increments a counter by one. If several writers read the same value, only one of them succeeds. */
async function increment({ asker, ledger, shared, random }: Writer): Promise<void> {
  const id = shared[Math.floor(random() * shared.length)] ?? "";
  const path = `/crm/leads/${id}`;
  for (;;) {
    const read = await asker.ask({ method: "GET", path });
    succeeded(read);
    const told = await asker.ask({
      method: "PATCH",
      path,
      body: { comments: String(Number(read.body.comments) + 1) },
      headers: { ...keyed(), "if-match": String(read.headers.get("etag")) },
    });
    if (told.status === 412) {
      assert.ok(told.body.changed_fields.includes("comments"), JSON.stringify(told.body));
      ledger.stale += 1;
      continue;
    }
    succeeded(told);
    ledger.increments.set(id, (ledger.increments.get(id) ?? 0) + 1);
    return;
  }
}

const CONTACTS_EACH = 5;

async function upsertContact(writer: Writer, number: number): Promise<void> {
  const { asker, ledger, random, name: by } = writer;
  const external_id = `${by}/${Math.floor(random() * CONTACTS_EACH)}`;
  const comments = `${by} said ${number}`;
  const path = `/crm/contacts/by/external_id/${encodeURIComponent(external_id)}`;
  const told = await asker.ask({ method: "PUT", path, body: { name: by, comments } });
  succeeded(told);
  const known = ledger.contacts.get(external_id);
  const version = (known?.version ?? 0) + 1;
  assert.equal(told.body.version, version);
  ledger.contacts.set(external_id, { id: told.body._id, version, comments });
}

async function createAndDeleteTask({ name: by, asker, ledger, random }: Writer, number: number) {
  const name = `${by}-${number}`;
  const made = await asker.ask({
    method: "POST",
    path: "/crm/tasks",
    body: { name },
    headers: keyed(),
  });
  succeeded(made);
  if (random() < 0.3) {
    ledger.tasks.add(name);
    return;
  }
  const told = await asker.ask({ method: "DELETE", path: `/crm/tasks/${made.body._id}` });
  // If the first response was lost, the second request finds nothing left to delete.
  if (told.status !== 404 || told.retries === 0) succeeded(told);
  ledger.deleted.add(name);
}

const BATCH = 5;

async function createBatch({ name: by, asker, ledger }: Writer, number: number): Promise<void> {
  const names = Array.from({ length: BATCH }, (_, at) => `${by}-${number}-${at}`);
  const items = names.map((name) => ({ name }));
  const told = await asker.ask({
    method: "POST",
    path: "/crm/leads/batch",
    body: { items },
    headers: keyed(),
  });
  succeeded(told, 207);
  for (const [at, name] of names.entries()) {
    const { index, status, _id: id } = told.body[at];
    assert.deepEqual([index, status], [at, 200]);
    ledger.leads.set(name, { id, version: 1, comments: null });
  }
}

/** How many times out of ten each action is performed. */
const DEEDS: readonly (readonly [times: number, deed: Deed])[] = [
  [3, createLead],
  [1, createTwiceAtOnce],
  [2, patchOwn],
  [1, increment],
  [1, upsertContact],
  [1, createAndDeleteTask],
  [1, createBatch],
];
const PICKS = DEEDS.flatMap(([times, deed]) => Array.from({ length: times }, () => deed));

/** Writes until stopped, and completes what it has started. */
export async function keepWriting(writer: Writer, isOver: () => boolean): Promise<void> {
  for (let number = 0; !isOver(); number += 1) {
    const deed = PICKS[Math.floor(writer.random() * PICKS.length)] ?? createLead;
    await deed(writer, number);
  }
}

/** Requests that write or read a lead in different ways. Each has a plain request for comparison. */

import { randomUUID } from "node:crypto";
import { leadAt } from "./leads.ts";

/** A request and its expected status. */
export interface Ask {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status?: number;
  /** Whether the request is sent with the rate-limited token. */
  readonly isLimited?: true;
}

/** Handles the response. */
type Told = (etag: string) => void;

export interface Arm {
  readonly name: string;
  /** The name of the plain arm to compare with. Undefined for plain arms. */
  readonly plain?: string;
  /** Records per call. */
  readonly records?: number;
  /** Returns the next request of a connection, and the handler of its response. */
  readonly ask: (connection: number) => Ask & { readonly told?: Told };
}

/** An existing lead with its version. */
export interface Known {
  readonly id: string;
  readonly email: string;
  etag: string;
}

export const CONNECTIONS = 16;
const BATCH = 100;
const REPEATED = 500;
const LEADS = "/crm/leads";

let drawn = 0;

/** Returns a lead that does not exist yet, with a new email address and phone number. */
export function stranger(): { readonly email: string } & Readonly<Record<string, unknown>> {
  const at = ++drawn;
  const { external_id: _, ...lead } = leadAt(at) as Record<string, unknown>;
  const email = `p${at}@bench.example.com`;
  return { ...lead, email, phone: `+1212${String(2_000_000 + at)}` };
}

const keyed = () => ({ "idempotency-key": randomUUID() });
const create = (more: Partial<Ask> = {}): Ask => ({
  method: "POST",
  path: LEADS,
  body: stranger(),
  ...more,
});

/** The requests that are sent again as retries. Each has been sent once before. */
export const REPEATS: readonly Ask[] = Array.from({ length: REPEATED }, () =>
  create({ headers: keyed() }),
);

const CREATING: readonly Arm[] = [
  { name: "create", ask: () => create() },
  {
    name: "create with a new Idempotency-Key",
    plain: "create",
    ask: () => create({ headers: keyed() }),
  },
  {
    name: "create with a known Idempotency-Key (replay)",
    plain: "create",
    ask: () => REPEATS[Math.floor(Math.random() * REPEATED)] as Ask,
  },
  { name: "create with a rate limit", plain: "create", ask: () => create({ isLimited: true }) },
  {
    name: "create with on_duplicate=reject",
    plain: "create",
    ask: () => create({ path: `${LEADS}?on_duplicate=reject` }),
  },
  {
    name: "upsert by email (creates a lead)",
    plain: "create",
    ask: () => {
      const body = stranger();
      return { method: "PUT", path: `${LEADS}/by/email/${encodeURIComponent(body.email)}`, body };
    },
  },
  {
    name: `batch of ${BATCH} creates, per lead`,
    plain: "create",
    records: BATCH,
    ask: () => ({
      method: "POST",
      path: `${LEADS}/batch`,
      body: { items: Array.from({ length: BATCH }, stranger) },
      status: 207,
    }),
  },
];

/** Each connection has its own leads, so that no connection has to wait for another. */
function ownOf(known: readonly Known[]): (connection: number) => Known {
  const asked = new Map<number, number>();
  return (connection) => {
    const n = asked.get(connection) ?? 0;
    asked.set(connection, n + 1);
    const own = Math.floor(known.length / CONNECTIONS);
    return known[connection * own + (n % own)] as Known;
  };
}

function changing(known: readonly Known[]): readonly Arm[] {
  const next = ownOf(known);
  const patch = (connection: number, more: (lead: Known) => Partial<Ask> = () => ({})) => {
    const lead = next(connection);
    const body = { comments: `Called, and calls back (${++drawn}).` };
    return {
      ...{ method: "PATCH" as const, path: `${LEADS}/${lead.id}`, body },
      ...more(lead),
      told: (etag: string) => void (lead.etag = etag),
    };
  };
  const plain = "PATCH";
  return [
    { name: plain, ask: (at) => patch(at) },
    { name: "PATCH with If-Match", plain, ask: (at) => patch(at, ifMatch) },
    {
      name: "PATCH with a new Idempotency-Key",
      plain,
      ask: (at) => patch(at, () => ({ headers: keyed() })),
    },
    { name: "PATCH with a rate limit", plain, ask: (at) => patch(at, () => ({ isLimited: true })) },
    {
      name: "upsert by email (updates a lead)",
      plain,
      ask: (at) =>
        patch(at, ({ email }) => ({
          method: "PUT",
          path: `${LEADS}/by/email/${encodeURIComponent(email)}`,
        })),
    },
  ];
}

const ifMatch = ({ etag }: Known): Partial<Ask> => ({ headers: { "if-match": etag } });

function reading(known: readonly Known[]): readonly Arm[] {
  const next = ownOf(known);
  const get = (connection: number, more: (lead: Known) => Partial<Ask> = () => ({})): Ask => {
    const lead = next(connection);
    return { method: "GET", path: `${LEADS}/${lead.id}`, ...more(lead) };
  };
  const page: Ask = { method: "GET", path: `${LEADS}?page_size=1` };
  return [
    { name: "GET", ask: (at) => get(at) },
    {
      name: "GET with If-None-Match (304)",
      plain: "GET",
      ask: (at) => get(at, ({ etag }) => ({ headers: { "if-none-match": etag }, status: 304 })),
    },
    {
      name: "GET with a rate limit",
      plain: "GET",
      ask: (at) => get(at, () => ({ isLimited: true })),
    },
    { name: "page of one lead", ask: () => page },
    {
      name: "page of one lead with a rate limit",
      plain: "page of one lead",
      ask: () => ({ ...page, isLimited: true }),
    },
  ];
}

/** Returns all arms. No arm changes the version of the leads that are read. */
export const armsOf = (changed: readonly Known[], read: readonly Known[]): readonly Arm[] => [
  ...CREATING,
  ...changing(changed),
  ...reading(read),
];

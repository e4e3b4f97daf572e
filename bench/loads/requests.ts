/** The workloads W1 to W10, except W7 and W8: the requests to the service and to the bare server, and the target ratio. */

import { randomInt } from "node:crypto";
import type { Database } from "../service/database.ts";
import { clientOf, type Service } from "../service/service.ts";
import { leadAt, phoneAt } from "./leads.ts";
import type { Ask } from "./loop.ts";

/** The data that the requests of a workload use. */
export interface Ground {
  readonly rows: number;
  readonly tenantId: string;
  readonly partnerId: string;
  /** The ids of existing leads, for workloads that update leads. */
  readonly ids: readonly string[];
  /** A deep page of W1: its page number, and the pages after it, by cursor. */
  readonly deep: { readonly page: number; readonly places: readonly DeepPlace[] };
}

/** A page of W1: its path with a cursor, and the id of the last lead before the page. */
interface DeepPlace {
  readonly path: string;
  readonly after: string;
}

export interface ClosedLoad {
  readonly name: string;
  readonly what: string;
  /** The target: the service's request rate divided by that of the other arm must be at least this high. */
  readonly bar: number;
  /** The request to the service. */
  readonly ask: (ground: Ground) => () => Ask;
  /** Whether a partner sends the requests instead of the tenant. */
  readonly isPartners?: true;
  /** The request to compare with, which is sent to the bare server. */
  readonly beside: (ground: Ground) => () => Ask;
  /** Whether `beside` is also sent to the service, in order to compare two requests to it. */
  readonly comparesRequests?: true;
  /** Multiplies the duration of a turn, for requests whose responses may take seconds. */
  readonly turns?: number;
}

const PAGE_SIZE = 50;
const STATUS = "contacted";
export const STATUSES = ["open", "assigned", "attempted", "contacted", "meeting-setup"] as const;
const PAIR = ["assigned", "contacted"] as const;
const SOURCE = "Google";
/** One in five test leads has the status "contacted". */
const SHARE = 0.2;
const DEEP_PAGE = 2000;
const DEEP_PLACES = 40;

const get = (path: string, more: Partial<Ask> = {}): (() => Ask) => {
  const ask: Ask = { method: "GET", path, ...more };
  return () => ask;
};

/** Alternates between these requests. */
function byTurns(asks: readonly (() => Ask)[]): () => Ask {
  let at = 0;
  return () => (asks[at++ % asks.length] as () => Ask)();
}

const COUNTED = { prefer: "count=exact" };

/** Finds one lead by its email address. */
const findAt =
  (path: (email: string) => string) =>
  ({ rows }: Ground) =>
  (): Ask => {
    const { email } = leadAt(randomInt(rows)) as { email: string };
    const check = (body: string): void => {
      const { leads } = JSON.parse(body) as { leads: readonly { readonly email: string }[] };
      if (leads[0]?.email.toLowerCase() !== email.toLowerCase())
        throw new Error(`Not found: ${email}`);
    };
    return { method: "GET", path: path(email), check };
  };

interface ListedLead {
  readonly _id: string;
  readonly lead_status: string;
  readonly lead_source: string;
}

/** Checks that a page is full and contains only matching leads, newest first. */
const pageOf =
  (statuses: readonly string[], source?: string) =>
  (body: string): void => {
    const { leads } = JSON.parse(body) as { leads: readonly ListedLead[] };
    if (leads.length !== PAGE_SIZE) throw new Error(`A page of ${leads.length} leads`);
    for (const [at, lead] of leads.entries()) {
      const isAsked = statuses.includes(lead.lead_status);
      const isOfSource = source === undefined || lead.lead_source === source;
      if (!isAsked || !isOfSource) throw new Error(`${lead._id} does not match`);
      if (at > 0 && (leads[at - 1]?._id ?? "") <= lead._id) throw new Error("Not newest first");
    }
  };

const listPath = (filter: object, more = ""): string =>
  `/crm/leads?match_filter_dict=${encodeURIComponent(JSON.stringify(filter))}&page_size=${PAGE_SIZE}${more}`;

const W1_PATH = listPath({ lead_status: STATUS });
const listOf = (status: string, more = "") =>
  get(listPath({ lead_status: status }, more), { check: pageOf([status]) });

const FOUR_FIELDS = "name,lead_status,lead_source,created_ts";

let drawn = 0;
const RUN = Date.now().toString(36);

/** Returns a lead that does not exist yet. */
function stranger(): Readonly<Record<string, unknown>> {
  const { external_id: _, ...lead } = leadAt(++drawn) as Record<string, unknown>;
  return { ...lead, email: `p${drawn}@${RUN}.example.com`, phone: `+1646${2_000_000 + drawn}` };
}

const post = (path: string, body: unknown, check?: Ask["check"]): Ask => ({
  method: "POST",
  path,
  body: JSON.stringify(body),
  ...(check && { check }),
});

const createAt = (path: string) => () => () => {
  const lead = stranger();
  return post(path, lead, (body) => {
    const { _id, email } = JSON.parse(body) as { _id: string; email: string };
    if (!/^[0-9a-f]{24}$/.test(_id) || email !== lead["email"])
      throw new Error(`Not created: ${body}`);
  });
};

const patchAt =
  (path: (id: string) => string) =>
  ({ ids }: Ground) => {
    let at = randomInt(ids.length);
    const turns = new Map<string, number>();
    return (): Ask => {
      const id = ids[at++ % ids.length] as string;
      const turn = (turns.get(id) ?? randomInt(STATUSES.length)) + 1;
      turns.set(id, turn);
      const status = STATUSES[turn % STATUSES.length];
      const check = (body: string): void => {
        if (!body.includes(`"lead_status":"${status}"`)) throw new Error(`Not patched: ${body}`);
      };
      return { method: "PATCH", path: path(id), body: JSON.stringify({ status }), check };
    };
  };

const lookUpAt =
  (path: string) =>
  ({ rows }: Ground) =>
  (): Ask => {
    const { email } = leadAt(randomInt(rows)) as { email: string };
    return post(path, { email }, (body) => {
      if (!/"exists":true/.test(body)) throw new Error(`Not found: ${body}`);
    });
  };

const pushAt =
  (path: string) =>
  ({ partnerId }: Ground) =>
  (): Ask => {
    drawn += 1;
    const partner = path === "/push" && { partner_id: partnerId };
    const phone = phoneAt(drawn).replace("(212)", "(917)");
    const person = {
      name: `Person ${drawn}`,
      email: `q${drawn}@${RUN}.example.net`,
      phone,
      source: SOURCE,
    };
    return post(path, { ...person, comments: "Wants prices for two sites.", ...partner });
  };

export const CLOSED_LOADS: readonly ClosedLoad[] = [
  {
    name: "W1",
    what: "list leads with one status (five in turn), newest first, page of 50",
    bar: 0.85,
    ask: () => byTurns(STATUSES.map((status) => listOf(status))),
    beside: () =>
      byTurns(STATUSES.map((status) => get(`/list?status=${status}`, { check: pageOf([status]) }))),
  },
  {
    name: "W1f",
    what: `W1 with fields=${FOUR_FIELDS}, compared with W1`,
    bar: 1.5,
    comparesRequests: true,
    ask: () => byTurns(STATUSES.map((status) => listOf(status, `&fields=${FOUR_FIELDS}`))),
    beside: () => byTurns(STATUSES.map((status) => listOf(status))),
  },
  {
    name: "W2",
    what: "list leads with either of two statuses and one source, page of 50",
    bar: 0.85,
    ask: () =>
      get(listPath({ lead_status: { $in: PAIR }, lead_source: SOURCE }), {
        check: pageOf(PAIR, SOURCE),
      }),
    beside: () =>
      get(`/list?status=${PAIR[0]}&status=${PAIR[1]}&source=${SOURCE}`, {
        check: pageOf(PAIR, SOURCE),
      }),
  },
  {
    name: "W3",
    what: "deep pages of W1 by cursor, a different page each time",
    bar: 0.85,
    ask: ({ deep }) =>
      byTurns(deep.places.map(({ path }) => get(path, { check: pageOf([STATUS]) }))),
    beside: ({ deep }) =>
      byTurns(
        deep.places.map(({ after }) =>
          get(`/list?status=${STATUS}&after=${after}`, { check: pageOf([STATUS]) }),
        ),
      ),
  },
  {
    name: "W3n",
    what: "the first page of W3 by page_num, compared with a plain offset on the bare server",
    bar: 4,
    turns: 4,
    ask: ({ deep }) => get(`${W1_PATH}&page_num=${deep.page}`, { check: pageOf([STATUS]) }),
    beside: ({ deep }) =>
      get(`/list?status=${STATUS}&offset=${(deep.page - 1) * PAGE_SIZE}`, {
        check: pageOf([STATUS]),
      }),
  },
  {
    name: "W1c",
    what: "W1 with the total count",
    bar: 0.85,
    turns: 2,
    ask: () => get(W1_PATH, { check: pageOf([STATUS]), headers: COUNTED }),
    beside: () => get(`/list?status=${STATUS}&count`, { check: pageOf([STATUS]) }),
  },
  {
    name: "W10",
    what: "find leads by email (list filtered by one address)",
    bar: 0.7,
    ask: findAt((email) => listPath({ email_list: email })),
    beside: findAt((email) => `/find?email=${encodeURIComponent(email)}`),
  },
  {
    name: "W4",
    what: "create a lead",
    bar: 0.8,
    ask: createAt("/crm/leads"),
    beside: createAt("/create"),
  },
  {
    name: "W5",
    what: "change a lead's status (PATCH)",
    bar: 0.7,
    ask: patchAt((id) => `/crm/leads/${id}`),
    beside: patchAt((id) => `/update/${id}`),
  },
  {
    name: "W6",
    what: "partner lookup by email",
    bar: 0.75,
    isPartners: true,
    ask: lookUpAt("/crm/partner/lookup"),
    beside: lookUpAt("/lookup"),
  },
  {
    name: "W9",
    what: "push a lead as a partner",
    bar: 0.6,
    isPartners: true,
    ask: pushAt("/crm/partner/push"),
    beside: pushAt("/push"),
  },
];

/** Prepares the data for the workloads. */
export async function groundOf(
  service: Service,
  { query }: Database,
  { rows, tenantId, partnerId }: Pick<Ground, "rows" | "tenantId" | "partnerId">,
): Promise<Ground> {
  const found = await query<{ id: string }>(
    `select id from leads tablesample system (${Math.min(100, 2_000_000 / rows)})
      where tenant_id = $1 order by hashtext(id) limit 10000`,
    [tenantId],
  );
  const deep = await deepPageOf(service, rows);
  return { rows, tenantId, partnerId, ids: found.map(({ id }) => id), deep };
}

/** Returns a deep page of W1 in test data of this size: its page number, and the pages after it, by cursor. */
export async function deepPageOf(service: Service, rows: number): Promise<Ground["deep"]> {
  const page = Math.min(DEEP_PAGE, Math.floor((rows * SHARE * 0.9) / PAGE_SIZE));
  const client = clientOf(service);
  const places: DeepPlace[] = [];
  let path = `${W1_PATH}&page_num=${page - 1}`;
  while (places.length <= DEEP_PLACES) {
    const { next, body } = await client.get(path);
    if (next === undefined) break;
    const { leads } = JSON.parse(body) as { leads: readonly ListedLead[] };
    places.push({ path: next, after: leads.at(-1)?._id ?? "" });
    path = next;
  }
  client.close();
  // The last page may not be full.
  places.pop();
  if (places.length === 0) throw new Error(`There is no page ${page}`);
  return { page, places };
}

/** Returns a workload by its name. */
export function loadOf(name: string): ClosedLoad {
  const load = CLOSED_LOADS.find((one) => one.name === name);
  if (load === undefined) throw new Error(`There is no workload ${name}`);
  return load;
}

/**
 * `/crm/admin/demo`: lets owners of the installation's first tenant create demo data, become owners of the demo tenant,
 * and remove it. No other caller can see that demo data exists.
 */

import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Caller } from "../access/index.ts";
import { findFirstTenant } from "../tenants/index.ts";
import type { Clock } from "../platform/clock/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import { run, type Db } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { bodyShape, operation, type Operation } from "../platform/operations/index.ts";
import type { Sealer } from "../platform/secrets/index.ts";
import { checker } from "../platform/validation/index.ts";
import {
  bodySchema,
  boolean,
  integer,
  type Members,
  nullable,
  objectSchema,
  type Schemas,
  string,
} from "../platform/schemas/index.ts";
import { isAsOwner, linkUrl } from "../people/index.ts";
import type { Participant } from "../records/store/index.ts";
import { LEADS, type Owner, startFilling, USUAL_SEED } from "./fill.ts";
import { demoOwnerLink, isDemoMember, readDemo, removeDemo, STATES } from "./state.ts";

interface DemoDeps {
  readonly sql: Db;
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly sealer: Sealer;
  readonly participants: readonly Participant[];
  readonly log: Logger;
  /** The base URL of links. Default: the URL of the request. */
  readonly publicUrl: string | undefined;
  /** Clears the cached callers. Called after the demo tenant has been removed. */
  readonly forgetCallers: () => void;
  /** Aborted when the service stops. The demo tenant is then not filled any further. */
  readonly stopping: AbortSignal;
}

const DEMO = {
  state: string(
    "`unavailable`: the caller is not an owner of the installation's first tenant. " +
      "`interrupted`: remove the demo data and load it again.",
    { enum: ["unavailable", ...STATES] },
  ),
  done: integer("The number of completed loading steps."),
  total: integer("The total number of loading steps; 0 without demo data."),
  tenant: {
    anyOf: [
      objectSchema({
        id: string("The id of the tenant."),
        name: string("The name."),
        handle: string("Identifies the tenant on the command line."),
      }),
      { type: "null" },
    ],
    description: "The demo tenant; null if there is none.",
  },
  is_member: boolean("Whether the caller has a password in the demo tenant."),
} as const satisfies Schemas;

const REQUEST = bodySchema(
  "DemoRequest",
  {
    leads: nullable(
      integer(`The approximate number of leads. Default: ${LEADS.usual}.`, {
        minimum: LEADS.least,
        maximum: LEADS.most,
      }),
    ),
    seed: nullable(
      integer("The same seed creates the same records, except for ids and dates.", {
        minimum: 0,
        maximum: 2 ** 31 - 1,
      }),
    ),
  },
  [],
);

/** Named schemas in openapi.json. */
export const demoSchemas: Schemas = {
  DemoRequest: REQUEST,
  Demo: objectSchema(DEMO),
  DemoLink: objectSchema({
    link: string("The one-time link. It is not shown again."),
    link_expires_ts: integer("When the link expires, in epoch seconds."),
  }),
};

const COMMON = {
  url: "/crm/admin/demo",
  tag: "administration",
  permission: "admin",
  keyless: true,
} as const;

const OTHERS = "You are not an owner of the installation's first tenant.";
const NONE_OR_OTHERS =
  "There is no demo data, or you are not an owner of the installation's first tenant.";

/** Returns the operations. `close` waits until this process no longer fills the demo tenant. */
export function createDemo(deps: DemoDeps) {
  const { sql, log, stopping: signal } = deps;
  const running = new Set<Promise<void>>();
  const load = async (caller: Caller, { leads, seed }: DemoRequest): Promise<void> => {
    const owner = await ownerOf(sql, caller);
    const { done } = await startFilling(deps, {
      leads: leads ?? LEADS.usual,
      seed: seed ?? USUAL_SEED,
      owner,
      signal,
    });
    const filling = done
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, "Creating demo data failed");
      })
      .finally(() => running.delete(filling));
    running.add(filling);
  };
  return {
    tenants: operationsOf(deps, load),
    close: async (): Promise<void> => void (await Promise.all(running)),
  };
}

type DemoRequest = Readonly<Partial<Record<"leads" | "seed", number | null>>>;

function operationsOf(
  deps: DemoDeps,
  load: (caller: Caller, request: DemoRequest) => Promise<void>,
): readonly Operation<Caller>[] {
  const { sql } = deps;
  return [
    operation({
      ...COMMON,
      method: "GET",
      id: "get_demo",
      summary: "Get the demo data state",
      answer: { $ref: "Demo#" },
      run: async ({ caller }) =>
        (await isOperator(sql, caller)) ? shownDemo(sql, caller) : UNAVAILABLE,
    }),
    operation({
      ...COMMON,
      method: "POST",
      id: "load_demo",
      summary: "Load demo data",
      description: "Creates a tenant with demo data in the background.",
      body: bodyShape(REQUEST, checker({})),
      bodyOptional: true,
      answer: { $ref: "Demo#" },
      failures: {
        404: OTHERS,
        409: "Demo data already exists, or it is being loaded or removed.",
      },
      run: async ({ caller, body }) => {
        await mustBeOperator(sql, caller);
        await load(caller, body);
        return shownDemo(sql, caller);
      },
    }),
    operation({
      ...COMMON,
      method: "POST",
      url: `${COMMON.url}/link`,
      id: "create_demo_link",
      summary: "Create a link to the demo tenant",
      description: "Returns a one-time link that makes you an owner of the demo tenant.",
      answer: { $ref: "DemoLink#" },
      secretResponse: true,
      failures: {
        404: NONE_OR_OTHERS,
        409: "You have no email, and another owner already has a password.",
      },
      run: async ({ caller, request }) => {
        await mustBeOperator(sql, caller);
        const made = await demoOwnerLink(sql, deps, await ownerOf(sql, caller));
        return { link: linkUrl(baseOf(deps, request), made), link_expires_ts: made.expires_ts };
      },
    }),
    operation({
      ...COMMON,
      method: "DELETE",
      id: "remove_demo",
      summary: "Remove demo data",
      description: "Deletes the demo tenant with everything in it.",
      answer: objectSchema({
        removed_rows: integer("The number of deleted rows."),
      }),
      failures: {
        404: NONE_OR_OTHERS,
        409: "The demo data is being loaded or removed.",
      },
      run: async ({ caller }) => {
        await mustBeOperator(sql, caller);
        const removed_rows = await removeDemo(sql);
        deps.forgetCallers();
        return { removed_rows };
      },
    }),
  ];
}

const UNAVAILABLE: Members<typeof DEMO> = {
  state: "unavailable",
  done: 0,
  total: 0,
  tenant: null,
  is_member: false,
};

/** Whether the caller is an owner of the installation's first tenant. */
const isOperator = async (sql: Db, caller: Caller): Promise<boolean> =>
  isAsOwner(caller) && (await findFirstTenant(sql))?.id === caller.tenant.id;

async function mustBeOperator(sql: Db, caller: Caller): Promise<void> {
  if (await isOperator(sql, caller)) return;
  const detail = "Only owners of the installation's first tenant can manage demo data";
  throw new AppError("not_found", { detail });
}

async function shownDemo(sql: Db, caller: Caller): Promise<Members<typeof DEMO>> {
  const { state, tenant, done, total } = await readDemo(sql);
  const owner = await ownerOf(sql, caller);
  const { id = "", name = "", handle = "" } = tenant ?? {};
  return {
    state,
    done,
    total,
    tenant: tenant === undefined ? null : { id, name, handle },
    is_member: owner !== undefined && (await isDemoMember(sql, owner.email)),
  };
}

/** Returns the user on whose behalf a caller acts. Returns undefined if that user has no email. */
async function ownerOf(sql: Db, { tenant, person }: Caller): Promise<Owner | undefined> {
  const [row] = await run<{ email: string | null }[]>(sql)`
    select email from people where tenant_id = ${tenant.id} and id = ${person.id}`;
  const email = row?.email ?? undefined;
  return email === undefined ? undefined : { name: person.name, email };
}

const baseOf = ({ publicUrl }: DemoDeps, { protocol, host }: FastifyRequest): string =>
  publicUrl ?? `${protocol}://${host}`;

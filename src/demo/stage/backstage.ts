/** The context that all actions of the demo year share: the tenant, connection, clock and actors. */

import type { Caller } from "../../access/index.ts";
import type { Person, Tenant } from "../../tenants/index.ts";
import { type Actor, type Scope, SERVICE } from "../../audit/index.ts";
import type { MakeId } from "../../platform/ids/index.ts";
import type { Db } from "../../platform/database/index.ts";
import type { Sealer } from "../../platform/secrets/index.ts";
import type { Author, Participant, WriteDeps } from "../../records/store/index.ts";
import { ROLES } from "../../people/index.ts";
import type { DemoClock } from "./demo-clock.ts";

/** A user or program that performs actions, and the user on whose behalf it acts. */
export interface Acting {
  readonly actor: Actor;
  readonly person: Person;
}

export interface Backstage {
  /** A connection opened by `openDemoDb`. */
  readonly db: Db;
  readonly clock: DemoClock;
  readonly makeId: MakeId;
  readonly sealer: Sealer;
  readonly participants: readonly Participant[];
  readonly tenant: Tenant;
  readonly now_s: number;
  /** The actors, keyed by the names used in the plan. */
  readonly actors: Map<string, Acting>;
}

export const personActor = ({ id, name }: Person): Acting => ({
  actor: { kind: "person", id, name, requestId: null },
  person: { id, name },
});

export function actingAs({ actors }: Backstage, name: string): Acting {
  const found = actors.get(name);
  if (found === undefined) throw new Error(`The demo year has no user called ${name}`);
  return found;
}

/** Returns a scope with the tenant and the given actor. By default, the actor is the service itself. */
export const scopeOf = (backstage: Backstage, by?: string): Scope<Db> => ({
  db: backstage.db,
  tenantId: backstage.tenant.id,
  actor: by === undefined ? SERVICE : actingAs(backstage, by).actor,
});

export const authorOf = (backstage: Backstage, by: string): Author => ({
  country: backstage.tenant.default_country,
  person: actingAs(backstage, by).person,
});

export const writeDepsOf = ({ clock, makeId, sealer, participants }: Backstage): WriteDeps => ({
  clock,
  makeId,
  sealer,
  participants,
});

/** Returns the signed-in owner as a caller. */
export const ownerCaller = (backstage: Backstage): Caller => {
  const { person } = actingAs(backstage, "owner");
  return {
    tenant: backstage.tenant,
    credential: { kind: "session", id: "demo" },
    person,
    permissions: ROLES.owner,
    rate_limit: null,
    concurrency_limit: null,
    requestId: "demo",
  };
};

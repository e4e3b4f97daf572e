/** Who sends the cookie of a session. */

import type { FastifyRequest } from "fastify";
import {
  createCredentialRegistry,
  type CredentialRegistry,
  type Holder,
  HOLDER_COLUMNS,
  HOLDER_TABLES,
  type HolderRow,
  ownerOf,
  unauthenticated,
  type Caller,
  type Quotas,
  type Refusals,
} from "../access/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import { cookieIn, type CookieName } from "../platform/secrets/index.ts";
import { type Db, run } from "../platform/database/index.ts";
import { refuseCrossSite } from "../platform/http/index.ts";
import { ROLES, type Role } from "./roles.ts";
import { endOf, type Lifetime } from "./sessions.ts";

export const SESSION_COOKIE = "leadport" satisfies CookieName;
const TOKEN = /^[A-Za-z0-9]{40}$/;

interface SessionHolder extends Holder {
  readonly end_s: number;
}

/** Turns cookies into callers. */
export interface SessionRegistry extends Pick<CredentialRegistry<SessionHolder>, "close"> {
  /** Throws 401 without a session that lasts, 403 for a request of another site's page. */
  readonly recognise: (request: FastifyRequest) => Promise<Caller>;
  /** The session that a request's cookie names; undefined without one that lasts. */
  readonly find: (request: FastifyRequest) => Promise<Caller | undefined>;
  /** What some session stands for was changed. */
  readonly forget: () => void;
}

export function createSessionRegistry(
  db: Db,
  deps: { readonly clock: Clock; readonly quotas: Quotas; readonly refusals: Refusals },
): SessionRegistry {
  const { clock, quotas, refusals } = deps;
  const registry = createCredentialRegistry<SessionHolder>(clock, refusals, {
    find: (hash) => findHolder(db, quotas, hash),
    storeUse: async ({ tenant, credential, person }, at_s) => {
      await run(db)`
        update sessions set last_used_ts = ${at_s}
         where tenant_id = ${tenant.id} and id = ${credential.id} and last_used_ts < ${at_s}`;
      await run(db)`
        update people set last_used_ts = ${at_s}
         where tenant_id = ${tenant.id} and id = ${person.id}
           and (last_used_ts is null or last_used_ts < ${at_s})`;
    },
    subjectOf: ({ person }) => ({ subjectType: "person", subjectId: person.id }),
  });
  const holderOf = async (request: FastifyRequest): Promise<SessionHolder | undefined> => {
    const token = cookieIn(request, SESSION_COOKIE) ?? "";
    return TOKEN.test(token) ? registry.find(token) : undefined;
  };
  const find = async (request: FastifyRequest): Promise<Caller | undefined> => {
    const holder = await holderOf(request);
    const now_s = epochSeconds(clock);
    if (holder === undefined || holder.end_s <= now_s) return undefined;
    return registry.use(holder, request.id, now_s);
  };
  /** Logs a session that has ended. The holder is known if it ran out and was not ended. */
  const noteRefusal = (request: FastifyRequest, holder: SessionHolder | undefined): void => {
    if (cookieIn(request, SESSION_COOKIE) === undefined) return;
    const reason = holder === undefined ? "unknown_session" : "expired";
    registry.noteRefusal({ reason, from: request.ip, requestId: request.id }, holder);
  };
  return {
    find,
    recognise: async (request) => {
      const caller = await find(request);
      if (caller === undefined) {
        noteRefusal(request, await holderOf(request));
        throw unauthenticated();
      }
      refuseCrossSite(request);
      return caller;
    },
    forget: () => registry.forget(),
    close: registry.close,
  };
}

interface Row extends HolderRow, Lifetime {
  readonly role: Role;
}

async function findHolder(
  db: Db,
  quotas: Quotas,
  hash: Buffer,
): Promise<SessionHolder | undefined> {
  const [row] = await run<Row[]>(db)`
    select ${HOLDER_COLUMNS}, c.last_used_ts, c.idle_s, c.expires_ts, p.role
      from sessions c ${HOLDER_TABLES}
     where c.token_hash = ${hash} and not p.is_suspended and p.role is not null`;
  if (row === undefined) return undefined;
  const permissions = ROLES[row.role];
  const owner = ownerOf(row, "session", quotas);
  return {
    caller: { ...owner, permissions, rate_limit: null, concurrency_limit: null },
    end_s: endOf(row),
  };
}

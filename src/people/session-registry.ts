/** Authenticates session cookies. */

import type { FastifyRequest } from "fastify";
import {
  createCredentialRegistry,
  type CredentialRegistry,
  type Holder,
  type RegistryDeps,
  unauthenticated,
  type Caller,
} from "../access/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { cookieIn, type CookieName } from "../platform/secrets/index.ts";
import { type Db, run } from "../platform/database/index.ts";
import { refuseCrossSite } from "../platform/http/index.ts";
import { ROLES, type Role } from "./roles.ts";
import { endOf, type Lifetime } from "./sessions.ts";

export const SESSION_COOKIE = "leadport" satisfies CookieName;
const TOKEN = /^[A-Za-z0-9]{40}$/;

/** A request header with the id of the user that the request is meant for. */
const MEANT_FOR = "X-Person-Id";

interface SessionHolder extends Holder {
  readonly end_s: number;
}

interface Row extends Lifetime {
  readonly role: Role | null;
  readonly is_suspended: boolean;
}

/** Finds the caller that a session cookie identifies. */
export interface SessionRegistry extends Pick<CredentialRegistry<SessionHolder>, "close"> {
  /** Throws 401 without a valid session, and 403 for requests from other sites. */
  readonly authenticate: (request: FastifyRequest) => Promise<Caller>;
  /**
   * Returns the caller that a request's cookie identifies, or undefined without a valid session. Also finds the sessions
   * of suspended tenants, so that their users can sign out.
   */
  readonly find: (request: FastifyRequest) => Promise<SessionHolder["caller"] | undefined>;
  /** Clears the cached sessions. Called when a session was changed. */
  readonly forget: () => void;
}

export function createSessionRegistry(db: Db, deps: RegistryDeps): SessionRegistry {
  const registry = createCredentialRegistry<Row, SessionHolder>(db, deps, {
    kind: "session",
    table: "sessions",
    columns: ["c.last_used_ts", "c.idle_s", "c.expires_ts", "p.role", "p.is_suspended"],
    holderOf: ({ role, is_suspended, ...lifetime }, owner) => {
      if (is_suspended || role === null) return undefined;
      const permissions = ROLES[role];
      const caller = { ...owner, permissions, rate_limit: null, concurrency_limit: null };
      return { caller, end_s: endOf(lifetime) };
    },
    storeUses: (uses) => run(db)`
      update people p set last_used_ts = u.at_s
        from (select tenant_id, person_id, max(at_s) as at_s from ${uses} group by 1, 2 order by 2) u
       where p.tenant_id = u.tenant_id and p.id = u.person_id
         and (p.last_used_ts is null or p.last_used_ts < u.at_s)`,
    subjectOf: ({ person }) => ({ subjectType: "person", subjectId: person.id }),
  });
  const holderOf = async (request: FastifyRequest): Promise<SessionHolder | undefined> => {
    const token = cookieIn(request, SESSION_COOKIE) ?? "";
    return TOKEN.test(token) ? registry.find(token) : undefined;
  };
  const findValid = async (request: FastifyRequest): Promise<SessionHolder | undefined> => {
    const holder = await holderOf(request);
    return holder !== undefined && holder.end_s > epochSeconds(deps.clock) ? holder : undefined;
  };
  /** Logs an invalid session. Its user is known only if the session has expired but was not deleted yet. */
  const noteRefusal = (request: FastifyRequest, holder: SessionHolder | undefined): void => {
    if (cookieIn(request, SESSION_COOKIE) === undefined) return;
    const reason = holder === undefined ? "unknown_session" : "expired";
    registry.noteRefusal({ reason, from: request.ip, requestId: request.id }, holder);
  };
  return {
    find: async (request) => (await findValid(request))?.caller,
    authenticate: async (request) => {
      const holder = await findValid(request);
      if (holder === undefined) {
        noteRefusal(request, await holderOf(request));
        throw unauthenticated();
      }
      const caller = registry.use(holder, request.id, epochSeconds(deps.clock));
      refuseOtherUser(request, caller);
      refuseCrossSite(request);
      return caller;
    },
    forget: () => registry.forget(),
    close: registry.close,
  };
}

/**
 * Throws 401 if the request is meant for another user. All windows of a browser share the cookie, so another user can
 * sign in while a window still shows the pages of the previous one.
 */
function refuseOtherUser({ headers }: FastifyRequest, { person }: Caller): void {
  const wanted = headers[MEANT_FOR.toLowerCase()];
  if (wanted === undefined || wanted === person.id) return;
  throw unauthenticated("Another user has signed in in this browser");
}

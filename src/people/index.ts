/** Users: passwords, second factor, sessions, links, roles (docs/people.md). */

import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Caller, Quotas, Refusals } from "../access/index.ts";
import type { Db } from "../platform/database/index.ts";
import type { Mailer } from "../platform/outgoing/index.ts";
import type { Operation } from "../platform/operations/index.ts";
import { accountOperations, secondFactorOperations } from "./account-routes.ts";
import { peopleOperations } from "./admin-routes.ts";
import { sessionOperations } from "./own-routes.ts";
import { createPasswords, type SecondFactorDeps } from "./credentials/index.ts";
import { createSessionRegistry } from "./session-registry.ts";
import type { SessionDeps } from "./sessions.ts";
import { signInOperations } from "./sign-in-routes.ts";

export { peopleSchemas, userIssues } from "./bodies.ts";
export { patchPerson } from "./change-user.ts";
export { firstOwnerLink } from "./first-owner.ts";
export { deleteExpired, linkUrl, type CreatedLink } from "./links.ts";
export { isAsOwner, ROLE_NAMES, ROLES } from "./roles.ts";
export { createPerson, findByEmail, linkPerson, listPeople, type NewPerson } from "./users.ts";
export { PASSWORD_HASH, unknownPasswordHash } from "./credentials/index.ts";

export interface PeopleDeps extends SecondFactorDeps, SessionDeps {
  readonly sql: Db;
  readonly mailer: Mailer;
  readonly refusals: Refusals;
  readonly quotas: Quotas;
  /** The base URL of links. Default: the base URL of the request. */
  readonly publicUrl: string | undefined;
  readonly log: Logger;
}

/** The operations on users, grouped by caller, and the authentication of sessions. */
export interface People {
  /** Operations for administering users, for callers with a token or session. */
  readonly forTenants: readonly Operation<Caller>[];
  /** Operations that need no session: signing in, signing out, and using links. */
  readonly forAnyone: readonly Operation<undefined>[];
  /** Operations that only sessions can call. */
  readonly forSessions: readonly Operation<Caller>[];
  /** Throws 401 without a valid session, and 403 for requests from other sites. */
  readonly authenticate: (request: FastifyRequest) => Promise<Caller>;
  /** Clears the cached sessions. Called when a session was changed. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

export function createPeople(given: PeopleDeps): People {
  const { sql, publicUrl, log } = given;
  const sessions = createSessionRegistry(sql, given);
  const passwords = createPasswords();
  const background = createBackground(log);
  const baseOf = ({ protocol, host }: FastifyRequest) => publicUrl ?? `${protocol}://${host}`;
  const deps = { ...given, sessions, passwords, baseOf, later: background.run };
  return {
    forTenants: peopleOperations(deps),
    forAnyone: signInOperations(deps),
    forSessions: [
      ...sessionOperations(deps),
      ...accountOperations(deps),
      ...secondFactorOperations(deps),
    ],
    authenticate: sessions.authenticate,
    forget: sessions.forget,
    close: async () => {
      await background.done();
      await sessions.close();
    },
  };
}

/** Runs work in the background and logs its errors. */
function createBackground(log: Logger) {
  const running = new Set<Promise<unknown>>();
  return {
    run: (work: () => Promise<unknown>): void => {
      const one = work()
        .catch((error: unknown) =>
          log.warn({ err: error }, "A background task of a request failed"),
        )
        .finally(() => running.delete(one));
      running.add(one);
    },
    done: async (): Promise<void> => void (await Promise.all(running)),
  };
}

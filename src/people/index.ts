/** Users: passwords, second factor, sessions, links, roles (docs/people.md). */

import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Quotas } from "../quotas/index.ts";
import type { Refusals } from "../limits/index.ts";
import type { Db } from "../platform/database/index.ts";
import type { BasicServices, Module } from "../platform/modules/index.ts";
import type { Mailer } from "../platform/outgoing/index.ts";
import { accountOperations, secondFactorOperations } from "./account-routes.ts";
import { peopleOperations } from "./admin-routes.ts";
import { peopleSchemas } from "./bodies.ts";
import { sessionOperations } from "./own-routes.ts";
import { createPasswords, type SecondFactorDeps } from "./credentials/index.ts";
import { deleteExpired } from "./links.ts";
import type { SessionRegistry } from "./session-registry.ts";
import type { SessionDeps } from "./sessions.ts";
import { signInOperations } from "./sign-in-routes.ts";

export { userIssues } from "./bodies.ts";
export { patchPerson } from "./change-user.ts";
export { firstOwnerLink } from "./first-owner.ts";
export { linkUrl, type CreatedLink } from "./links.ts";
export { isAsOwner, ROLE_NAMES, ROLES } from "./roles.ts";
export { createSessionRegistry, type SessionRegistry } from "./session-registry.ts";
export { createPerson, findByEmail, linkPerson, listPeople, type NewPerson } from "./users.ts";

interface PeopleDeps extends SecondFactorDeps, SessionDeps {
  readonly sql: Db;
  readonly sessions: SessionRegistry;
  readonly mailer: Mailer;
  readonly refusals: Refusals;
  readonly quotas: Quotas;
  /** The base URL of links. Default: the base URL of the request. */
  readonly publicUrl: string | undefined;
  readonly log: Logger;
}

function createOperations(services: PeopleDeps) {
  const { publicUrl, log } = services;
  const passwords = createPasswords();
  const background = createBackground(log);
  const baseOf = ({ protocol, host }: FastifyRequest) => publicUrl ?? `${protocol}://${host}`;
  const deps = { ...services, passwords, baseOf, later: background.run };
  return {
    tenants: peopleOperations(deps),
    sessions: [
      ...sessionOperations(deps),
      ...accountOperations(deps),
      ...secondFactorOperations(deps),
    ],
    pages: signInOperations(deps),
    close: background.done,
  };
}

export const peopleModule = {
  name: "people",
  imports: ["audit", "tenants", "limits", "quotas", "access"],
  operations: createOperations,
  works: ({ sql, clock }: BasicServices) => ({
    purge_sessions_and_links: () => deleteExpired(sql, clock),
  }),
  schemas: () => peopleSchemas,
  schemasAfter: "webhooks",
  tags: {
    people: "The users of the tenant.",
    "sign-in": "Sign-in, sessions and second factors of the console and the portal.",
  },
  personal: {
    people: {
      user:
        "name email preferences password_hash totp totp_pending recovery_code_hashes last_used_ts " +
        "wrong_code_ts",
      no: "tenant_id id created_ts role is_suspended totp_step codes_paused_ts codes_paused_until_ts",
    },
    sessions: {
      user: "address user_agent",
      no: "tenant_id id person_id token_hash created_ts last_used_ts idle_s expires_ts",
    },
    sign_in_links: {
      no: "tenant_id id person_id kind token_hash created_ts expires_ts wrong_codes",
    },
  },
  excludedFromExport: {
    sessions: "users sign in again",
    sign_in_links: "links are valid only in the installation that sent them",
  },
} satisfies Module;

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

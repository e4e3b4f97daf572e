/** Operations that signed-in users perform on their sessions. */

import type { Caller } from "../access/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { idIn } from "../platform/ids/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { operation, type Operation } from "../platform/operations/index.ts";
import { integer, objectSchema } from "../platform/schemas/index.ts";
import { endSessions, listSessions, readSession } from "./sessions.ts";
import type { SignInRoutesDeps } from "./sign-in-routes.ts";

export const OWN = {
  tag: "sign-in",
  permission: "own",
  security: "SessionCookie",
  keyless: true,
  noStore: true,
} as const;

export const ENDED = objectSchema({
  ended: integer("The number of sessions that ended."),
});

/** Operations to read, list and end the user's sessions. */
export function sessionOperations(deps: SignInRoutesDeps): readonly Operation<Caller>[] {
  const { sql, clock, sessions } = deps;
  return [
    operation({
      ...OWN,
      method: "GET",
      url: "/auth/session",
      id: "get_session",
      summary: "Get the session",
      description: "Returns the signed-in user, the tenant and the permissions.",
      answer: { $ref: "Session#" },
      run: async ({ caller: { tenant, credential } }) => readSession(sql, tenant.id, credential.id),
    }),
    operation({
      ...OWN,
      method: "GET",
      url: "/auth/sessions",
      id: "list_sessions",
      summary: "List your sessions",
      description: "Lists your active sessions, newest first.",
      answer: { type: "array", items: { $ref: "PersonSession#" } },
      run: async ({ caller }) => listSessions(sql, caller, epochSeconds(clock)),
    }),
    operation({
      ...OWN,
      method: "DELETE",
      url: "/auth/sessions/:session_id",
      id: "end_session",
      summary: "End a session",
      description: "Ends one of your sessions immediately.",
      path: { session_id: { kind: "text", max: 100, description: "The id of the session." } },
      answer: ENDED,
      run: async ({ caller: { tenant, person }, path }) => {
        const only = idIn(path, "session_id");
        const ended = await endSessions({ db: sql, tenantId: tenant.id }, person.id, { only });
        if (ended === 0) throw new AppError("not_found");
        sessions.forget();
        return { ended };
      },
    }),
    operation({
      ...OWN,
      method: "POST",
      url: "/auth/sessions/end_others",
      id: "end_other_sessions",
      summary: "End your other sessions",
      description: "Ends all your sessions except this one.",
      answer: ENDED,
      run: async ({ caller: { tenant, person, credential } }) => {
        const scope = { db: sql, tenantId: tenant.id };
        const ended = await endSessions(scope, person.id, { except: credential.id });
        sessions.forget();
        return { ended };
      },
    }),
  ];
}

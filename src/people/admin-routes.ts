/** Administration of people, under `/crm/admin/people`. */

import { scopeOf, type Caller } from "../access/index.ts";
import { transaction, type Tx } from "../platform/database/index.ts";
import { idIn } from "../platform/clock/index.ts";
import { type Call, operation, type Operation } from "../platform/operations/index.ts";
import { objectSchema, type Parameters } from "../platform/validation/index.ts";
import { BODIES, type LinkedUser } from "./bodies.ts";
import { linkUrl } from "./links.ts";
import { countSentMail } from "./mail-limits.ts";
import { invitationMail, resetMail } from "./mails.ts";
import { endPersonSessions, patchPerson, removePersonSecondFactor } from "./change-user.ts";
import { createPerson, linkPerson, listPeople, type Linked } from "./users.ts";
import type { SignInRoutesDeps } from "./sign-in-routes.ts";

const ALL = { url: "/crm/admin/people", tag: "people", permission: "admin" } as const;
const ONE = {
  ...ALL,
  url: `${ALL.url}/:person_id`,
  path: { person_id: { kind: "text", max: 100, description: "The person's id." } },
} as const;

const PERSON = { $ref: "Person#" } as const;
const PERSON_LINK = { $ref: "PersonLink#" } as const;
const MANY_EMAILS =
  "The user or the business has sent too many emails; Retry-After says how long to wait";
const OWNERS = "An owner is concerned, and the caller does not hold all that an owner does";

export const peopleOperations = (deps: SignInRoutesDeps): readonly Operation<Caller>[] => [
  ...madePeople(deps),
  ...changedPeople(deps),
];

/** The list, new people, and links for those that there are. */
function madePeople(deps: SignInRoutesDeps): readonly Operation<Caller>[] {
  const { sql } = deps;
  return [
    operation({
      ...ALL,
      method: "GET",
      id: "list_people",
      summary: "The tenant's people, oldest first, with those who only own tokens",
      answer: { type: "array", items: PERSON },
      run: async ({ caller }) => listPeople(sql, caller.tenant.id),
    }),
    operation({
      ...ALL,
      method: "POST",
      id: "create_person",
      summary: "Invite a person; the link is shown this once, and mailed where that is set up",
      body: BODIES.user,
      answer: PERSON_LINK,
      secretAnswer: true,
      failures: {
        403: OWNERS,
        409: "Somebody of this tenant has this e-mail (`existing_id`)",
        429: MANY_EMAILS,
      },
      run: async ({ caller, body, request, write }) =>
        handOut(deps, { caller, request, write }, (db) =>
          createPerson(scopeOf(db, caller), deps, caller, body),
        ),
    }),
    operation({
      ...ONE,
      method: "POST",
      url: `${ONE.url}/link`,
      id: "create_person_link",
      summary: "A new invitation, or a link to set another password, shown this once",
      answer: PERSON_LINK,
      secretAnswer: true,
      failures: {
        403: OWNERS,
        409: "This person is suspended, or has no e-mail",
        429: MANY_EMAILS,
      },
      run: async ({ caller, path, request, write }) => {
        const id = idIn(path, "person_id");
        return handOut(deps, { caller, request, write }, (db) =>
          linkPerson(scopeOf(db, caller), deps, caller, id),
        );
      },
    }),
  ];
}

type LinkCall = Pick<Call<Caller, Parameters, Parameters>, "caller" | "request" | "write">;

/**
 * Returns the link and emails it after the commit; `emailed` says whether that worked. Throws 429, and
 * nothing is written, if the user or the business has sent too many emails. If the recipient got too
 * many, the link is returned without an email.
 */
async function handOut(
  { mailer, baseOf, clock }: SignInRoutesDeps,
  { caller, request, write }: LinkCall,
  issue: (db: Tx) => Promise<Linked>,
): Promise<LinkedUser> {
  let mayBeMailed = false;
  const linked = await write((db) =>
    transaction(db, async (tx) => {
      const { person, made } = await issue(tx);
      mayBeMailed =
        mailer.canSend && (await countSentMail(tx, clock, caller, String(person.email)));
      const link = linkUrl(baseOf(request), made);
      return { ...person, link, link_expires_ts: made.expires_ts, emailed: false };
    }),
  );
  if (!mayBeMailed) return linked;
  const { name, email, link, status } = linked;
  const mail = { to: String(email), name, tenantName: caller.tenant.name, link };
  const emailed = await mailer.send(status === "active" ? resetMail(mail) : invitationMail(mail));
  return { ...linked, emailed };
}

/** What is changed of a person, or taken away. */
function changedPeople(deps: SignInRoutesDeps): readonly Operation<Caller>[] {
  const { sql, sessions } = deps;
  return [
    operation({
      ...ONE,
      method: "PATCH",
      id: "update_person",
      summary: "Change a person's name, e-mail or role; suspend them, or let them in again",
      body: BODIES.userUpdate,
      answer: PERSON,
      failures: {
        403: `${OWNERS}; or it is the caller's own role or status`,
        409: "Somebody has this e-mail (`existing_id`), or it is the last owner who can sign in",
      },
      run: async ({ caller, path, body, write }) => {
        const given = { id: idIn(path, "person_id"), patch: body };
        const changed = await write((db) => patchPerson(scopeOf(db, caller), deps, caller, given));
        sessions.forget();
        return changed;
      },
    }),
    operation({
      ...ONE,
      method: "DELETE",
      url: `${ONE.url}/sessions`,
      id: "end_person_sessions",
      summary: "End all sessions of a person at once",
      answer: objectSchema({ ended: { type: "integer" } }),
      failures: { 403: OWNERS },
      run: async ({ caller, path }) => {
        const id = idIn(path, "person_id");
        const ended = await endPersonSessions(scopeOf(sql, caller), deps, caller, id);
        sessions.forget();
        return { ended };
      },
    }),
    operation({
      ...ONE,
      method: "DELETE",
      url: `${ONE.url}/second_factor`,
      id: "remove_person_second_factor",
      summary: "Take away the second factor of a person who has lost it",
      answer: PERSON,
      failures: { 403: OWNERS, 409: "There is no second factor" },
      run: async ({ caller, path }) => {
        const id = idIn(path, "person_id");
        return removePersonSecondFactor(scopeOf(sql, caller), deps, caller, id);
      },
    }),
  ];
}

/** Operations for user administration, under `/crm/admin/people`. */

import { scopeOf, type Caller } from "../access/index.ts";
import { transaction, type Tx } from "../platform/database/index.ts";
import { idIn } from "../platform/ids/index.ts";
import { type Call, operation, type Operation } from "../platform/operations/index.ts";
import type { Parameters } from "../platform/validation/index.ts";
import { BODIES, type LinkedUser } from "./bodies.ts";
import { linkUrl } from "./links.ts";
import { countSentMail } from "./mail-limits.ts";
import { invitationMail, resetMail } from "./mails.ts";
import { endPersonSessions, patchPerson, removePersonSecondFactor } from "./change-user.ts";
import { ENDED } from "./own-routes.ts";
import { createPerson, linkPerson, listPeople, type Linked } from "./users.ts";
import type { SignInRoutesDeps } from "./sign-in-routes.ts";

const ALL = { url: "/crm/admin/people", tag: "people", permission: "admin" } as const;
const ONE = {
  ...ALL,
  url: `${ALL.url}/:person_id`,
  path: { person_id: { kind: "text", max: 100, description: "The id of the user." } },
} as const;

const PERSON = { $ref: "Person#" } as const;
const PERSON_LINK = { $ref: "PersonLink#" } as const;
const MANY_EMAILS =
  "Too many requests, or the user or the tenant has sent too many emails. Retry after `Retry-After` seconds.";
const OWNERS =
  "The credential lacks the required permission, or the user is an owner and you lack an owner's permissions.";

export const peopleOperations = (deps: SignInRoutesDeps): readonly Operation<Caller>[] => [
  ...creationOperations(deps),
  ...changeOperations(deps),
];

/** Operations to list and invite users, and to create links for them. */
function creationOperations(deps: SignInRoutesDeps): readonly Operation<Caller>[] {
  const { sql } = deps;
  return [
    operation({
      ...ALL,
      method: "GET",
      id: "list_people",
      summary: "List users",
      description:
        "Lists the users of the tenant, oldest first, including users that only own tokens.",
      answer: { type: "array", items: PERSON },
      run: async ({ caller }) => listPeople(sql, caller.tenant.id),
    }),
    operation({
      ...ALL,
      method: "POST",
      id: "create_person",
      summary: "Invite a user",
      description:
        "Returns a one-time link to set a password, which is not shown again. It is also emailed if the " +
        "installation sends email.",
      body: BODIES.user,
      answer: PERSON_LINK,
      secretResponse: true,
      failures: {
        403: OWNERS,
        409: "Another user of the tenant has this email (`existing_id`).",
        429: MANY_EMAILS,
      },
      run: async ({ caller, body, request, write }) =>
        sendLink(deps, { caller, request, write }, (db) =>
          createPerson(scopeOf(db, caller), deps, caller, body),
        ),
    }),
    operation({
      ...ONE,
      method: "POST",
      url: `${ONE.url}/link`,
      id: "create_person_link",
      summary: "Create a sign-in link",
      description:
        "Returns a new invitation or, for a user who has a password, a link to set another one. The link is " +
        "not shown again.",
      answer: PERSON_LINK,
      secretResponse: true,
      failures: {
        403: `${OWNERS} You cannot create a link for yourself.`,
        409: "The user is suspended or has no email.",
        429: MANY_EMAILS,
      },
      run: async ({ caller, path, request, write }) => {
        const id = idIn(path, "person_id");
        return sendLink(deps, { caller, request, write }, (db) =>
          linkPerson(scopeOf(db, caller), deps, caller, id),
        );
      },
    }),
  ];
}

type LinkCall = Pick<Call<Caller, Parameters, Parameters>, "caller" | "request" | "write">;

/**
 * Returns the link and emails it after the commit. `emailed` shows whether the email was sent. If the user or the
 * business has sent too many emails, throws 429 and writes nothing. If the recipient has received too many, returns the
 * link without sending an email.
 */
async function sendLink(
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

/** Operations to change users, end their sessions and remove their second factor. */
function changeOperations(deps: SignInRoutesDeps): readonly Operation<Caller>[] {
  const { sql, sessions } = deps;
  return [
    operation({
      ...ONE,
      method: "PATCH",
      id: "update_person",
      summary: "Update a user",
      description:
        "Changes the name, email or role of a user, or suspends or reactivates the user.",
      body: BODIES.userUpdate,
      answer: PERSON,
      failures: {
        403: `${OWNERS} You cannot change your own role or status.`,
        409: "Another user has this email (`existing_id`), or this is the last owner who can sign in.",
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
      summary: "End a user's sessions",
      description: "Ends all of the user's sessions immediately.",
      answer: ENDED,
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
      summary: "Remove a user's second factor",
      description: "For users who have lost their second factor.",
      answer: PERSON,
      failures: {
        403: `${OWNERS} You cannot remove your own second factor with this operation.`,
        409: "The user has no second factor.",
      },
      run: async ({ caller, path }) => {
        const id = idIn(path, "person_id");
        return removePersonSecondFactor(scopeOf(sql, caller), deps, caller, id);
      },
    }),
  ];
}

/** Administration of people, under `/crm/admin/people`. */

import { scopeOf, type Caller } from "../access/index.ts";
import { transaction, type Tx } from "../platform/database/index.ts";
import { idIn } from "../platform/clock/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import type { Call, Operation } from "../platform/operations/index.ts";
import type { Parameters } from "../platform/validation/index.ts";
import { linkUrl } from "./links.ts";
import { countSentMail } from "./mail-limits.ts";
import { invitationMail, resetMail } from "./mails.ts";
import {
  endPersonSessions,
  patchPerson,
  removePersonSecondFactor,
  type PersonPatch,
} from "./change-user.ts";
import { createPerson, linkPerson, listPeople, type Linked, type NewPerson } from "./users.ts";
import type { SignInRoutesDeps } from "./sign-in-routes.ts";

const COMMON = { tag: "people", permission: "admin" } as const;

const PERSON_PATH = {
  person_id: { kind: "text", max: 100, description: "The person's id." },
} as const satisfies Parameters;

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
  const { sql, shape } = deps;
  return [
    {
      ...COMMON,
      method: "GET",
      url: "/crm/admin/people",
      id: "list_people",
      summary: "The tenant's people, oldest first, with those who only own tokens",
      answer: { type: "array", items: PERSON },
      run: async ({ caller }) => listPeople(sql, caller.tenant.id),
    },
    {
      ...COMMON,
      method: "POST",
      url: "/crm/admin/people",
      id: "create_person",
      summary: "Invite a person; the link is shown this once, and mailed where that is set up",
      body: shape("PersonRequest"),
      answer: PERSON_LINK,
      secretAnswer: true,
      failures: {
        403: OWNERS,
        409: "Somebody of this tenant has this e-mail (`existing_id`)",
        429: MANY_EMAILS,
      },
      run: async ({ caller, body, request, write }) =>
        handOut(deps, { caller, request, write }, (db) =>
          createPerson(scopeOf(db, caller), deps, caller, body as unknown as NewPerson),
        ),
    },
    {
      ...COMMON,
      method: "POST",
      url: "/crm/admin/people/:person_id/link",
      id: "create_person_link",
      summary: "A new invitation, or a link to set another password, shown this once",
      path: PERSON_PATH,
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
    },
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
): Promise<JsonObject> {
  const { tenant } = caller;
  let mayBeMailed = false;
  const answer: JsonObject = await write((db) =>
    transaction(db, async (tx) => {
      const { person, made } = await issue(tx);
      mayBeMailed =
        mailer.canSend && (await countSentMail(tx, clock, caller, String(person["email"])));
      const link = linkUrl(baseOf(request), made);
      return { ...person, link, link_expires_ts: made.expires_ts, emailed: false };
    }),
  );
  if (!mayBeMailed) return answer;
  const { name, email, link } = answer as Readonly<Record<string, string>>;
  const mail = {
    to: String(email),
    name: String(name),
    tenantName: tenant.name,
    link: String(link),
  };
  const emailed = await mailer.send(
    answer["status"] === "active" ? resetMail(mail) : invitationMail(mail),
  );
  return { ...answer, emailed };
}

/** What is changed of a person, or taken away. */
function changedPeople(deps: SignInRoutesDeps): readonly Operation<Caller>[] {
  const { sql, sessions, shape } = deps;
  return [
    {
      ...COMMON,
      method: "PATCH",
      url: "/crm/admin/people/:person_id",
      id: "update_person",
      summary: "Change a person's name, e-mail or role; suspend them, or let them in again",
      path: PERSON_PATH,
      body: { ...shape("PersonUpdateRequest"), isEmpty: (body) => Object.keys(body).length === 0 },
      answer: PERSON,
      failures: {
        403: `${OWNERS}; or it is the caller's own role or status`,
        409: "Somebody has this e-mail (`existing_id`), or it is the last owner who can sign in",
      },
      run: async ({ caller, path, body, write }) => {
        const given = { id: idIn(path, "person_id"), patch: body as PersonPatch };
        const changed = await write((db) => patchPerson(scopeOf(db, caller), deps, caller, given));
        sessions.forget();
        return changed;
      },
    },
    {
      ...COMMON,
      method: "DELETE",
      url: "/crm/admin/people/:person_id/sessions",
      id: "end_person_sessions",
      summary: "End all sessions of a person at once",
      path: PERSON_PATH,
      answer: { type: "object", properties: { ended: { type: "integer" } }, required: ["ended"] },
      failures: { 403: OWNERS },
      run: async ({ caller, path }) => {
        const id = idIn(path, "person_id");
        const ended = await endPersonSessions(scopeOf(sql, caller), deps, caller, id);
        sessions.forget();
        return { ended };
      },
    },
    {
      ...COMMON,
      method: "DELETE",
      url: "/crm/admin/people/:person_id/second_factor",
      id: "remove_person_second_factor",
      summary: "Take away the second factor of a person who has lost it",
      path: PERSON_PATH,
      answer: PERSON,
      failures: { 403: OWNERS, 409: "There is no second factor" },
      run: async ({ caller, path }) => {
        const id = idIn(path, "person_id");
        return removePersonSecondFactor(scopeOf(sql, caller), deps, caller, id);
      },
    },
  ];
}

/** Uses a link: sets the password and starts a session. */

import type { FastifyRequest } from "fastify";
import { refuseSuspended } from "../tenants/index.ts";
import { changedFields, logChange } from "../audit/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { assigned, run, transaction, type Tx } from "../platform/database/index.ts";
import { isDuplicate } from "../platform/failed-statements/index.ts";
import { AppError, ValidationError } from "../platform/errors/index.ts";
import { extraForbidden } from "../platform/validation/index.ts";
import type { Body } from "./bodies.ts";
import { endLinks, findLink, takeLink, type FoundLink } from "./links.ts";
import { passwordFaults } from "./credentials/index.ts";
import type { Role } from "./roles.ts";
import { createSession, endSessions } from "./sessions.ts";
import {
  checkSecondFactor,
  missing,
  personActor,
  plainEmail,
  refuseGuessable,
  type Signed,
  type SignInDeps,
} from "./sign-in.ts";

type UsedLink = Body<"linkUse">;

/** A user's name, email and role. */
interface Profile {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/**
 * Sets the password, starts a session, ends the user's other sessions and invalidates their links. Throws:
 * - 404 for an invalid link
 * - 422 for a password that is too easy to guess
 * - 401 if the user has a second factor and the code is missing or wrong, as in a sign-in
 * - 409 if the first owner enters the email of another user of the tenant, or if the second factor has changed in the
 *   meantime
 */
export async function followLink(
  deps: SignInDeps,
  sent: UsedLink,
  request: FastifyRequest,
): Promise<Signed> {
  const { clock, makeId } = deps;
  const link = await findLink(deps.sql, sent.token, epochSeconds(clock));
  const { tenantId, person } = link;
  await refuseSuspended(deps.sql, tenantId);
  const profile = profileOf(link, sent);
  refuseGuessable("password", await passwordFaults(sent.password, profile));
  const { id, name, totp } = person;
  const account = { tenantId, id, name, email: profile.email, totp };
  await checkSecondFactor(deps, account, sent, { linkId: link.id, request });
  const password_hash = await deps.passwords.hash(request, sent.password);
  const work = transaction(deps.sql, async (tx) => {
    const { totp: current, ...before } = await lockUser(tx, link);
    if (current !== totp) {
      throw new AppError("conflict", { detail: "Your second factor has changed in the meantime" });
    }
    // Only the first owner's link sets more than the password.
    const given = link.kind === "first_owner" ? profile : {};
    const after = { ...before, ...given };
    const scope = { db: tx, tenantId, actor: personActor({ id, name: after.name }, request.id) };
    await run(tx)`
      update people set ${assigned({ ...given, password_hash, last_used_ts: epochSeconds(clock) })},
                        wrong_code_ts = '{}', codes_paused_ts = null, codes_paused_until_ts = null
       where tenant_id = ${tenantId} and id = ${id}`;
    // Lock the link after the user's row, as when counting a wrong code, to prevent deadlocks.
    await takeLink(scope, link);
    await endLinks(scope, id);
    await endSessions(scope, id);
    await logChange(scope, makeId, {
      subjectType: "person",
      subjectId: id,
      action: "password_set",
      fields: changedFields({ ...before, password: null }, { ...after, password: "***" }),
    });
    const session = await createSession(scope, deps, id, { request, remember: false });
    return { ...session, tenantId };
  });
  return work.catch((error: unknown) => {
    if (!isDuplicate(error)) throw error;
    throw new AppError("conflict", { detail: "Another user of this tenant has this email" });
  });
}

type Current = Omit<FoundLink["person"], "id">;

/** Locks the link's user. Returns the current values, which may differ from those read with the link. */
async function lockUser(tx: Tx, { tenantId, person }: FoundLink): Promise<Current> {
  const [current] = await run<Current[]>(tx)`
    select name, email, role, totp from people
     where tenant_id = ${tenantId} and id = ${person.id} for no key update`;
  if (current === undefined) throw new AppError("not_found");
  return current;
}

/**
 * Returns the user's name, email and role. Only the first owner enters a name and email. For all other users, an
 * administrator has already entered them.
 */
function profileOf({ kind, person }: FoundLink, sent: UsedLink): Profile {
  const { name, email } = sent;
  if (kind === "first_owner") {
    const issues = (["name", "email"] as const)
      .filter((member) => sent[member] === undefined)
      .map(missing);
    if (name === undefined || email === undefined) throw new ValidationError(issues);
    return { name, email: plainEmail(email), role: "owner" };
  }
  const extra = (["name", "email"] as const).filter((member) => sent[member] !== undefined);
  if (extra.length > 0) {
    throw new ValidationError(
      extra.map((member) => extraForbidden(["body", member], sent[member])),
    );
  }
  const { email: own, role } = person;
  // The user's email or role was removed after the invitation was sent.
  if (own === null || role === null) throw new AppError("not_found");
  return { name: person.name, email: own, role };
}

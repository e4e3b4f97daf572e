/** A link that is used: the password is set, and a session begins. */

import type { FastifyRequest } from "fastify";
import { changedFields, logChange } from "../audit/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { isDuplicate, run, transaction } from "../platform/database/index.ts";
import { AppError, ValidationError } from "../platform/errors/index.ts";
import { extraForbidden } from "../platform/validation/index.ts";
import type { Body } from "./bodies.ts";
import { endLinks, findLink, takeLink, type FoundLink } from "./links.ts";
import { passwordFaults } from "./credentials/index.ts";
import type { Role } from "./roles.ts";
import { beginSession, endSessions } from "./sessions.ts";
import {
  askSecondFactor,
  missing,
  personActor,
  plainEmail,
  refuseGuessable,
  type Signed,
  type SignInDeps,
} from "./sign-in.ts";

type UsedLink = Body<"linkUse">;

/** Who the person is once the link was used. */
interface Settled {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/**
 * Sets the password and begins a session; the person's other sessions and links end. Throws 404 for a
 * link that does not work, 422 for a password that would be guessed, 401 as a sign-in does where the
 * person has a second factor, 409 where somebody of the tenant has the first owner's e-mail.
 */
export async function followLink(
  deps: SignInDeps,
  sent: UsedLink,
  request: FastifyRequest,
): Promise<Signed> {
  const { clock, makeId } = deps;
  const link = await findLink(deps.sql, sent.token, epochSeconds(clock));
  const { tenantId, person } = link;
  const settled = settle(link, sent);
  refuseGuessable("password", await passwordFaults(sent.password, settled));
  const { id, name, totp } = person;
  const account = { tenantId, id, name, email: settled.email, totp };
  await askSecondFactor(deps, account, sent, { linkId: link.id, request });
  const password_hash = await deps.passwords.hash(request, sent.password);
  const work = transaction(deps.sql, async (tx) => {
    const scope = { db: tx, tenantId, actor: personActor({ ...person, ...settled }, request.id) };
    const { name, email, role } = settled;
    await run(tx)`
      update people set name = ${name}, email = ${email}, role = ${role},
                        password_hash = ${password_hash}, last_used_ts = ${epochSeconds(clock)},
                        wrong_code_ts = '{}', codes_paused_ts = null, codes_paused_until_ts = null
       where tenant_id = ${tenantId} and id = ${person.id}`;
    // After the row of the person, as where a wrong code is counted: else the two could deadlock.
    await takeLink(scope, link);
    await endLinks(scope, person.id);
    await endSessions(scope, person.id);
    const { email: oldEmail, role: oldRole } = person;
    const before = { name: person.name, email: oldEmail, role: oldRole, password: null };
    await logChange(scope, makeId, {
      subjectType: "person",
      subjectId: person.id,
      action: "password_set",
      fields: changedFields(before, { name, email, role, password: "***" }),
    });
    const session = await beginSession(scope, deps, person.id, { request, remember: false });
    return { ...session, tenantId };
  });
  return work.catch((error: unknown) => {
    if (!isDuplicate(error)) throw error;
    throw new AppError("conflict", { detail: "Somebody of this tenant has this e-mail" });
  });
}

/** Only the first owner says who they are; of everybody else an administrator has said it. */
function settle({ kind, person }: FoundLink, sent: UsedLink): Settled {
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
  // An invitation of somebody whose e-mail or role was taken away meanwhile.
  if (own === null || role === null) throw new AppError("not_found");
  return { name: person.name, email: own, role };
}

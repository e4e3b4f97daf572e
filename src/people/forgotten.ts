/** Emails links for forgotten passwords, without revealing whether the address is known. */

import type { FastifyRequest } from "fastify";
import { isSuspended } from "../tenants/index.ts";
import { countAttempt, type AttemptLimit } from "../limits/index.ts";
import type { TenantId } from "../audit/index.ts";
import { type Db, run, transaction } from "../platform/database/index.ts";
import type { Mailer } from "../platform/outgoing/index.ts";
import { linkUrl, createLink } from "./links.ts";
import { mayMail } from "./mail-limits.ts";
import { resetMail } from "./mails.ts";
import type { SessionDeps } from "./sessions.ts";
import { personActor, plainEmail } from "./sign-in.ts";
import { lockPerson } from "./users.ts";

/** Dependencies for emailing links. */
export interface LinkDeps extends SessionDeps {
  readonly sql: Db;
  readonly mailer: Mailer;
  /** Returns the base URL of links, from the settings or from the URL of the request. */
  readonly baseOf: (request: FastifyRequest) => string;
  /** Runs work in the background. The service completes it before it exits. */
  readonly later: (work: () => Promise<unknown>) => void;
}

const HOUR_s = 3600;

/** Limits on requests for emails from one IP address: per email address, and in total. */
const limitsOf = (email: string): readonly AttemptLimit[] => [
  { target: `forgotten ${email}`, most: 3, within_s: HOUR_s },
  { target: "forgotten", most: 20, within_s: HOUR_s },
];

/**
 * Emails a link for each tenant that has a user with this address. The emails are sent after the response, which is the
 * same for unknown addresses. Throws 429 if there are too many requests.
 */
export async function mailReset(
  deps: LinkDeps,
  given: string,
  request: FastifyRequest,
): Promise<{ readonly sent: boolean }> {
  const email = plainEmail(given);
  await countAttempt(deps.sql, deps.clock, limitsOf(email), request.ip);
  const { canSend } = deps.mailer;
  if (canSend) deps.later(() => mailTo(deps, email, request));
  return { sent: canSend };
}

/** A user of one tenant who has the email address. */
interface Addressee {
  readonly tenant_id: TenantId;
  readonly tenant_name: string;
  readonly tenant_handle: string;
  readonly id: string;
  readonly name: string;
}

async function mailTo(deps: LinkDeps, email: string, request: FastifyRequest): Promise<void> {
  const people = await run<Addressee[]>(deps.sql)`
    select p.tenant_id, n.name as tenant_name, n.handle as tenant_handle, p.id, p.name
      from people p join tenants n on n.id = p.tenant_id
     where p.email = ${email} and not p.is_suspended and not n.is_suspended
     order by p.tenant_id`;
  // A request counts once, regardless of how many tenants have a user with this address. Reaching the limit is not an
  // error, because an error would reveal that the address is known.
  if (people.length === 0 || !(await mayMail(deps.sql, deps.clock, email))) return;
  for (const person of people) {
    const { tenant_id: tenantId, tenant_name, tenant_handle, id, name } = person;
    // If the address belongs to several tenants, several emails arrive together, and the tenants may have the same
    // name.
    const tenantName = people.length > 1 ? `${tenant_name} (${tenant_handle})` : tenant_name;
    const actor = personActor(person, request.id);
    const made = await transaction(deps.sql, async (db) => {
      const scope = { db, tenantId, actor };
      const current = await lockPerson(scope, id);
      // The address belongs to another user now, or the user or the tenant was suspended.
      if (current.email !== email || current.is_suspended) return undefined;
      if (await isSuspended(db, tenantId)) return undefined;
      return createLink(scope, deps, id, "reset");
    });
    if (made === undefined) continue;
    const link = linkUrl(deps.baseOf(request), made);
    await deps.mailer.send(resetMail({ to: email, name, tenantName, link }));
  }
}

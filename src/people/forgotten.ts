/** A forgotten password: a link by mail, and no word on whether there was anybody to send it to. */

import type { FastifyRequest } from "fastify";
import { countAttempt, type AttemptLimit } from "../access/index.ts";
import type { TenantId } from "../audit/index.ts";
import { transaction, type Db } from "../platform/database/index.ts";
import type { Mailer } from "../platform/outgoing/index.ts";
import { linkUrl, makeLink } from "./links.ts";
import { mayMail } from "./mail-limits.ts";
import { resetMail } from "./mails.ts";
import type { SessionDeps } from "./sessions.ts";
import { personActor, plainEmail } from "./sign-in.ts";

/** Whom links are mailed to, and where they lead. */
export interface LinkDeps extends SessionDeps {
  readonly sql: Db;
  readonly mailer: Mailer;
  /** What links begin with: a setting, or the address at which a request came. */
  readonly baseOf: (request: FastifyRequest) => string;
  /** Runs what nobody waits for; the service does before it ends. */
  readonly later: (work: () => Promise<unknown>) => void;
}

const HOUR_s = 3600;

/** How often a mail may be asked for from one address: for one person, and at all. */
const limitsOf = (email: string): readonly AttemptLimit[] => [
  { target: `forgotten ${email}`, most: 3, within_s: HOUR_s },
  { target: "forgotten", most: 20, within_s: HOUR_s },
];

/**
 * Mails a link for each tenant in which the e-mail is known, after the answer, which is the same for
 * those that are not. Throws 429 where it is asked for too often.
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

/** A person of one tenant with that e-mail. */
interface Addressee {
  readonly tenant_id: TenantId;
  readonly tenant_name: string;
  readonly tenant_handle: string;
  readonly id: string;
  readonly name: string;
}

async function mailTo(deps: LinkDeps, email: string, request: FastifyRequest): Promise<void> {
  const people = await deps.sql<Addressee[]>`
    select p.tenant_id, n.name as tenant_name, n.handle as tenant_handle, p.id, p.name
      from people p join tenants n on n.id = p.tenant_id
     where p.email = ${email} and not p.is_suspended
     order by p.tenant_id`;
  // One request counts one, whatever the number of tenants. Silent, so that it tells nothing.
  if (people.length === 0 || !(await mayMail(deps.sql, deps.clock, email))) return;
  for (const person of people) {
    const { tenant_id: tenantId, tenant_name, tenant_handle, id, name } = person;
    // Several mails arrive at once, and the tenants may have the same name.
    const tenantName = people.length > 1 ? `${tenant_name} (${tenant_handle})` : tenant_name;
    const actor = personActor(person, request.id);
    const made = await transaction(deps.sql, (db) =>
      makeLink({ db, tenantId, actor }, deps, id, "reset"),
    );
    const link = linkUrl(deps.baseOf(request), made);
    await deps.mailer.send(resetMail({ to: email, name, tenantName, link }));
  }
}

/**
 * One-time links for setting a password: invitations, password resets, and the first owner's link. Using a link
 * invalidates the user's other links and ends the user's other sessions.
 */

import { drawSecret, hashOf } from "../access/index.ts";
import { changedFields, logChange, type Scope, type TenantId } from "../audit/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { type Db, run, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { LINK_KINDS } from "./bodies.ts";
import type { SessionDeps } from "./sessions.ts";
import type { Role } from "./roles.ts";

const LENGTH = 40;
const HOUR_s = 3600;

export type LinkKind = (typeof LINK_KINDS)[number];

/** How long each kind of link is valid. */
const LIFETIMES_s: Readonly<Record<LinkKind, number>> = {
  invitation: 72 * HOUR_s,
  reset: 24 * HOUR_s,
  first_owner: 24 * HOUR_s,
};

export interface CreatedLink {
  readonly token: string;
  readonly expires_ts: number;
}

/** Returns the URL of a link. Browsers do not send the part after the `#`, so it never appears in server logs. */
export const linkUrl = (base: string, { token }: CreatedLink): string => `${base}/link#${token}`;

/** Creates a link for a user, and adds an audit entry. */
export async function createLink(
  scope: Scope<Tx>,
  { clock, makeId }: SessionDeps,
  personId: string,
  kind: LinkKind,
): Promise<CreatedLink> {
  const { db, tenantId } = scope;
  const now_s = epochSeconds(clock);
  const made = { token: drawSecret(LENGTH), expires_ts: now_s + LIFETIMES_s[kind] };
  await run(db)`
    insert into sign_in_links (tenant_id, id, person_id, kind, token_hash, created_ts, expires_ts)
    values (${tenantId}, ${makeId()}, ${personId}, ${kind}, ${hashOf(made.token)}, ${now_s},
            ${made.expires_ts})`;
  await logChange(scope, makeId, {
    subjectType: "person",
    subjectId: personId,
    action: "link_made",
    fields: changedFields({}, { kind, expires_ts: made.expires_ts }),
  });
  return made;
}

/** A valid link and its user. */
export interface FoundLink {
  readonly tenantId: TenantId;
  readonly tenantName: string;
  readonly id: string;
  readonly kind: LinkKind;
  readonly expires_ts: number;
  readonly person: {
    readonly id: string;
    readonly name: string;
    /** The user's email address. Null for the first owner, who enters it when using the link. */
    readonly email: string | null;
    readonly role: Role | null;
    readonly totp: string | null;
  };
}

interface LinkRow extends Omit<FoundLink, "person">, Omit<FoundLink["person"], "id"> {
  readonly person_id: string;
}

/** Finds a link by its token. Throws 404 for unknown, used and expired links, without distinguishing them. */
export async function findLink(db: Db, token: string, now_s: number): Promise<FoundLink> {
  const [row] = await run<LinkRow[]>(db)`
    select l.tenant_id as "tenantId", n.name as "tenantName", l.id, l.kind, l.expires_ts,
           p.id as person_id, p.name, p.email, p.role, p.totp
      from sign_in_links l
      join people p on p.tenant_id = l.tenant_id and p.id = l.person_id
      join tenants n on n.id = l.tenant_id
     where l.token_hash = ${hashOf(token)} and l.expires_ts > ${now_s} and not p.is_suspended`;
  if (row === undefined) throw new AppError("not_found");
  const { person_id, name, email, role, totp, ...link } = row;
  return { ...link, person: { id: person_id, name, email, role, totp } };
}

/** Marks a link as used. Throws 404 if it was used in the meantime. */
export async function takeLink(
  { db, tenantId }: Pick<Scope<Tx>, "db" | "tenantId">,
  { id }: FoundLink,
): Promise<void> {
  const { count } = await run(db)`
    delete from sign_in_links where tenant_id = ${tenantId} and id = ${id}`;
  if (count !== 1) throw new AppError("not_found");
}

/** A link becomes invalid after this many wrong second-factor codes. */
const WRONG_CODES_MAX = 10;

/** Counts a wrong second-factor code for a link. If there are too many, invalidates the link. */
export async function countWrongCode(
  scope: Scope<Tx>,
  { makeId }: SessionDeps,
  linkId: string,
  personId: string,
): Promise<void> {
  const { db, tenantId } = scope;
  const [link] = await run(db)`
    update sign_in_links set wrong_codes = wrong_codes + 1
     where tenant_id = ${tenantId} and id = ${linkId} returning kind, wrong_codes`;
  if (link === undefined || link["wrong_codes"] < WRONG_CODES_MAX) return;
  const { kind, wrong_codes } = link;
  await run(db)`delete from sign_in_links where tenant_id = ${tenantId} and id = ${linkId}`;
  await logChange(scope, makeId, {
    subjectType: "person",
    subjectId: personId,
    action: "link_ended",
    fields: changedFields({}, { kind, wrong_codes }),
  });
}

/** Invalidates a user's links. */
export async function endLinks(
  { db, tenantId }: Pick<Scope, "db" | "tenantId">,
  personId: string,
): Promise<void> {
  await run(db)`
    delete from sign_in_links where tenant_id = ${tenantId} and person_id = ${personId}`;
}

/**
 * Deletes expired links, and sessions that have reached their maximum lifetime. Idle sessions are already invalid, so
 * they need not be deleted earlier. Returns whether anything was deleted.
 */
export async function deleteExpired(db: Db, clock: SessionDeps["clock"]): Promise<boolean> {
  const now_s = epochSeconds(clock);
  const links = await run(db)`delete from sign_in_links where expires_ts <= ${now_s}`;
  const sessions = await run(db)`
    delete from sessions where expires_ts <= ${now_s}`;
  return links.count + sessions.count > 0;
}

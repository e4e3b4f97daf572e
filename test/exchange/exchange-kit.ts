/** Helpers for exchange tests: partners that push leads, and decisions by reviewers. */

import assert from "node:assert/strict";
import { SERVICE, type Scope, type TenantId } from "../../src/audit/index.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import type { Db } from "../../src/platform/database/tx.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { ok, type Body } from "../api/samples.ts";
import type { Answer, Client } from "../kit/api.ts";
import { partnerOf as plainPartnerOf, type PartnerClient } from "./partner-kit.ts";
import type { TestSql } from "../kit/sql.ts";

export const REVIEW = "/crm/admin/pushed_leads";
/** An id that does not exist. */
export const NOBODY = "0".repeat(24);

/** A partner that pushes leads with its own token. */
export interface TestPartner extends PartnerClient {
  /** Pushes a lead for a new person, unless the fields identify a person. Returns the response body. */
  readonly push: (fields?: Body) => Promise<PushedBody>;
}

export type PushedBody = Body & { readonly id: string; readonly status: string };

let persons = 0;

/** Returns the body of a push for a person that has not been pushed before. */
export const somebody = (fields: Body = {}): Body => ({
  name: "Ada Example",
  email: `person${++persons}@example.com`,
  ...fields,
});

export const PUSH = "/crm/partner/push";

/** Creates a partner in the client's tenant that may push leads and use the sources Referral and Google. */
export async function partnerOf(client: Client, settings: Body = {}): Promise<TestPartner> {
  const sources = { allowed_marketing_sources: ["Referral", "Google"] };
  const partner = await plainPartnerOf(client, { ...sources, ...settings });
  const push = async (fields: Body = {}) => ok(await partner.post(PUSH, somebody(fields))).body;
  return { ...partner, push };
}

/** The request body for each decision. */
export const DECISIONS = { accept: {}, reject: { reason: "No budget" }, import: {} } as const;
export type DecisionWord = keyof typeof DECISIONS;

export const decide = (client: Client, id: string, word: DecisionWord): Promise<Answer> =>
  client.post(`${REVIEW}/${id}/${word}`, DECISIONS[word]);

/** Accepts and imports a pushed lead. Returns the resulting CRM lead. */
export async function importPushed(client: Client, id: string): Promise<Body> {
  ok(await decide(client, id, "accept"));
  const { imported_lead_id } = ok(await decide(client, id, "import")).body;
  return ok(await client.get(`/crm/leads/${imported_lead_id}`)).body;
}

/** Returns the pushed lead as a reviewer sees it. */
export const reviewed = async (client: Client, id: string): Promise<PushedBody> =>
  ok(await client.get(`${REVIEW}/${id}`)).body;

/** Returns a scope for a client's tenant on the test's own connection, with the service as the actor. */
export const scopeOn = (sql: TestSql, { tenantId }: Client): Scope<Db> => ({
  db: sql,
  tenantId: tenantId as TenantId,
  actor: SERVICE,
});

export const makeId = idSource(systemClock());

/** Returns the number of a pushed lead's history entries: one for the push and one for each later transition. */
export async function movesLogged(sql: TestSql, id: string): Promise<number> {
  const [row] = await sql`
    select count(*)::integer as count from changes
     where subject_type = 'pushed_lead' and subject_id = ${id}`;
  return row?.["count"] as number;
}

/** Asserts that a response has this status and an error message. Returns its body. */
export function refused(answer: Answer, status: number): Body {
  assert.equal(answer.status, status, answer.text);
  assert.equal(typeof answer.body.detail, "string", answer.text);
  assert.notEqual(answer.body.detail, "");
  return answer.body;
}

/** Asserts that a response has status 422. Returns its errors, each as `body.reason missing`. */
export function faultsOf(answer: Answer): readonly string[] {
  assert.equal(answer.status, 422, answer.text);
  const faults = answer.body.detail as { loc: readonly unknown[]; type: string }[];
  return faults.map(({ loc, type }) => `${loc.join(".")} ${type}`);
}

/** Returns the path of the next page from the Link header, or undefined on the last page. */
export const nextOf = ({ headers }: Answer): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];

/** Actions of the lead exchange: partners push leads, and reviewers decide on them. */

import sql from "sql-template-tag";
import { SERVICE } from "../../audit/index.ts";
import {
  createPartner,
  findPartner,
  type Partner,
  type PartnerCaller,
  partnerScope,
  patchPartner,
  type SentPartner,
} from "../../exchange/partners/index.ts";
import { decide, type Decision, importIntoRecords } from "../../exchange/review/index.ts";
import { findInRecords } from "../../exchange/lookup/index.ts";
import { moveLead } from "../../exchange/pushed-leads/index.ts";
import { pushLead, pushOf, preparePush } from "../../exchange/push/index.ts";
import { idSource } from "../../platform/ids/index.ts";
import { type Db, transaction, type Tx } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { authorOf, type Backstage, scopeOf, writeDepsOf } from "./backstage.ts";

export type Push = Parameters<typeof pushOf>[1];

/**
 * A planned pushed lead. It has no id if it was rejected because an earlier lead for the same person was still pending
 * or accepted.
 */
export interface Pushed {
  id?: string;
  status?: string;
}

export function exchangeActs(backstage: Backstage) {
  const { clock, makeId } = backstage;
  const partners = new Map<string, Partner>();
  const importLead = importIntoRecords(writeDepsOf(backstage));
  const partnerOf = (key: string): Partner => {
    const partner = partners.get(key);
    if (partner === undefined) throw new Error(`No partner is called ${key} in the demo year`);
    return partner;
  };
  /** Decides on a lead if it has the required status. Returns the changed lead. */
  const decideOn = async (pushed: Pushed, decision: Decision, by: string) => {
    const needed = decision.action === "import" ? "accepted" : "pending";
    if (pushed.id === undefined || pushed.status !== needed) return undefined;
    const deps = { clock, makeId, importLead };
    const reviewer = { scope: scopeOf(backstage, by), deps, author: authorOf(backstage, by) };
    const { lead } = await decide(reviewer, pushed.id, decision);
    pushed.status = lead.status;
    return lead;
  };
  return {
    ...pushActs(backstage, partnerOf),
    partnerId: (key: string): string => partnerOf(key).id,
    addPartner: async (key: string, settings: SentPartner): Promise<void> => {
      const scope = scopeOf(backstage, "owner");
      const { id } = await createPartner(scope, backstage, settings);
      const made = await findPartner(scope, id);
      if (made !== undefined) partners.set(key, made);
    },
    suspend: async (key: string): Promise<void> => {
      const sent = { status: "suspended" } as const;
      const scope = scopeOf(backstage, "owner");
      partners.set(key, await patchPartner(scope, backstage, partnerOf(key).id, sent));
    },
    accept: (pushed: Pushed, by: string) => decideOn(pushed, { action: "accept" }, by),
    reject: (pushed: Pushed, reason: string, by: string) =>
      decideOn(pushed, { action: "reject", reason }, by),
    /** Imports an accepted lead. Returns the id of the new lead. */
    import: async (pushed: Pushed, by: string): Promise<string | undefined> =>
      (await decideOn(pushed, { action: "import" }, by))?.imported_lead_id ?? undefined,
  };
}

/** The actions of partners. */
function pushActs(backstage: Backstage, partnerOf: (key: string) => Partner) {
  const { db, clock, tenant, makeId } = backstage;
  const pushing = {
    clock,
    makeId,
    findPerson: findInRecords,
    usesOwnSystem: async () => false,
    isBlockedSql: () => sql`select false as is_blocked`,
  };
  const pushOn = async (on: Db | Tx, key: string, body: Push): Promise<Pushed> => {
    const caller: PartnerCaller = {
      tenant,
      partner: partnerOf(key),
      requestId: "demo",
      versions: { partner: "0", tenant: "0" },
      isCached: false,
    };
    const push = pushOf(caller.partner, body);
    const sought = await preparePush(partnerScope(db, caller), pushing, caller, push);
    const scope = partnerScope(on, caller);
    const actor = { ...scope.actor, requestId: null };
    return pushLead({ ...scope, actor }, pushing, caller, sought);
  };
  return {
    /** Pushes a lead, unless an earlier lead for the same person is still pending or accepted. */
    push: async (key: string, body: Push, pushed: Pushed): Promise<void> => {
      const made = await unlessOpen(() => pushOn(db, key, body));
      if (made === undefined) return;
      const { id, status } = made;
      Object.assign(pushed, { id, status });
    },
    /**
     * Pushes a lead that expires without a decision. Uses a single transaction, so that the worker of a running service
     * does not expire the lead.
     */
    pushInVain: async (key: string, body: Push, expires_s: number): Promise<void> => {
      await unlessOpen(() =>
        transaction(db, async (tx) => {
          const { id = "" } = await pushOn(tx, key, body);
          await clock.set(expires_s, tx);
          const scope = { db: tx, tenantId: tenant.id, actor: SERVICE };
          // A separate id generator creates the id, because the shared one must not advance to this later time.
          const expired = { id, now_s: expires_s };
          await moveLead(scope, idSource(clock), expired, { event: "expire" });
        }),
      );
    },
  };
}

/** Returns undefined if an earlier lead for the same person is still pending or accepted. */
async function unlessOpen<T>(push: () => Promise<T>): Promise<T | undefined> {
  try {
    return await push();
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") return undefined;
    throw error;
  }
}

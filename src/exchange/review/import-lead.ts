/** Imports an accepted lead, either into the CRM or into the system that the tenant configured. */

import type { Scope } from "../../audit/index.ts";
import type { Tx } from "../../platform/database/index.ts";
import { createDraft, idOf } from "../../records/write/index.ts";
import { draftOf } from "../../records/body/index.ts";
import { keyedPhoneEntry } from "../../records/contact-details/index.ts";
import type { Author, WriteDeps } from "../../records/store/index.ts";
import { type RecordType, typeOf } from "../../records/types/index.ts";
import type { NewAttribution } from "../commission/index.ts";
import { moveLead, type PushedLead } from "../pushed-leads/index.ts";

/** Imports a locked, accepted lead in the same transaction as the decision. */
export type ImportLead = (
  scope: Scope<Tx>,
  author: Author,
  lead: PushedLead,
  now_s: number,
) => Promise<Imported>;

export interface Imported {
  /** The queued delivery, if the lead is sent to another system. */
  readonly queued: Queued | undefined;
  /** The attribution of the person. The caller stores it at the end of the transaction (`attribute`). */
  readonly attribution: NewAttribution | undefined;
}

export interface Queued {
  readonly delivery_id: string;
  /** The maximum duration of the delivery's first attempt. */
  readonly timeout_s: number;
}

/** Returns the draft of a CRM lead with the pushed lead's values. */
const draftFrom = (type: RecordType, lead: PushedLead, { country }: Author) => {
  const input = {
    name: lead.name,
    email: lead.email,
    phone: lead.phone,
    source: lead.source,
    comments: lead.comments,
    business_need_description: lead.description,
    match_preferences_dict: lead.match_preferences,
    partner_id: lead.partner_id,
    pushed_lead_id: lead.id,
  };
  const draft = draftOf(type, input, country);
  if (lead.phone === null || lead.phone_key === null) return draft;
  const phone_list = [{ ...keyedPhoneEntry(lead.phone, lead.phone_key, country) }];
  return { ...draft, values: { ...draft.values, phone_list } };
};

/** Creates the CRM lead and marks the pushed lead as imported. */
export const importIntoRecords =
  (deps: WriteDeps): ImportLead =>
  async (scope, author, lead, now_s) => {
    const type = typeOf(scope, "lead");
    const draft = { draft: draftFrom(type, lead, author), ssn: undefined };
    const writer = { scope, deps, author, type };
    const imported_lead_id = idOf(await createDraft(writer, draft));
    const { id, partner_id } = lead;
    await moveLead(scope, deps.makeId, { id, now_s }, { event: "import", imported_lead_id });
    const keys = { email: lead.email_key, phone: lead.phone_key };
    const attribution = { keys, partner_id, pushed_lead_id: id, lead_id: imported_lead_id };
    return { queued: undefined, attribution };
  };

/** Example values for reports about people, and for erasures. */

import type { Json } from "../../platform/json/index.ts";
import { IDS } from "./ids.ts";

const RECIPIENTS = [
  {
    kind: "sent_lead",
    partner_id: IDS.partner,
    partner_name: "Harbour Referrals",
    webhook_id: null,
    url: null,
    requests: null,
  },
] as const;

export const PRIVACY: Readonly<Record<string, Json>> = {
  "PersonErasure.id": IDS.erasure,
  "PersonErasure.report_id": IDS.report,
  "PersonErasure.state": "done",
  "PersonErasure.records": [{ type: "lead", id: IDS.lead, effect: "erase" }],
  "PersonErasure.counts": { leads: 1, changes: 4, delivery_attempts: 2 },
  "PersonErasure.recipients": RECIPIENTS,
  "PersonErasure.legal_holds": [],
  "PersonReport.report_id": IDS.report,
  "PersonReport.searched": { email: "ines.falk@example.com", phone: null },
  "PersonReport.records": [
    {
      type: "lead",
      id: IDS.lead,
      name: "Ines Falk",
      version: 2,
      matched: ["email"],
      effect: "erase",
      merged_into: null,
    },
  ],
  "PersonReport.mentions": [
    {
      type: "account",
      id: IDS.account,
      name: "Lind & Sons",
      fields: ["description"],
      kinds: ["name"],
      in_history: false,
    },
  ],
  "PersonReport.recipients": RECIPIENTS,
  "PersonReport.legal_holds": [],
  "PersonReport.counts": { records: 1, history: 4 },
  "PersonReport.is_complete": true,
  "PersonReport.data": {
    records: [{ type: "lead", record: { _id: IDS.lead, name: "Ines Falk" } }],
    pushed_leads: [],
    merged_copies: [],
    history: [],
    deliveries: [],
    rejected_rows: [],
    stored_responses: [],
    attributions: [],
  },
  "PrivacySettings.history_days": 730,
};

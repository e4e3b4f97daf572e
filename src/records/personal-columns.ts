/** Declares which columns of the records' tables contain personal data. */

import type { PersonalColumns } from "../platform/modules/index.ts";

const STAMPS = "created_ts updated_ts status_update_date version";

export const RECORD_COLUMNS: PersonalColumns = {
  leads: {
    yes: "body internal external_id name employer_name profession title tags email_list phone_list",
    no: `tenant_id id lead_status lead_source contact_id partner_id ${STAMPS}`,
  },
  contacts: {
    yes: "body internal external_id name employer_name profession title tags email_list phone_list",
    no: `tenant_id id status lead_source account_id source_lead_id partner_id ${STAMPS}`,
  },
  accounts: {
    yes: "body email_list phone_list",
    text: "internal external_id name company_name industry tags",
    no: `tenant_id id status source relationship_type ${STAMPS}`,
  },
  deals: {
    yes: "body",
    text: "internal external_id marketing_source",
    no:
      "tenant_id id stage account_id contact_id partner_id value_of_sale estimated_value_of_sale " +
      `expected_close_date close_date ${STAMPS}`,
  },
  invoices: {
    yes: "body",
    text: "internal external_id invoice_num",
    no: `tenant_id id stage invoice_type account_id contact_id total_amount invoice_date ${STAMPS}`,
  },
  orders: {
    yes: "body",
    text: "internal external_id",
    no: `tenant_id id stage order_type account_id contact_id total_amount order_date ${STAMPS}`,
  },
  tasks: {
    yes: "body",
    text: "internal external_id name tags action",
    no: `tenant_id id status subject_type subject userid priority due_date is_completed ${STAMPS}`,
  },
  renames: { no: "id tenant_id referenced_type record_id turn reached_type reached_id" },
  merges: { yes: "kept", no: "tenant_id id type survivor_id merged_ids merged_ts undone_ts" },
  merged_records: {
    yes: "external_id body internal",
    no: "tenant_id type old_id into_id merge_id",
  },
  counters: { no: "tenant_id name value" },
};

/** Sample requests by operation id, except for operations that exist for each record type or whose module has samples. */

import type { Sample } from "../../platform/modules/index.ts";
import { IDS } from "./ids.ts";
import { TODAY, USER, YESTERDAY } from "./moments.ts";

const EMPTY = { body: {} } as const satisfies Sample;
const NEWEST = { query: { page_size: 10 } } as const satisfies Sample;
const PENDING = { query: { status: "pending", page_size: 10 } } as const satisfies Sample;
const PASSWORD = "correct horse battery";
const CODE = "123456";
const LINK_TOKEN = "b3Blbi1zZXNhbWUtb3Blbi1zZXNhbWU";
export const ACCESS_CODE = "iyZrCindRGshpaAX7HuCRrvOjFrcI1o4P4oGUh8u";
const ACCESS = {
  partner_id: IDS.partner,
  access_code: ACCESS_CODE,
} as const;
const REPLAY = {
  body: { start_date: `${YESTERDAY}T00:00:00Z`, end_date: `${TODAY}T00:00:00Z` },
} as const satisfies Sample;
const IMPORT_WEBHOOK = {
  body: {
    enabled: true,
    url: "https://hooks.example.com/leads",
    headers: { "X-Api-Key": "s3cret" },
    body_template: '{"ref": "{{id}}", "name": {{name}}, "email": {{email}}}',
  },
} as const satisfies Sample;
const DUPLICATE_CHECK = {
  body: {
    enabled: true,
    url: "https://crm.example.com/known",
    body_template: '{"mail": {{email}}, "tel": {{phone}}}',
    exists_pointer: "/hits",
    name_pointer: "/hits/0/name",
    on_error: "own_records",
  },
} as const satisfies Sample;

const ADMINISTRATION: Readonly<Record<string, Sample>> = {
  update_tenant: { body: { name: "Nordlys AS", timezone: "Europe/Oslo", on_duplicate: "return" } },
  create_access_token: {
    body: { name: "Website form", permissions: ["records:read", "records:write"] },
  },
  update_access_token: { body: { rate_limit: 600 } },
  create_person: { body: { name: "Bo Example", email: "bo@example.com", role: "agent" } },
  update_person: { body: { role: "reviewer" } },
  list_audit: { query: { subject_type: "lead", page_size: 10 } },
  get_fields: { query: { type: "deal" } },
  list_changes: { query: { since: "now" } },
  stream_changes: { query: { since: "now" } },
  create_import: { body: { type: "leads", file_name: "leads.csv" } },
  list_imports: NEWEST,
  load_demo: { body: { leads: 500 } },
  send_import_data: {
    body: "Full Name,Email,Phone\nMara Lind,mara.lind@example.com,(212) 555-0110\n",
  },
};

const EXCHANGE: Readonly<Record<string, Sample>> = {
  create_partner: {
    body: {
      name: "Harbour Referrals",
      allowed_marketing_sources: ["Referral", "Linkedin"],
      commission_rate: 7.5,
    },
  },
  list_partners: { query: { status: "active" } },
  update_partner: { body: { commission_rate: 8, auto_accept: true } },
  reissue_access_code: EMPTY,
  list_pushed_leads: PENDING,
  accept_pushed_lead: EMPTY,
  reject_pushed_lead: { body: { reason: "Outside our area" } },
  import_pushed_lead: EMPTY,
  decide_pushed_leads: { body: { action: "accept", ids: [IDS.pushed_lead] } },
  get_analytics: { query: { start_date: "2026-01-01" } },
  put_import_webhook: IMPORT_WEBHOOK,
  preview_import_webhook: IMPORT_WEBHOOK,
  test_import_webhook: EMPTY,
  issue_webhook_secret: EMPTY,
  put_duplicate_check: DUPLICATE_CHECK,
  preview_duplicate_check: DUPLICATE_CHECK,
  test_duplicate_check: EMPTY,
  report_person: { body: { email: "ines.falk@example.com" } },
  erase_person: {
    body: { report_id: IDS.report, record_ids: [IDS.lead, IDS.contact], dry_run: true },
  },
  put_privacy: { body: { history_days: 730, rejected_pushes_days: 90 } },
  list_deliveries: PENDING,
  resend_deliveries: { body: { ids: [IDS.delivery] } },
};

const WEBHOOKS: Readonly<Record<string, Sample>> = {
  create_event_webhook: {
    body: {
      url: "https://hooks.example.com/leadport",
      events: ["lead.created", "lead.status_changed", "deal.*"],
      description: "The data warehouse",
    },
  },
  update_event_webhook: { body: { events: ["lead.*", "deal.*"] } },
  test_event_webhook: EMPTY,
  issue_event_webhook_secret: EMPTY,
  replay_event_webhook: REPLAY,
  list_event_webhook_deliveries: NEWEST,
  create_partner_webhook: {
    body: { url: "https://hooks.example.com/partner", events: ["pushed_lead.*"] },
  },
  update_partner_webhook: { body: { description: "Our CRM" } },
  test_partner_webhook: EMPTY,
  issue_partner_webhook_secret: EMPTY,
  replay_partner_webhook: REPLAY,
  list_partner_webhook_deliveries: NEWEST,
};

const PARTNERS: Readonly<Record<string, Sample>> = {
  create_partner_token: { body: ACCESS },
  partner_sign_in: { body: ACCESS },
  get_portal_business: { body: { tenant_id: IDS.tenant } },
  partner_lookup: { body: { email: "ines.falk@example.com", phone: "(212) 555-0143" } },
  partner_push: {
    body: {
      name: "Ines Falk",
      email: "ines.falk@example.com",
      phone: "(212) 555-0143",
      source: "Referral",
      comments: "Met at the boat show",
      description: "Wants to berth two boats",
      match_preferences: { berths: 2 },
    },
  },
  list_partner_pushed: PENDING,
  list_partner_leads: { query: { match_filter_dict: '{"lead_status":"open"}', page_size: 10 } },
  list_partner_contacts: NEWEST,
  partner_analytics: { query: { start_date: "2026-01-01" } },
};

const SIGN_IN: Readonly<Record<string, Sample>> = {
  sign_in: { body: { email: USER.email, password: PASSWORD } },
  look_at_link: { body: { token: LINK_TOKEN } },
  use_link: { body: { token: LINK_TOKEN, password: PASSWORD } },
  forgot_password: { body: { email: USER.email } },
  change_password: {
    body: { current_password: PASSWORD, new_password: "seven harbours at dawn" },
  },
  update_profile: { body: { name: USER.name } },
  put_preferences: { body: { theme: "dark" } },
  begin_second_factor: { body: { password: PASSWORD } },
  confirm_second_factor: { body: { code: CODE } },
  renew_recovery_codes: { body: { password: PASSWORD } },
  remove_second_factor: { body: { password: PASSWORD, code: CODE } },
};

/** Values that only the reader knows. A sample that contains one cannot be sent until the reader replaces it. */
export const SECRETS = { link: LINK_TOKEN, access_code: ACCESS_CODE, code: CODE } as const;

export const SENT: Readonly<Record<string, Sample>> = {
  ...ADMINISTRATION,
  ...EXCHANGE,
  ...WEBHOOKS,
  ...PARTNERS,
  ...SIGN_IN,
};

/**
 * Lists which columns contain personal data. Every column of every table must be listed. Tests fail if a column is
 * missing from the list, or if an erasure leaves a person's data in a column.
 */

/**
 * - `yes`: data about the people in records, pushed leads and imported files. An erasure removes it.
 * - `derived`: keys, digests and counts that are computed from such data.
 * - `text`: written by users. It may mention a person, so it is searched, and matches are listed for review.
 * - `user`: data about users and partners, which administrators change and remove.
 * - `no`: none of these.
 */
export type Personal = "yes" | "derived" | "text" | "user" | "no";

/** A table's columns, grouped by what they contain. Names are separated by spaces. */
type Declared = Readonly<Partial<Record<Personal, string>>>;

const STAMPS = "created_ts updated_ts status_update_date version";
const ACTOR = "actor_kind actor_id actor_name";

export const REGISTRY: Readonly<Record<string, Declared>> = {
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
  changes: {
    yes: "fields",
    user: ACTOR,
    no: "tenant_id id at subject_type subject_id action version request_id seq",
  },
  merges: { yes: "kept", no: "tenant_id id type survivor_id merged_ids merged_ts undone_ts" },
  merged_records: {
    yes: "external_id body internal",
    no: "tenant_id type old_id into_id merge_id",
  },
  pushed_leads: {
    yes: "name email phone match_preferences comments description rejection_reason",
    derived: "email_key phone_key open_by_email open_by_phone",
    no:
      "tenant_id id partner_id source status possible_duplicate submitted_ts expiration_ts imported_lead_id " +
      "erased_ts",
  },
  attributions: { derived: "person_key", no: "tenant_id partner_id pushed_lead_id lead_id" },
  attributed_deals: { no: "tenant_id deal_id partner_id commission_rate" },
  partners: {
    user: "name ip_allow_list",
    no:
      "tenant_id id status auto_accept can_push allowed_marketing_sources permissions commission_rate " +
      "access_code_hash generation created_ts updated_ts rate_limit concurrency_limit",
  },
  deliveries: {
    no:
      "tenant_id id topic subject_id status url attempts tries next_at delivered_ts created_ts updated_ts event " +
      "record_id cleared_until_ms",
  },
  delivery_attempts: {
    yes: "request request_body answer answer_headers",
    no: "tenant_id delivery_id id at status duration_ms fault request_bytes answer_bytes",
  },
  event_webhooks: {
    text: "filter description",
    no:
      "tenant_id id partner_id url events subject_types enabled disabled_reason sealed position created_ts " +
      "updated_ts",
  },
  event_replays: {
    no: "tenant_id webhook_id start_ts end_ts after_id changes events created_ts finished_ts",
  },
  imports: {
    yes: "tally error",
    text: "file_name options file mapping",
    user: "person_id person_name",
    no:
      "tenant_id id record_type dry_run state fingerprint last_line rows created updated unchanged refused lease " +
      "lease_until_ms created_ts updated_ts finished_ts",
  },
  import_rejects: { yes: "reason raw", no: "tenant_id import_id line" },
  idempotency_keys: {
    yes: "key headers body",
    derived: "fingerprint",
    no: "tenant_id credential status is_sealed created_ts",
  },
  person_reports: { derived: "sealed", no: "tenant_id id records created_ts expires_ts" },
  person_erasures: {
    derived: "sealed",
    user: ACTOR,
    no: "tenant_id id report_id records result lease_until_ms created_ts finished_ts",
  },
  blocked_persons: { derived: "digest", no: "tenant_id created_ts" },
  unlogged_revocations: { no: "id tenant_id kind subject_id at" },
  tenants: {
    user: "name",
    no:
      "id handle default_country timezone currency created_ts updated_ts on_duplicate max_records max_bytes is_demo " +
      "suspended_ts delete_after_ts deletion_started_ts is_suspended import_started_ts imported_ts",
  },
  tenant_settings: { text: "value", no: "tenant_id name sealed updated_ts" },
  tenant_usage: { no: "tenant_id records bytes measured_ms duration_ms due_ms" },
  first_tenant: { no: "is_only tenant_id" },
  demo_fills: { no: "tenant_id seed done total created_ts finished_ts" },
  counters: { no: "tenant_id name value" },
  people: {
    user: "name email preferences password_hash totp totp_pending recovery_code_hashes last_used_ts wrong_code_ts",
    no: "tenant_id id created_ts role is_suspended totp_step codes_paused_ts codes_paused_until_ts",
  },
  sessions: {
    user: "address user_agent",
    no: "tenant_id id person_id token_hash created_ts last_used_ts idle_s expires_ts",
  },
  sign_in_links: {
    no: "tenant_id id person_id kind token_hash created_ts expires_ts wrong_codes",
  },
  access_tokens: {
    user: "name ip_allow_list",
    no:
      "tenant_id id token_hash person_id permissions expires_ts created_ts last_used_ts rate_limit " +
      "concurrency_limit",
  },
  wrong_attempts: { user: "address", derived: "target", no: "at" },
  attempts_of_address: { user: "address", derived: "targets", no: "ats last_at" },
  request_counts: { no: "tenant_id credential_id window_s requests" },
  request_outcomes: {
    no: "tenant_id minute_s credential method route status requests slow total_ms slowest_ms last_ts",
  },
  counting_processes: { no: "id seen_at" },
  installation: { no: "key_fingerprint created_ts" },
  restores: { no: "id restored_at restored_to released_at" },
  schema_migrations: { no: "version name md5 run_at" },
};

/** The tables of the job queue (schema pgboss). Jobs contain only ids of tenants and deliveries. */
export const QUEUE_TABLES: readonly string[] = [
  "bam",
  "job",
  "job_common",
  "job_dependency",
  "queue",
  "queue_stats",
  "schedule",
  "subscription",
  "version",
  "warning",
];

/** Returns the kind of data in each column of a table, by column name. */
export const columnsOf = (table: string): ReadonlyMap<string, Personal> =>
  new Map(
    Object.entries(REGISTRY[table] ?? {}).flatMap(([kind, names]) =>
      names.split(" ").map((name) => [name, kind as Personal] as const),
    ),
  );

/** Returns the tables that contain columns of this kind. */
export const tablesWith = (kind: Personal): readonly string[] =>
  Object.keys(REGISTRY).filter((table) => REGISTRY[table]?.[kind] !== undefined);

/**
 * The requirement of each operation, written by hand: a permission, a partner permission, a session, or nothing. A module
 * can also list its operations in a file `permission-table.ts` in the folder of its tests, which exports `PERMISSIONS`.
 */

import { globSync } from "node:fs";
import { join } from "node:path";

type Table = Readonly<Record<string, string>>;

/** `<records>` is the path of every record type. */
const TABLE: Table = {
  "records:read": `
    GET /crm/<records>
    GET /crm/<records>/created
    GET /crm/<records>/status_updated
    GET /crm/<records>/summary
    GET /crm/<records>/{id}
    GET /crm/<records>/{id}/history
    GET /crm/<records>/updated
    GET /crm/<records>/{id}/duplicates
    GET /crm/<records>/{id}/merges
    GET /crm/changes
    GET /crm/changes/stream
    GET /crm/imports
    GET /crm/imports/{import_id}
    GET /crm/imports/{import_id}/rejects
    GET /crm/<records>/export
  `,
  "records:write": `
    POST /crm/<records>
    POST /crm/<records>/batch
    PUT /crm/<records>/by/email/{email}
    PUT /crm/<records>/by/phone/{phone}
    PUT /crm/<records>/by/external_id/{external_id}
    PATCH /crm/<records>/{id}
    DELETE /crm/<records>/{id}
    POST /crm/<records>/{id}/convert
    POST /crm/<records>/{id}/merge
    POST /crm/<records>/{id}/merges/{merge_id}/undo
    POST /crm/imports
    PUT /crm/imports/{import_id}/data
  `,
  admin: `
    GET /crm/admin/tenant
    PATCH /crm/admin/tenant
    GET /crm/admin/tenant/usage
    POST /crm/admin/tenant/exports
    GET /crm/admin/tenant/exports/{export_id}
    GET /crm/admin/access_tokens
    POST /crm/admin/access_tokens
    PATCH /crm/admin/access_tokens/{token_id}
    DELETE /crm/admin/access_tokens/{token_id}
    GET /crm/admin/people
    POST /crm/admin/people
    POST /crm/admin/people/{person_id}/link
    PATCH /crm/admin/people/{person_id}
    DELETE /crm/admin/people/{person_id}/sessions
    DELETE /crm/admin/people/{person_id}/second_factor
    GET /crm/admin/audit
    GET /crm/admin/partners
    POST /crm/admin/partners
    GET /crm/admin/partners/{partner_id}
    PATCH /crm/admin/partners/{partner_id}
    POST /crm/admin/partners/{partner_id}/access_code
    GET /crm/admin/analytics
    GET /crm/admin/import_webhook
    PUT /crm/admin/import_webhook
    POST /crm/admin/import_webhook/secret
    POST /crm/admin/import_webhook/test
    POST /crm/admin/import_webhook/preview
    GET /crm/admin/duplicate_check
    PUT /crm/admin/duplicate_check
    POST /crm/admin/duplicate_check/test
    POST /crm/admin/duplicate_check/preview
    GET /crm/admin/deliveries
    GET /crm/admin/deliveries/{delivery_id}
    POST /crm/admin/deliveries/{delivery_id}/resend
    POST /crm/admin/deliveries/resend
    GET /crm/webhooks
    POST /crm/webhooks
    GET /crm/webhooks/{webhook_id}
    PATCH /crm/webhooks/{webhook_id}
    DELETE /crm/webhooks/{webhook_id}
    POST /crm/webhooks/{webhook_id}/test
    POST /crm/webhooks/{webhook_id}/secret
    POST /crm/webhooks/{webhook_id}/replay
    GET /crm/webhooks/{webhook_id}/deliveries
    GET /crm/webhooks/health
    GET /crm/admin/system
    POST /crm/admin/persons/report
    POST /crm/admin/persons/erase
    GET /crm/admin/persons/erasures
    GET /crm/admin/persons/erasures/{erasure_id}
    GET /crm/admin/privacy
    PUT /crm/admin/privacy
    GET /crm/admin/demo
    POST /crm/admin/demo
    POST /crm/admin/demo/link
    DELETE /crm/admin/demo
  `,
  "exchange:review": `
    GET /crm/admin/pushed_leads
    GET /crm/admin/pushed_leads/stream
    GET /crm/admin/pushed_leads/{pushed_lead_id}
    POST /crm/admin/pushed_leads/{pushed_lead_id}/accept
    POST /crm/admin/pushed_leads/{pushed_lead_id}/reject
    POST /crm/admin/pushed_leads/{pushed_lead_id}/import
    POST /crm/admin/pushed_leads/batch
  `,
  "tenant own": `
    GET /crm/fields
  `,
  "partner own": `
    GET /crm/partner/me
    GET /crm/partner/pushed
    GET /crm/partner/pushed/{pushed_lead_id}
    GET /crm/partner/webhooks
    POST /crm/partner/webhooks
    GET /crm/partner/webhooks/{partner_webhook_id}
    PATCH /crm/partner/webhooks/{partner_webhook_id}
    DELETE /crm/partner/webhooks/{partner_webhook_id}
    POST /crm/partner/webhooks/{partner_webhook_id}/test
    POST /crm/partner/webhooks/{partner_webhook_id}/secret
    POST /crm/partner/webhooks/{partner_webhook_id}/replay
    GET /crm/partner/webhooks/{partner_webhook_id}/deliveries
    GET /crm/partner/webhooks/health
  `,
  "partner lookup": `
    POST /crm/partner/lookup
  `,
  "partner can_push": `
    POST /crm/partner/push
  `,
  "partner read_leads": `
    GET /crm/partner/leads
  `,
  "partner read_contacts": `
    GET /crm/partner/contacts
  `,
  "partner analytics": `
    GET /crm/partner/analytics
  `,
  "partner session": `
    POST /auth/partner/renew
  `,
  anyone: `
    POST /crm/partner/token
    GET /auth/installation
    POST /auth/sign_in
    POST /auth/sign_out
    POST /auth/links/look
    POST /auth/links/use
    POST /auth/forgotten
    POST /auth/partner/sign_in
    POST /auth/partner/sign_out
    POST /auth/partner/business
  `,
  session: `
    GET /auth/session
    GET /auth/sessions
    DELETE /auth/sessions/{session_id}
    POST /auth/sessions/end_others
    POST /auth/password
    PATCH /auth/profile
    GET /auth/preferences
    PUT /auth/preferences
    POST /auth/second_factor
    POST /auth/second_factor/confirm
    POST /auth/second_factor/recovery_codes
    POST /auth/second_factor/remove
  `,
};

/** Returns a line for each operation: its method, path and requirement. */
export async function permissionLines(): Promise<readonly string[]> {
  const tests = join(import.meta.dirname, "..");
  const parts = globSync("*/permission-table.ts", { cwd: tests, exclude: ["api/*"] }).map(
    async (path) =>
      ((await import(join(tests, path))) as { readonly PERMISSIONS: Table }).PERMISSIONS,
  );
  return [TABLE, ...(await Promise.all(parts))].flatMap((table) =>
    Object.entries(table).flatMap(([opener, lines]) =>
      lines
        .trim()
        .split(/\n\s*/)
        .map((line) => `${line} ${opener}`),
    ),
  );
}

/** The operations as methods of resources. Printed by `npm run print`. */

export const CRM_RESOURCES = {
  leads: {
    /** List leads */
    list: ["get", "/crm/leads", "list"],
    /** Create a lead */
    create: ["post", "/crm/leads", "body"],
    /** List recently created leads */
    listCreated: ["get", "/crm/leads/created", "list"],
    /** List leads with a recent status change */
    listStatusUpdated: ["get", "/crm/leads/status_updated", "list"],
    /** Summarize leads */
    summarize: ["get", "/crm/leads/summary", "query"],
    /** Create many leads */
    batch: ["post", "/crm/leads/batch", "body"],
    /** Create or update a lead by email */
    upsertByEmail: ["put", "/crm/leads/by/email/{email}", "body"],
    /** Create or update a lead by phone number */
    upsertByPhone: ["put", "/crm/leads/by/phone/{phone}", "body"],
    /** Create or update a lead by external id */
    upsertByExternalId: ["put", "/crm/leads/by/external_id/{external_id}", "body"],
    /** Update a lead */
    update: ["patch", "/crm/leads/{lead_id}", "body"],
    /** Get a lead */
    get: ["get", "/crm/leads/{lead_id}", "none"],
    /** Get lead history */
    listHistory: ["get", "/crm/leads/{lead_id}/history", "list"],
    /** Convert a lead */
    convert: ["post", "/crm/leads/{lead_id}/convert", "body"],
    /** List possible duplicates of a lead */
    listDuplicates: ["get", "/crm/leads/{lead_id}/duplicates", "none"],
    /** Merge leads */
    merge: ["post", "/crm/leads/{lead_id}/merge", "body"],
    /** List the merges into a lead */
    listMerges: ["get", "/crm/leads/{lead_id}/merges", "list"],
    /** Undo a merge of leads */
    undoMerge: ["post", "/crm/leads/{lead_id}/merges/{merge_id}/undo", "body"],
    /** Export leads */
    export: ["get", "/crm/leads/export", "stream"],
  },
  contacts: {
    /** List contacts */
    list: ["get", "/crm/contacts", "list"],
    /** Create a contact */
    create: ["post", "/crm/contacts", "body"],
    /** List recently created contacts */
    listCreated: ["get", "/crm/contacts/created", "list"],
    /** List contacts with a recent status change */
    listStatusUpdated: ["get", "/crm/contacts/status_updated", "list"],
    /** Summarize contacts */
    summarize: ["get", "/crm/contacts/summary", "query"],
    /** Create many contacts */
    batch: ["post", "/crm/contacts/batch", "body"],
    /** Create or update a contact by email */
    upsertByEmail: ["put", "/crm/contacts/by/email/{email}", "body"],
    /** Create or update a contact by phone number */
    upsertByPhone: ["put", "/crm/contacts/by/phone/{phone}", "body"],
    /** Create or update a contact by external id */
    upsertByExternalId: ["put", "/crm/contacts/by/external_id/{external_id}", "body"],
    /** Update a contact */
    update: ["patch", "/crm/contacts/{contact_id}", "body"],
    /** Get a contact */
    get: ["get", "/crm/contacts/{contact_id}", "none"],
    /** Get contact history */
    listHistory: ["get", "/crm/contacts/{contact_id}/history", "list"],
    /** List possible duplicates of a contact */
    listDuplicates: ["get", "/crm/contacts/{contact_id}/duplicates", "none"],
    /** Merge contacts */
    merge: ["post", "/crm/contacts/{contact_id}/merge", "body"],
    /** List the merges into a contact */
    listMerges: ["get", "/crm/contacts/{contact_id}/merges", "list"],
    /** Undo a merge of contacts */
    undoMerge: ["post", "/crm/contacts/{contact_id}/merges/{merge_id}/undo", "body"],
    /** Export contacts */
    export: ["get", "/crm/contacts/export", "stream"],
  },
  accounts: {
    /** List accounts */
    list: ["get", "/crm/accounts", "list"],
    /** Create an account */
    create: ["post", "/crm/accounts", "body"],
    /** Summarize accounts */
    summarize: ["get", "/crm/accounts/summary", "query"],
    /** Create many accounts */
    batch: ["post", "/crm/accounts/batch", "body"],
    /** Create or update an account by email */
    upsertByEmail: ["put", "/crm/accounts/by/email/{email}", "body"],
    /** Create or update an account by phone number */
    upsertByPhone: ["put", "/crm/accounts/by/phone/{phone}", "body"],
    /** Create or update an account by external id */
    upsertByExternalId: ["put", "/crm/accounts/by/external_id/{external_id}", "body"],
    /** Update an account */
    update: ["patch", "/crm/accounts/{account_id}", "body"],
    /** Get an account */
    get: ["get", "/crm/accounts/{account_id}", "none"],
    /** Get account history */
    listHistory: ["get", "/crm/accounts/{account_id}/history", "list"],
    /** List possible duplicates of an account */
    listDuplicates: ["get", "/crm/accounts/{account_id}/duplicates", "none"],
    /** Merge accounts */
    merge: ["post", "/crm/accounts/{account_id}/merge", "body"],
    /** List the merges into an account */
    listMerges: ["get", "/crm/accounts/{account_id}/merges", "list"],
    /** Undo a merge of accounts */
    undoMerge: ["post", "/crm/accounts/{account_id}/merges/{merge_id}/undo", "body"],
    /** Export accounts */
    export: ["get", "/crm/accounts/export", "stream"],
  },
  deals: {
    /** List deals */
    list: ["get", "/crm/deals", "list"],
    /** List recently created deals */
    listCreated: ["get", "/crm/deals/created", "list"],
    /** List recently updated deals */
    listUpdated: ["get", "/crm/deals/updated", "list"],
    /** Summarize deals */
    summarize: ["get", "/crm/deals/summary", "query"],
    /** Create an opportunity */
    create: ["post", "/crm/opportunities", "body"],
    /** Create many opportunities */
    batch: ["post", "/crm/opportunities/batch", "body"],
    /** Create or update an opportunity by external id */
    upsertByExternalId: ["put", "/crm/opportunities/by/external_id/{external_id}", "body"],
    /** Update an opportunity */
    update: ["patch", "/crm/opportunities/{opportunity_id}", "body"],
    /** Get a deal */
    get: ["get", "/crm/deals/{opportunity_id}", "none"],
    /** Get deal history */
    listHistory: ["get", "/crm/deals/{opportunity_id}/history", "list"],
    /** Export deals */
    export: ["get", "/crm/deals/export", "stream"],
  },
  invoices: {
    /** List invoices */
    list: ["get", "/crm/invoices", "list"],
    /** Create an invoice */
    create: ["post", "/crm/invoices", "body"],
    /** List recently created invoices */
    listCreated: ["get", "/crm/invoices/created", "list"],
    /** List recently updated invoices */
    listUpdated: ["get", "/crm/invoices/updated", "list"],
    /** Summarize invoices */
    summarize: ["get", "/crm/invoices/summary", "query"],
    /** Create many invoices */
    batch: ["post", "/crm/invoices/batch", "body"],
    /** Create or update an invoice by external id */
    upsertByExternalId: ["put", "/crm/invoices/by/external_id/{external_id}", "body"],
    /** Update an invoice */
    update: ["patch", "/crm/invoices/{invoice_id}", "body"],
    /** Get an invoice */
    get: ["get", "/crm/invoices/{invoice_id}", "none"],
    /** Get invoice history */
    listHistory: ["get", "/crm/invoices/{invoice_id}/history", "list"],
    /** Export invoices */
    export: ["get", "/crm/invoices/export", "stream"],
  },
  orders: {
    /** List orders */
    list: ["get", "/crm/orders", "list"],
    /** Create an order */
    create: ["post", "/crm/orders", "body"],
    /** List recently created orders */
    listCreated: ["get", "/crm/orders/created", "list"],
    /** List recently updated orders */
    listUpdated: ["get", "/crm/orders/updated", "list"],
    /** Summarize orders */
    summarize: ["get", "/crm/orders/summary", "query"],
    /** Create many orders */
    batch: ["post", "/crm/orders/batch", "body"],
    /** Create or update an order by external id */
    upsertByExternalId: ["put", "/crm/orders/by/external_id/{external_id}", "body"],
    /** Update an order */
    update: ["patch", "/crm/orders/{order_id}", "body"],
    /** Get an order */
    get: ["get", "/crm/orders/{order_id}", "none"],
    /** Get order history */
    listHistory: ["get", "/crm/orders/{order_id}/history", "list"],
    /** Export orders */
    export: ["get", "/crm/orders/export", "stream"],
  },
  tasks: {
    /** List tasks */
    list: ["get", "/crm/tasks", "list"],
    /** Create a task */
    create: ["post", "/crm/tasks", "body"],
    /** Summarize tasks */
    summarize: ["get", "/crm/tasks/summary", "query"],
    /** Create many tasks */
    batch: ["post", "/crm/tasks/batch", "body"],
    /** Create or update a task by external id */
    upsertByExternalId: ["put", "/crm/tasks/by/external_id/{external_id}", "body"],
    /** Update a task */
    update: ["patch", "/crm/tasks/{task_id}", "body"],
    /** Get a task */
    get: ["get", "/crm/tasks/{task_id}", "none"],
    /** Delete a task */
    delete: ["delete", "/crm/tasks/{task_id}", "none"],
    /** Get task history */
    listHistory: ["get", "/crm/tasks/{task_id}/history", "list"],
    /** Export tasks */
    export: ["get", "/crm/tasks/export", "stream"],
  },
  fields: {
    /** Get record types and fields */
    get: ["get", "/crm/fields", "query"],
  },
  tenant: {
    /** Get the tenant */
    get: ["get", "/crm/admin/tenant", "none"],
    /** Update the tenant */
    update: ["patch", "/crm/admin/tenant", "body"],
    /** Get storage usage */
    getUsage: ["get", "/crm/admin/tenant/usage", "none"],
    /** Prepare a download of everything */
    createExport: ["post", "/crm/admin/tenant/exports", "none"],
    /** Download everything */
    download: ["get", "/crm/admin/tenant/exports/{export_id}", "stream"],
  },
  accessTokens: {
    /** List access tokens */
    list: ["get", "/crm/admin/access_tokens", "none"],
    /** Create an access token */
    create: ["post", "/crm/admin/access_tokens", "body"],
    /** Update an access token */
    update: ["patch", "/crm/admin/access_tokens/{token_id}", "body"],
    /** Revoke an access token */
    revoke: ["delete", "/crm/admin/access_tokens/{token_id}", "none"],
  },
  people: {
    /** List users */
    list: ["get", "/crm/admin/people", "none"],
    /** Invite a user */
    create: ["post", "/crm/admin/people", "body"],
    /** Create a sign-in link */
    createLink: ["post", "/crm/admin/people/{person_id}/link", "none"],
    /** Update a user */
    update: ["patch", "/crm/admin/people/{person_id}", "body"],
    /** End a user's sessions */
    endSessions: ["delete", "/crm/admin/people/{person_id}/sessions", "none"],
    /** Remove a user's second factor */
    removeSecondFactor: ["delete", "/crm/admin/people/{person_id}/second_factor", "none"],
  },
  audit: {
    /** List audit entries */
    list: ["get", "/crm/admin/audit", "list"],
  },
  imports: {
    /** Create an import */
    create: ["post", "/crm/imports", "body"],
    /** List imports */
    list: ["get", "/crm/imports", "list"],
    /** Get an import */
    get: ["get", "/crm/imports/{import_id}", "none"],
    /** Upload an import file */
    sendData: ["put", "/crm/imports/{import_id}/data", "body"],
    /** Download rejected rows */
    getRejects: ["get", "/crm/imports/{import_id}/rejects", "stream"],
  },
  partners: {
    /** List partners */
    list: ["get", "/crm/admin/partners", "list"],
    /** Create a partner */
    create: ["post", "/crm/admin/partners", "body"],
    /** Get a partner */
    get: ["get", "/crm/admin/partners/{partner_id}", "none"],
    /** Update a partner */
    update: ["patch", "/crm/admin/partners/{partner_id}", "body"],
    /** Create an access code */
    reissueAccessCode: ["post", "/crm/admin/partners/{partner_id}/access_code", "body"],
  },
  pushedLeads: {
    /** List pushed leads */
    list: ["get", "/crm/admin/pushed_leads", "list"],
    /** Get a pushed lead */
    get: ["get", "/crm/admin/pushed_leads/{pushed_lead_id}", "none"],
    /** Accept a pushed lead */
    accept: ["post", "/crm/admin/pushed_leads/{pushed_lead_id}/accept", "body"],
    /** Reject a pushed lead */
    reject: ["post", "/crm/admin/pushed_leads/{pushed_lead_id}/reject", "body"],
    /** Import a pushed lead */
    import: ["post", "/crm/admin/pushed_leads/{pushed_lead_id}/import", "body"],
    /** Decide on many pushed leads */
    batch: ["post", "/crm/admin/pushed_leads/batch", "body"],
  },
  analytics: {
    /** Get partner analytics */
    get: ["get", "/crm/admin/analytics", "query"],
  },
  importWebhook: {
    /** Get the import webhook */
    get: ["get", "/crm/admin/import_webhook", "none"],
    /** Set the import webhook */
    set: ["put", "/crm/admin/import_webhook", "body"],
    /** Test the import webhook */
    test: ["post", "/crm/admin/import_webhook/test", "body"],
    /** Preview the import webhook */
    preview: ["post", "/crm/admin/import_webhook/preview", "body"],
    /** Create a signing secret */
    issueSecret: ["post", "/crm/admin/import_webhook/secret", "body"],
  },
  duplicateCheck: {
    /** Get the duplicate check */
    get: ["get", "/crm/admin/duplicate_check", "none"],
    /** Set the duplicate check */
    set: ["put", "/crm/admin/duplicate_check", "body"],
    /** Test the duplicate check */
    test: ["post", "/crm/admin/duplicate_check/test", "body"],
    /** Preview the duplicate check */
    preview: ["post", "/crm/admin/duplicate_check/preview", "body"],
  },
  deliveries: {
    /** List deliveries */
    list: ["get", "/crm/admin/deliveries", "list"],
    /** Get a delivery */
    get: ["get", "/crm/admin/deliveries/{delivery_id}", "none"],
    /** Resend a delivery */
    resend: ["post", "/crm/admin/deliveries/{delivery_id}/resend", "none"],
    /** Resend many deliveries */
    resendMany: ["post", "/crm/admin/deliveries/resend", "body"],
  },
  webhooks: {
    /** List webhooks */
    list: ["get", "/crm/webhooks", "list"],
    /** Create a webhook */
    create: ["post", "/crm/webhooks", "body"],
    /** Get a webhook */
    get: ["get", "/crm/webhooks/{webhook_id}", "none"],
    /** Update a webhook */
    update: ["patch", "/crm/webhooks/{webhook_id}", "body"],
    /** Delete a webhook */
    delete: ["delete", "/crm/webhooks/{webhook_id}", "none"],
    /** Test a webhook */
    test: ["post", "/crm/webhooks/{webhook_id}/test", "body"],
    /** Create a signing secret */
    issueSecret: ["post", "/crm/webhooks/{webhook_id}/secret", "body"],
    /** Replay events */
    replay: ["post", "/crm/webhooks/{webhook_id}/replay", "body"],
    /** List deliveries of a webhook */
    listDeliveries: ["get", "/crm/webhooks/{webhook_id}/deliveries", "list"],
    /** List webhook health */
    listHealth: ["get", "/crm/webhooks/health", "none"],
  },
  persons: {
    /** Collect everything stored about a person */
    report: ["post", "/crm/admin/persons/report", "body"],
    /** Erase a person */
    erase: ["post", "/crm/admin/persons/erase", "body"],
    /** List erasures */
    listErasures: ["get", "/crm/admin/persons/erasures", "list"],
    /** Get an erasure */
    getErasure: ["get", "/crm/admin/persons/erasures/{erasure_id}", "none"],
  },
  privacy: {
    /** Get the retention settings */
    get: ["get", "/crm/admin/privacy", "none"],
    /** Replace the retention settings */
    set: ["put", "/crm/admin/privacy", "body"],
  },
  demo: {
    /** Get the demo data state */
    get: ["get", "/crm/admin/demo", "none"],
    /** Load demo data */
    load: ["post", "/crm/admin/demo", "body"],
    /** Remove demo data */
    remove: ["delete", "/crm/admin/demo", "none"],
    /** Create a link to the demo tenant */
    createLink: ["post", "/crm/admin/demo/link", "none"],
  },
  system: {
    /** Get the system state */
    get: ["get", "/crm/admin/system", "none"],
  },
} as const;

export const PARTNER_RESOURCES = {
  /** Get the partner */
  me: ["get", "/crm/partner/me", "none"],
  /** Look up a person */
  lookup: ["post", "/crm/partner/lookup", "body"],
  /** Push a lead */
  push: ["post", "/crm/partner/push", "body"],
  /** Get your analytics */
  analytics: ["get", "/crm/partner/analytics", "query"],
  pushed: {
    /** List your pushed leads */
    list: ["get", "/crm/partner/pushed", "list"],
    /** Get a pushed lead */
    get: ["get", "/crm/partner/pushed/{pushed_lead_id}", "none"],
  },
  leads: {
    /** List leads from your sources */
    list: ["get", "/crm/partner/leads", "list"],
  },
  contacts: {
    /** List contacts from your sources */
    list: ["get", "/crm/partner/contacts", "list"],
  },
  webhooks: {
    /** List webhooks */
    list: ["get", "/crm/partner/webhooks", "list"],
    /** Create a webhook */
    create: ["post", "/crm/partner/webhooks", "body"],
    /** Get a webhook */
    get: ["get", "/crm/partner/webhooks/{partner_webhook_id}", "none"],
    /** Update a webhook */
    update: ["patch", "/crm/partner/webhooks/{partner_webhook_id}", "body"],
    /** Delete a webhook */
    delete: ["delete", "/crm/partner/webhooks/{partner_webhook_id}", "none"],
    /** Test a webhook */
    test: ["post", "/crm/partner/webhooks/{partner_webhook_id}/test", "body"],
    /** Create a signing secret */
    issueSecret: ["post", "/crm/partner/webhooks/{partner_webhook_id}/secret", "body"],
    /** Replay events */
    replay: ["post", "/crm/partner/webhooks/{partner_webhook_id}/replay", "body"],
    /** List deliveries of a webhook */
    listDeliveries: ["get", "/crm/partner/webhooks/{partner_webhook_id}/deliveries", "list"],
    /** List webhook health */
    listHealth: ["get", "/crm/partner/webhooks/health", "none"],
  },
} as const;

/**
 * The writes that ignore an Idempotency-Key, except those below `/auth/`, which all ignore it: a second request would
 * run a second time.
 */
export const KEYLESS: ReadonlySet<string> = new Set([
  "put /crm/imports/{import_id}/data",
  "post /crm/admin/persons/report",
  "post /crm/admin/persons/erase",
  "post /crm/admin/demo",
  "post /crm/admin/demo/link",
  "post /crm/admin/tenant/exports",
  "post /crm/partner/token",
]);

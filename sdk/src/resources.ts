/** The operations as methods of resources. Printed by `npm run print`. */

export const CRM_RESOURCES = {
  leads: {
    /** List leads */
    list: ["get", "/crm/leads", "list"],
    /** Create a lead */
    create: ["post", "/crm/leads", "body"],
    /** List leads of the last 4 h by created_ts */
    listCreated: ["get", "/crm/leads/created", "list"],
    /** List leads of the last 1 h by status_update_date */
    listStatusUpdated: ["get", "/crm/leads/status_updated", "list"],
    /** Count leads by a field and by periods of time */
    summarize: ["get", "/crm/leads/summary", "query"],
    /** Create up to 1000 leads; one result for each, in their order */
    batch: ["post", "/crm/leads/batch", "body"],
    /** Change the lead with this email, or create it; X-Result tells which */
    upsertByEmail: ["put", "/crm/leads/by/email/{email}", "body"],
    /** Change the lead with this phone, or create it; X-Result tells which */
    upsertByPhone: ["put", "/crm/leads/by/phone/{phone}", "body"],
    /** Change the lead with this external_id, or create it; X-Result tells which */
    upsertByExternalId: ["put", "/crm/leads/by/external_id/{external_id}", "body"],
    /** Change a lead; fields that are not sent stay as they are */
    update: ["patch", "/crm/leads/{lead_id}", "body"],
    /** Read one lead */
    get: ["get", "/crm/leads/{lead_id}", "none"],
    /** What changed in a lead, newest first */
    listHistory: ["get", "/crm/leads/{lead_id}/history", "list"],
    /** Make a contact of a lead; a second call answers the same ids */
    convert: ["post", "/crm/leads/{lead_id}/convert", "body"],
    /** Find what may be the same lead, the most alike first */
    listDuplicates: ["get", "/crm/leads/{lead_id}/duplicates", "none"],
    /** Merge others into this lead, whose id they lead to from then on; X-Merge-Id names the merge */
    merge: ["post", "/crm/leads/{lead_id}/merge", "body"],
    /** What was merged into this lead, newest first */
    listMerges: ["get", "/crm/leads/{lead_id}/merges", "list"],
    /** Undo a merge within 30 days: the merged records are there again */
    undoMerge: ["post", "/crm/leads/{lead_id}/merges/{merge_id}/undo", "body"],
    /** Export leads of one moment, as CSV or NDJSON */
    export: ["get", "/crm/leads/export", "stream"],
  },
  contacts: {
    /** List contacts */
    list: ["get", "/crm/contacts", "list"],
    /** Create a contact */
    create: ["post", "/crm/contacts", "body"],
    /** List contacts of the last 4 h by created_ts */
    listCreated: ["get", "/crm/contacts/created", "list"],
    /** List contacts of the last 1 h by status_update_date */
    listStatusUpdated: ["get", "/crm/contacts/status_updated", "list"],
    /** Count contacts by a field and by periods of time */
    summarize: ["get", "/crm/contacts/summary", "query"],
    /** Create up to 1000 contacts; one result for each, in their order */
    batch: ["post", "/crm/contacts/batch", "body"],
    /** Change the contact with this email, or create it; X-Result tells which */
    upsertByEmail: ["put", "/crm/contacts/by/email/{email}", "body"],
    /** Change the contact with this phone, or create it; X-Result tells which */
    upsertByPhone: ["put", "/crm/contacts/by/phone/{phone}", "body"],
    /** Change the contact with this external_id, or create it; X-Result tells which */
    upsertByExternalId: ["put", "/crm/contacts/by/external_id/{external_id}", "body"],
    /** Change a contact; fields that are not sent stay as they are */
    update: ["patch", "/crm/contacts/{contact_id}", "body"],
    /** Read one contact */
    get: ["get", "/crm/contacts/{contact_id}", "none"],
    /** What changed in a contact, newest first */
    listHistory: ["get", "/crm/contacts/{contact_id}/history", "list"],
    /** Find what may be the same contact, the most alike first */
    listDuplicates: ["get", "/crm/contacts/{contact_id}/duplicates", "none"],
    /** Merge others into this contact, whose id they lead to from then on; X-Merge-Id names the merge */
    merge: ["post", "/crm/contacts/{contact_id}/merge", "body"],
    /** What was merged into this contact, newest first */
    listMerges: ["get", "/crm/contacts/{contact_id}/merges", "list"],
    /** Undo a merge within 30 days: the merged records are there again */
    undoMerge: ["post", "/crm/contacts/{contact_id}/merges/{merge_id}/undo", "body"],
    /** Export contacts of one moment, as CSV or NDJSON */
    export: ["get", "/crm/contacts/export", "stream"],
  },
  accounts: {
    /** List accounts */
    list: ["get", "/crm/accounts", "list"],
    /** Create a account */
    create: ["post", "/crm/accounts", "body"],
    /** Count accounts by a field and by periods of time */
    summarize: ["get", "/crm/accounts/summary", "query"],
    /** Create up to 1000 accounts; one result for each, in their order */
    batch: ["post", "/crm/accounts/batch", "body"],
    /** Change the account with this email, or create it; X-Result tells which */
    upsertByEmail: ["put", "/crm/accounts/by/email/{email}", "body"],
    /** Change the account with this phone, or create it; X-Result tells which */
    upsertByPhone: ["put", "/crm/accounts/by/phone/{phone}", "body"],
    /** Change the account with this external_id, or create it; X-Result tells which */
    upsertByExternalId: ["put", "/crm/accounts/by/external_id/{external_id}", "body"],
    /** Change a account; fields that are not sent stay as they are */
    update: ["patch", "/crm/accounts/{account_id}", "body"],
    /** Read one account */
    get: ["get", "/crm/accounts/{account_id}", "none"],
    /** What changed in a account, newest first */
    listHistory: ["get", "/crm/accounts/{account_id}/history", "list"],
    /** Find what may be the same account, the most alike first */
    listDuplicates: ["get", "/crm/accounts/{account_id}/duplicates", "none"],
    /** Merge others into this account, whose id they lead to from then on; X-Merge-Id names the merge */
    merge: ["post", "/crm/accounts/{account_id}/merge", "body"],
    /** What was merged into this account, newest first */
    listMerges: ["get", "/crm/accounts/{account_id}/merges", "list"],
    /** Undo a merge within 30 days: the merged records are there again */
    undoMerge: ["post", "/crm/accounts/{account_id}/merges/{merge_id}/undo", "body"],
    /** Export accounts of one moment, as CSV or NDJSON */
    export: ["get", "/crm/accounts/export", "stream"],
  },
  deals: {
    /** List deals */
    list: ["get", "/crm/deals", "list"],
    /** List deals of the last 4 h by timestamp */
    listCreated: ["get", "/crm/deals/created", "list"],
    /** List deals of the last 4 h by updated_ts */
    listUpdated: ["get", "/crm/deals/updated", "list"],
    /** Count deals by a field and by periods of time, and add up an amount */
    summarize: ["get", "/crm/deals/summary", "query"],
    /** Create a opportunity */
    create: ["post", "/crm/opportunities", "body"],
    /** Create up to 1000 opportunities; one result for each, in their order */
    batch: ["post", "/crm/opportunities/batch", "body"],
    /** Change the opportunity with this external_id, or create it; X-Result tells which */
    upsertByExternalId: ["put", "/crm/opportunities/by/external_id/{external_id}", "body"],
    /** Change a opportunity; fields that are not sent stay as they are */
    update: ["patch", "/crm/opportunities/{opportunity_id}", "body"],
    /** Read one deal */
    get: ["get", "/crm/deals/{opportunity_id}", "none"],
    /** What changed in a deal, newest first */
    listHistory: ["get", "/crm/deals/{opportunity_id}/history", "list"],
    /** Export deals of one moment, as CSV or NDJSON */
    export: ["get", "/crm/deals/export", "stream"],
  },
  invoices: {
    /** List invoices */
    list: ["get", "/crm/invoices", "list"],
    /** Create a invoice */
    create: ["post", "/crm/invoices", "body"],
    /** List invoices of the last 4 h by timestamp */
    listCreated: ["get", "/crm/invoices/created", "list"],
    /** List invoices of the last 4 h by updated_ts */
    listUpdated: ["get", "/crm/invoices/updated", "list"],
    /** Count invoices by a field and by periods of time, and add up an amount */
    summarize: ["get", "/crm/invoices/summary", "query"],
    /** Create up to 1000 invoices; one result for each, in their order */
    batch: ["post", "/crm/invoices/batch", "body"],
    /** Change the invoice with this external_id, or create it; X-Result tells which */
    upsertByExternalId: ["put", "/crm/invoices/by/external_id/{external_id}", "body"],
    /** Change a invoice; fields that are not sent stay as they are */
    update: ["patch", "/crm/invoices/{invoice_id}", "body"],
    /** Read one invoice */
    get: ["get", "/crm/invoices/{invoice_id}", "none"],
    /** What changed in a invoice, newest first */
    listHistory: ["get", "/crm/invoices/{invoice_id}/history", "list"],
    /** Export invoices of one moment, as CSV or NDJSON */
    export: ["get", "/crm/invoices/export", "stream"],
  },
  orders: {
    /** List orders */
    list: ["get", "/crm/orders", "list"],
    /** Create a order */
    create: ["post", "/crm/orders", "body"],
    /** List orders of the last 4 h by timestamp */
    listCreated: ["get", "/crm/orders/created", "list"],
    /** List orders of the last 4 h by updated_ts */
    listUpdated: ["get", "/crm/orders/updated", "list"],
    /** Count orders by a field and by periods of time, and add up an amount */
    summarize: ["get", "/crm/orders/summary", "query"],
    /** Create up to 1000 orders; one result for each, in their order */
    batch: ["post", "/crm/orders/batch", "body"],
    /** Change the order with this external_id, or create it; X-Result tells which */
    upsertByExternalId: ["put", "/crm/orders/by/external_id/{external_id}", "body"],
    /** Change a order; fields that are not sent stay as they are */
    update: ["patch", "/crm/orders/{order_id}", "body"],
    /** Read one order */
    get: ["get", "/crm/orders/{order_id}", "none"],
    /** What changed in a order, newest first */
    listHistory: ["get", "/crm/orders/{order_id}/history", "list"],
    /** Export orders of one moment, as CSV or NDJSON */
    export: ["get", "/crm/orders/export", "stream"],
  },
  tasks: {
    /** List tasks */
    list: ["get", "/crm/tasks", "list"],
    /** Create a task */
    create: ["post", "/crm/tasks", "body"],
    /** Count tasks by a field and by periods of time */
    summarize: ["get", "/crm/tasks/summary", "query"],
    /** Create up to 1000 tasks; one result for each, in their order */
    batch: ["post", "/crm/tasks/batch", "body"],
    /** Change the task with this external_id, or create it; X-Result tells which */
    upsertByExternalId: ["put", "/crm/tasks/by/external_id/{external_id}", "body"],
    /** Change a task; fields that are not sent stay as they are */
    update: ["patch", "/crm/tasks/{task_id}", "body"],
    /** Read one task */
    get: ["get", "/crm/tasks/{task_id}", "none"],
    /** Delete a task */
    delete: ["delete", "/crm/tasks/{task_id}", "none"],
    /** What changed in a task, newest first */
    listHistory: ["get", "/crm/tasks/{task_id}/history", "list"],
    /** Export tasks of one moment, as CSV or NDJSON */
    export: ["get", "/crm/tasks/export", "stream"],
  },
  tenant: {
    /** The tenant's settings */
    get: ["get", "/crm/admin/tenant", "none"],
    /** Change the tenant's settings */
    update: ["patch", "/crm/admin/tenant", "body"],
    /** Get the tenant's storage and quota */
    getUsage: ["get", "/crm/admin/tenant/usage", "none"],
  },
  accessTokens: {
    /** The tenant's access tokens, newest first */
    list: ["get", "/crm/admin/access_tokens", "none"],
    /** Create an access token, which is shown this once */
    create: ["post", "/crm/admin/access_tokens", "body"],
    /** Change a token's name or how many requests it may make */
    update: ["patch", "/crm/admin/access_tokens/{token_id}", "body"],
    /** Revoke an access token at once */
    revoke: ["delete", "/crm/admin/access_tokens/{token_id}", "none"],
  },
  people: {
    /** The tenant's people, oldest first, with those who only own tokens */
    list: ["get", "/crm/admin/people", "none"],
    /** Invite a person; the link is shown this once, and mailed where that is set up */
    create: ["post", "/crm/admin/people", "body"],
    /** A new invitation, or a link to set another password, shown this once */
    createLink: ["post", "/crm/admin/people/{person_id}/link", "none"],
    /** Change a person's name, e-mail or role; suspend them, or let them in again */
    update: ["patch", "/crm/admin/people/{person_id}", "body"],
    /** End all sessions of a person at once */
    endSessions: ["delete", "/crm/admin/people/{person_id}/sessions", "none"],
    /** Take away the second factor of a person who has lost it */
    removeSecondFactor: ["delete", "/crm/admin/people/{person_id}/second_factor", "none"],
  },
  audit: {
    /** Who changed what, newest first */
    list: ["get", "/crm/admin/audit", "list"],
  },
  imports: {
    /** Prepare an import; its file is sent next */
    create: ["post", "/crm/imports", "body"],
    /** List imports, newest first */
    list: ["get", "/crm/imports", "list"],
    /** Read an import: progress, counts, and its first rejects */
    get: ["get", "/crm/imports/{import_id}", "none"],
    /** Send the file of an import, of any size; answers the import when it is done */
    sendData: ["put", "/crm/imports/{import_id}/data", "body"],
    /** The rows that could not be taken, as a file to mend and send again */
    getRejects: ["get", "/crm/imports/{import_id}/rejects", "stream"],
  },
  partners: {
    /** The tenant's partners, newest first */
    list: ["get", "/crm/admin/partners", "list"],
    /** Make a partner; its access code is shown this once */
    create: ["post", "/crm/admin/partners", "body"],
    /** One partner */
    get: ["get", "/crm/admin/partners/{partner_id}", "none"],
    /** Change a partner; a suspension ends its tokens at once */
    update: ["patch", "/crm/admin/partners/{partner_id}", "body"],
    /** Give a partner another access code, shown this once; its tokens end at once */
    reissueAccessCode: ["post", "/crm/admin/partners/{partner_id}/access_code", "body"],
  },
  pushedLeads: {
    /** The leads that partners pushed, newest first or as `order` says */
    list: ["get", "/crm/admin/pushed_leads", "list"],
    /** One pushed lead, with the records and pushes that it resembles */
    get: ["get", "/crm/admin/pushed_leads/{pushed_lead_id}", "none"],
    /** Accept a pending lead */
    accept: ["post", "/crm/admin/pushed_leads/{pushed_lead_id}/accept", "body"],
    /** Reject a pending lead; its partner sees the reason */
    reject: ["post", "/crm/admin/pushed_leads/{pushed_lead_id}/reject", "body"],
    /** Import an accepted lead */
    import: ["post", "/crm/admin/pushed_leads/{pushed_lead_id}/import", "body"],
    /** Decide up to 500 pushed leads, each by itself; one result for each, in their order */
    batch: ["post", "/crm/admin/pushed_leads/batch", "body"],
  },
  analytics: {
    /** Counts of pushed leads and what partners earn: of all of them, or of one */
    get: ["get", "/crm/admin/analytics", "query"],
  },
  importWebhook: {
    /** Where imported leads go instead of the CRM */
    get: ["get", "/crm/admin/import_webhook", "none"],
    /** Set the import webhook up anew; its secrets stay */
    set: ["put", "/crm/admin/import_webhook", "body"],
    /** Send a marked sample to the import webhook, and tell what came back */
    test: ["post", "/crm/admin/import_webhook/test", "body"],
    /** Render an import webhook's template with the marked sample; nothing is stored or sent */
    preview: ["post", "/crm/admin/import_webhook/preview", "body"],
    /** Issue a signing secret, shown this once; the newest two sign */
    issueSecret: ["post", "/crm/admin/import_webhook/secret", "body"],
  },
  duplicateCheck: {
    /** Which system is asked for duplicates instead of the records here */
    get: ["get", "/crm/admin/duplicate_check", "none"],
    /** Set the duplicate check up anew */
    set: ["put", "/crm/admin/duplicate_check", "body"],
    /** Ask after a marked sample, and tell what came back and how it was understood */
    test: ["post", "/crm/admin/duplicate_check/test", "body"],
    /** Render a duplicate check's template with the marked sample; nothing is stored or sent */
    preview: ["post", "/crm/admin/duplicate_check/preview", "body"],
  },
  deliveries: {
    /** List deliveries, newest first */
    list: ["get", "/crm/admin/deliveries", "list"],
    /** Get a delivery with its attempts */
    get: ["get", "/crm/admin/deliveries/{delivery_id}", "none"],
    /** Resend a delivery under the same id */
    resend: ["post", "/crm/admin/deliveries/{delivery_id}/resend", "none"],
    /** Resend up to 100 deliveries */
    resendMany: ["post", "/crm/admin/deliveries/resend", "body"],
  },
  webhooks: {
    /** The tenant's event webhooks, newest first */
    list: ["get", "/crm/webhooks", "list"],
    /** Be told of events from now on; the signing secret is shown this once */
    create: ["post", "/crm/webhooks", "body"],
    /** One event webhook, with its newest replay */
    get: ["get", "/crm/webhooks/{webhook_id}", "none"],
    /** Change an event webhook; switched on again it begins with what comes then */
    update: ["patch", "/crm/webhooks/{webhook_id}", "body"],
    /** Delete an event webhook; what is still to be sent to it is not */
    delete: ["delete", "/crm/webhooks/{webhook_id}", "none"],
    /** Send a marked sample of the first event that is subscribed to, and tell what came back */
    test: ["post", "/crm/webhooks/{webhook_id}/test", "body"],
    /** Issue another signing secret, shown this once; the newest two sign */
    issueSecret: ["post", "/crm/webhooks/{webhook_id}/secret", "body"],
    /** Send the events of a range of time again, under the same event ids */
    replay: ["post", "/crm/webhooks/{webhook_id}/replay", "body"],
    /** What was sent or is to be sent to an event webhook, newest first */
    listDeliveries: ["get", "/crm/webhooks/{webhook_id}/deliveries", "list"],
    /** List the success rate and last failure of each event webhook */
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
    /** Show whether demo data is loaded */
    get: ["get", "/crm/admin/demo", "none"],
    /** Create a tenant with demo data in the background */
    load: ["post", "/crm/admin/demo", "body"],
    /** Remove the demo tenant with everything in it */
    remove: ["delete", "/crm/admin/demo", "none"],
    /** Create a one-time link that makes the caller an owner of the demo tenant */
    createLink: ["post", "/crm/admin/demo/link", "none"],
  },
  system: {
    /** List failed and slow requests of the last hour, and show the state of the installation */
    get: ["get", "/crm/admin/system", "none"],
  },
} as const;

export const PARTNER_RESOURCES = {
  /** The partner's own settings: sources, rate, rights */
  me: ["get", "/crm/partner/me", "none"],
  /** Check whether a person exists */
  lookup: ["post", "/crm/partner/lookup", "body"],
  /** Push a lead into the tenant's buffer */
  push: ["post", "/crm/partner/push", "body"],
  /** Counts of the partner's pushed leads, and what its won deals earn */
  analytics: ["get", "/crm/partner/analytics", "query"],
  pushed: {
    /** The leads that the partner pushed, newest first */
    list: ["get", "/crm/partner/pushed", "list"],
    /** One lead that the partner pushed, with each step of its way */
    get: ["get", "/crm/partner/pushed/{pushed_lead_id}", "none"],
  },
  leads: {
    /** The tenant's leads of the partner's allowed sources */
    list: ["get", "/crm/partner/leads", "list"],
  },
  contacts: {
    /** The tenant's contacts of the partner's allowed sources */
    list: ["get", "/crm/partner/contacts", "list"],
  },
  webhooks: {
    /** The partner's own event webhooks, newest first */
    list: ["get", "/crm/partner/webhooks", "list"],
    /** Be told of events from now on; the signing secret is shown this once */
    create: ["post", "/crm/partner/webhooks", "body"],
    /** One event webhook, with its newest replay */
    get: ["get", "/crm/partner/webhooks/{partner_webhook_id}", "none"],
    /** Change an event webhook; switched on again it begins with what comes then */
    update: ["patch", "/crm/partner/webhooks/{partner_webhook_id}", "body"],
    /** Delete an event webhook; what is still to be sent to it is not */
    delete: ["delete", "/crm/partner/webhooks/{partner_webhook_id}", "none"],
    /** Send a marked sample of the first event that is subscribed to, and tell what came back */
    test: ["post", "/crm/partner/webhooks/{partner_webhook_id}/test", "body"],
    /** Issue another signing secret, shown this once; the newest two sign */
    issueSecret: ["post", "/crm/partner/webhooks/{partner_webhook_id}/secret", "body"],
    /** Send the events of a range of time again, under the same event ids */
    replay: ["post", "/crm/partner/webhooks/{partner_webhook_id}/replay", "body"],
    /** What was sent or is to be sent to an event webhook, newest first */
    listDeliveries: ["get", "/crm/partner/webhooks/{partner_webhook_id}/deliveries", "list"],
    /** List the success rate and last failure of each event webhook */
    listHealth: ["get", "/crm/partner/webhooks/health", "none"],
  },
} as const;

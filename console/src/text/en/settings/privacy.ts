const count = (number: number, one: string, many = `${one}s`) =>
  `${number} ${number === 1 ? one : many}`;

export const privacy = {
  title: "Privacy",
  hint: "Show or erase everything stored about a person, and set how long data is retained.",
  person: "Requests about a person",
  personHint:
    "Search by email or phone. The report lists every record about the person. You can download the report and erase the records that you select.",
  email: "Email",
  phone: "Phone",
  phoneHint: "Numbers without a country code are assumed to be from your default country.",
  search: "Create report",
  nothing: "Nothing is stored about this person.",
  records: "Records",
  recordsHint: (number: number) =>
    `${count(number, "record")} found. Select the records that belong to the person. Several people may share an email address or phone number.`,
  choose: (name: string) => `Select ${name}`,
  chooseAll: "Select all",
  type: "Type",
  name: "Name",
  found: "Found by",
  effect: "Effect",
  types: {
    pushed_lead: "Partner lead",
    rejected_row: "Rejected row",
    webhook: "Webhook",
    setting: "Setting",
    import: "Import",
    user: "User",
    partner: "Partner",
  } as Readonly<Record<string, string | undefined>>,
  reasons: {
    email: "Email",
    phone: "Phone",
    history: "Earlier value",
    merged: "Merged record",
    linked: "Link to the person",
  } as Readonly<Record<string, string | undefined>>,
  effects: {
    erase: "Removed",
    clear: "Person’s data cleared",
    unlink: "Link cleared",
  } as Readonly<Record<string, string | undefined>>,
  row: (line: string) => `Row ${line} of an import`,
  unnamed: "No name",
  mentions: "Mentions to review",
  mentionsHint:
    "These entries mention the person’s name, email or phone. Only the entries you select are changed: each mention is replaced with [erased].",
  mentionsWhere: "Where",
  inHistory: "History",
  recipients: "Other recipients",
  recipientsHint:
    "Ask these recipients to erase the data as well. Partners who can read the records are always listed, because reads are not logged.",
  recipientKinds: {
    sent_lead: "submitted a lead about this person",
    could_read: "can read the record",
    event_webhook: "webhook",
    import_webhook: "import webhook",
  } as Readonly<Record<string, string | undefined>>,
  requests: (number: number) => count(number, "request"),
  holds: "Retained as required by law",
  holdsHint: (number: number, fields: string) =>
    `${count(number, "invoice")} ${number === 1 ? "keeps" : "keep"} these fields: ${fields}. Only the contact is removed.`,
  download: "Download report",
  preview: "Preview erasure",
  previewTitle: (person: string) => `Erase ${person}?`,
  selected: (counts: readonly (readonly [string, number])[], mentions: number) =>
    `Selected: ${[
      ...counts.map(([label, number]) => count(number, label.toLowerCase())),
      ...(mentions > 0 ? [count(mentions, "mention")] : []),
    ].join(", ")}.`,
  previewHint:
    "This cannot be undone. Amounts, dates and counts are kept, so that totals remain correct.",
  rows: "Rows to be removed or changed",
  confirmLabel: "Type ERASE to confirm",
  confirmWord: "ERASE",
  erase: "Erase",
  done: "Personal data erased",
  running:
    "The selected records have been erased. The remaining cleanup continues in the background.",
  resultRows: "Removed or changed",
  nothingDone: "Nothing to remove or change.",
  another: "New search",
  retention: "Retention",
  retentionHint:
    "Older data is removed automatically. To keep data indefinitely, leave the field blank.",
  inDays: (label: string) => `${label} (days)`,
  noLimit: "No limit",
  installationLimit: "Installation limit",
  tables: {
    changes: "History entries",
    delivery_attempts: "Delivery attempts",
    idempotency_keys: "Stored responses",
    import_rejects: "Rejected rows",
    merged_records: "Merged records",
    pushed_leads: "Partner leads",
  } as Readonly<Record<string, string | undefined>>,
  fields: {
    history_days: "Record history",
    audit_days: "Audit log",
    deliveries_days: "Webhook deliveries",
    rejected_pushes_days: "Rejected partner leads",
    expired_pushes_days: "Expired partner leads",
    rejected_rows_days: "Rejected import rows",
  },
  fieldHints: {
    history_days: "At least 30 days, the period of the change feed.",
    audit_days: "At least 30 days. Covers everything except record history.",
    deliveries_days: "Cannot exceed the installation limit.",
    rejected_pushes_days: "Removed leads are still counted in the analytics.",
    expired_pushes_days: "Removed leads are still counted in the analytics.",
    rejected_rows_days: "The period starts when the import ends.",
  },
  blockErased: "Reject leads for erased people",
  blockErasedHint:
    "A partner who submits an erased person again gets an error. To detect this, Leadport stores a keyed digest of the email and phone.",
  saved: "Retention settings saved",
};

/** docs/records.md: the rules that hold for several fields or types, which no description of a record type has. */

/** What comes before the record types. */
export const INTRODUCTION = `# Records

Leadport prints this page from \`src/records/types/\` (\`npm run leadport -- docs records\`); a test compares the two.
[requests.md](requests.md) explains the rules of every operation, such as ids, timestamps and null values.

## Common fields

Every record also returns:

| field | what it is |
|---|---|
| \`_id\`, \`id\` | its [id](requests.md#ids), twice |
| \`userid\`, \`user_name\` | its owner: the user whose credential created it. On tasks: the assignee |
| \`created_by_userid\` | the user whose credential created it |
| \`version\` | 1, 2, 3 …: see [Record versions](safe-writes.md#record-versions) |
| \`created_ts\`, \`updated_ts\`, \`status_update_date\`; \`created_date\`, \`updated_date\`, \`status_updated_date\` | its [timestamps](requests.md#timestamps), as epoch seconds and as ISO 8601 strings |

A record returns the names of the request and the stored names: a lead has both \`status\` and \`lead_status\`. A text without a
value is \`null\`, a list without elements is \`[]\`. You can [send a record back](requests.md#sending-a-record-back): fields that are only
returned are ignored in a body.

\`external_id\` is the record's id in your own system, at most 200 characters. It is unique per tenant and record type: a second
record with the same value returns 409.

You set a status or stage with POST and PATCH, to any of its values, whatever the value before.

## Names

If you do not send \`first_name\` and \`last_name\`, they are split from \`name\` at its last spaces: \`Mary Ann Smith\` becomes
\`Mary Ann\` and \`Smith\`. A single word is the first name. If you send them, they are stored as sent. \`name\` is always required.

## Email addresses and phone numbers

\`email\` and \`phone\` are returned as you sent them. \`email_list\` and \`phone_list\` contain them in checked form:

- \`email_validation_dict.result\` is 1 if an address looks deliverable, otherwise 2. Nothing is sent to check it.
- \`phone\` of an entry has the digits with country code (\`15555555555\`), \`country\` its country and \`formatted_phone\` the number as
  written there (\`(555) 555-5555\`). A number without a country code belongs to the tenant's \`default_country\`. If Leadport cannot
  interpret a number, \`phone\` is the text you sent, and the other two are null.
- Invalid addresses and numbers are stored, not rejected.
- A PATCH of \`email\` or \`phone\` replaces the Main entry; null removes it.

## Several addresses and numbers

Leads, contacts and accounts have \`email_list\` and \`phone_list\`. An entry is an object with \`email\` or \`phone\` and a
\`type\` of at most 50 characters, or just a text. \`email_validation_dict\`, \`country\` and \`formatted_phone\` are derived
and ignored in a body. Unknown members are stored.

- The entry of type \`Main\` is the record's \`email\` or \`phone\`. It comes first, and there is at most one (otherwise 422).
- If the list has no Main entry, the \`email\` of the same body becomes the Main entry, or else the first entry without a type. Other
  entries without a type become \`Other\`. If all entries have other types, \`email\` is null.
- A list that you send replaces the stored one, and \`email\` follows it. In a PATCH, \`[]\` and null clear the list; in a POST they, and an
  empty text, mean "not given".
- A list equal to the stored one is ignored. So you can send a record back with a new \`email\`, which replaces the Main
  entry and leaves the others. A changed list and a changed \`email\` that contradict each other return 422.
- You can also create a copy of a record: if an entry of type \`Main\` has derived members, the \`email\` or \`phone\` of the same
  body replaces it, unless \`phone\` is the same number as written in the entry's \`country\`.
- Each address and number is stored once: addresses are compared without regard to case, numbers by their digits with
  country code.
- A changed list has at most 50 entries. Merges and conversions keep all entries, also beyond that.
- Filters, lookups, upserts by key and duplicates find a record by any of its entries. A PUT by email or phone never removes
  that address or number from the list.

## Social security numbers

\`ssn\` accepts \`XXX-XX-XXXX\` or nine digits; anything else returns 422. It is stored encrypted and returned as \`***-**-6789\` in records,
lists, exports, the log and the audit log. Error messages never repeat it. Only \`GET /crm/leads/{id}?reveal=ssn\` and
\`GET /crm/contacts/{id}?reveal=ssn\` return the whole number. They need the permission \`ssn:read\` and add an entry to the audit log.

## Numbers and lists

- Fields that accept digits in a text (\`birth_year\`, \`num_employees\` …) are stored and returned as integers. A birth date that does
  not exist, such as February 30, returns 422.
- Objects in a list keep members that Leadport does not know. No member of a line or product is required.

## Money

Amounts are exact decimal numbers. They have at most 15 significant digits and 6 decimals, and can be negative. Sums and products are
computed in decimals and rounded half to even to two decimals, once. JSON contains them as numbers.

## References

A reference (\`account_id\`, \`contact_id\`, \`opportunity_id\`) must be the id of an existing record of the same tenant; otherwise the request
returns 422 with the field in \`loc\`. \`opportunity_id\` is the id of a deal. The id of a record that was merged is replaced by the id of the
surviving record.

\`account_name\` and \`contact_name\` are the names of the referenced records. If you rename an account or contact, they follow within a
minute: the worker updates them, which raises \`version\` but not \`updated_ts\`.
`;

/** What comes after the lists of a record type. */
export const NOTES: Readonly<Record<string, string>> = {
  lead: `### Conversion

\`POST /crm/leads/{lead_id}/convert\` creates a contact with the lead's details (all fields but \`external_id\`), in one transaction:

| field | what it does |
|---|---|
| \`account_id\` | the contact belongs to this account |
| \`account\` | creates this account, and the contact belongs to it. Do not send \`account_id\` as well |
| \`deal\` | creates this deal for the contact, and for the account if the deal names none |

All are optional: \`{}\` creates only the contact. The response has \`lead_id\`, \`contact_id\`, \`account_id\` and \`opportunity_id\`. The lead is kept,
with \`converted_to_contact\` and \`contact_id\`; the contact has \`source_lead_id\`. A second request returns the same ids and creates nothing. If
any part is invalid, nothing is created.`,
  deal: `### Paths of deals

You read deals under \`/crm/deals\` and write them under \`/crm/opportunities\`. One deal can be read under both. In other records, an
\`opportunity_id\` is the id of a deal.

### Values of deals

- \`value_of_sale\` is the sum of the products (\`unit_amount\` × \`unit_count\`) until you send a value. Send null to follow the products
  again.
- \`estimated_value_of_sale\` is \`value_of_sale\` × \`probability_pcnt\`, or \`value_of_sale\` without a probability.
- \`close_date\` is set when \`stage\` becomes \`closed_won\` or \`closed_lost\`, and cleared when it changes to another value.`,
  invoice: `### Numbers of invoices

\`invoice_num\` is unique in the tenant; a second invoice with the same number returns 409. \`name\` defaults to \`invoice_num\`.`,
  order: `### Numbers of orders

Leadport numbers orders: \`order_num\` is unique and rises in the tenant, and numbers can be skipped. \`name\` defaults to \`order_num\`.`,
  task: `### Assignees

\`userid\` is the assignee, by default the creator. A \`userid\` that is no user of the tenant is stored, with \`user_name\` null.

### Completion

\`is_completed: true\` and \`status: completed\` imply each other; a body in which they contradict each other returns 422.
\`is_completed: false\` on a completed task sets the default status. \`completed_date\` is the time of completion unless you send one, and is
cleared when the task is no longer completed.

### Subjects

A task can be about a record: \`subject_type\` is \`lead\`, \`contact\`, \`account\`, \`opportunity\`, \`invoice\` or \`order\`, and \`subject\` the id of
an existing record of the tenant (otherwise 422). Other subject types are stored without a check, with any \`subject\`.

### Actions

\`action\` is \`general\` by default. Common values are \`call\`, \`email\`, \`text\`, \`postcard\`, \`support-request\`, \`work-order\`,
\`attend-meeting\` and \`renewal-reminder\`; any other text of at most 50 characters is accepted. \`action_data\` is an object or a text.

### Deletion

\`DELETE /crm/tasks/{task_id}\` returns \`{"deleted": true, "ids": ["<id>"]}\`. Tasks are the only records that you can delete.`,
};

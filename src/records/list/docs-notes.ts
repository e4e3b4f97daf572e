/**
 * The parts of docs/records.md that concern several fields or types. They cannot be generated from the definition of a
 * record type.
 */

/** The text before the sections on record types. */
export const INTRODUCTION = `# Records

This page is generated from \`src/records/types/\` (\`npm run leadport -- docs records\`); a test compares the two.
[requests.md](requests.md) explains the rules of every operation, such as ids, timestamps and null values.

## Common fields

Every record also returns:

| field | what it is |
|---|---|
| \`_id\`, \`id\` | its [id](requests.md#ids), under two names |
| \`userid\`, \`user_name\` | its owner: the user whose credential created it; on tasks, the assignee |
| \`created_by_userid\` | the user whose credential created it |
| \`version\` | 1, 2, 3 …: see [Record versions](safe-writes.md#record-versions) |
| \`created_ts\`, \`updated_ts\`, \`status_update_date\`; \`created_date\`, \`updated_date\`, \`status_updated_date\` | its [timestamps](requests.md#timestamps), as epoch seconds and as ISO 8601 strings |

A record contains both the request names and the stored names of its fields: a lead has both \`status\` and \`lead_status\`. Missing text is
\`null\`, and a list without elements is \`[]\`. You can [send a record back](requests.md#sending-a-record-back): read-only fields are
ignored in a body. \`external_id\` is the record's id in your own system, at most 200 characters. It is unique per tenant and record type: a
second
record with the same value returns 409.

You can set a status or stage to any of its values with POST and PATCH, regardless of its current value.

## Names

If you do not send \`first_name\` and \`last_name\`, Leadport splits \`name\` at the last spaces: \`Mary Ann Smith\` becomes
\`Mary Ann\` and \`Smith\`. A single word becomes the first name. If you send both fields, they are stored as sent. \`name\` is always required.

## Email addresses and phone numbers

\`email\` and \`phone\` are returned as you sent them. \`email_list\` and \`phone_list\` contain them in validated form:

- \`email_validation_dict.result\` is 1 if an address looks deliverable, otherwise 2. No email is sent to check this.
- In each entry, \`phone\` has the digits including the country code (\`15555555555\`), \`country\` has the country, and \`formatted_phone\`
  has the number in that country's format (\`(555) 555-5555\`). Numbers without a country code are read as numbers of the tenant's
  \`default_country\`. If Leadport cannot interpret a number, \`phone\` is the text you sent, and the other two are null.
- Invalid addresses and numbers are stored, not rejected.
- A PATCH of \`email\` or \`phone\` replaces the Main entry; null removes it.

## Several addresses and numbers

Leads, contacts and accounts have \`email_list\` and \`phone_list\`. An entry is an object with \`email\` or \`phone\` and a
\`type\` of at most 50 characters, or just a string. \`email_validation_dict\`, \`country\` and \`formatted_phone\` are derived
and ignored in a body. Unknown members are stored.

- The entry of type \`Main\` is the record's \`email\` or \`phone\`. It comes first, and there is at most one (otherwise 422).
- If the list has no Main entry, the \`email\` in the same body becomes the Main entry; without it, the first entry without a
  type does. Other entries without a type become \`Other\`. If all entries have other types, \`email\` is null.
- A list that you send replaces the stored one, and \`email\` is set from it. In a PATCH, \`[]\` and null clear the list. In a POST, these
  and an empty string are treated as not given.
- A list equal to the stored one is ignored. So you can send a record back with a new \`email\`, which replaces the Main entry and does not
  change the others. A changed list and a changed \`email\` that contradict each other return 422.
- You can also create a copy of a record with a new address or number: if the entry of type \`Main\` has derived members, it is replaced by
  the \`email\` or \`phone\` in the same body. It is kept if \`phone\` is the same number in the entry's \`country\`.
- Each address and number is stored once: addresses are compared regardless of case, and numbers by their digits including the country code.
- A changed list can have at most 50 entries. Merges and conversions keep all entries, even if there are more.
- Filters, lookups, upserts by key and duplicate searches find a record by any of its entries. A PUT by email or phone never removes
  that address or number from the list.

## Social security numbers

\`ssn\` accepts \`XXX-XX-XXXX\` or nine digits; anything else returns 422. It is stored encrypted and returned as \`***-**-6789\` in records,
lists, exports, the log and the audit log. Error messages never repeat it. Only \`GET /crm/leads/{id}?reveal=ssn\` and
\`GET /crm/contacts/{id}?reveal=ssn\` return the full number. They require the permission \`ssn:read\` and add an entry to the audit log.

## Numbers and lists

- Fields that accept digits in a string (\`birth_year\`, \`num_employees\` …) are stored and returned as integers. A birth date that does
  not exist, such as February 30, returns 422.
- Objects in a list keep members that Leadport does not define. Lines and products have no required members.

## Money

Amounts are exact decimal numbers. They have at most 15 significant digits and 6 decimals, and can be negative. Sums and products are
computed in decimals and rounded only once, half to even, to two decimals. In JSON, amounts are numbers.

## References

A reference (\`account_id\`, \`contact_id\`, \`opportunity_id\`) must be the id of an existing record of the same tenant; otherwise the request
returns 422 with the field in \`loc\`. \`opportunity_id\` is the id of a deal. The id of a merged record is replaced by the id of the
surviving record.

\`account_name\` and \`contact_name\` are the names of the referenced records. If you rename an account or contact, the worker updates these
names within a minute. This increases \`version\` but does not change \`updated_ts\`.
`;

/** The text after a record type's lists. */
export const NOTES: Readonly<Record<string, string>> = {
  lead: `### Conversion

\`POST /crm/leads/{lead_id}/convert\` creates a contact with the lead's details (all fields except \`external_id\`) in one transaction:

| field | what it does |
|---|---|
| \`account_id\` | the contact belongs to this account |
| \`account\` | creates this account, and the contact belongs to it. Do not send \`account_id\` as well |
| \`deal\` | creates this deal for the contact, and for the account if the deal does not refer to one |

All fields are optional: \`{}\` creates only the contact. The response has \`lead_id\`, \`contact_id\`, \`account_id\` and
\`opportunity_id\`. The lead is kept and gets \`converted_to_contact\` and \`contact_id\`, and the contact gets \`source_lead_id\`. A second
request returns the same ids and creates nothing. If
any part is invalid, nothing is created.`,
  deal: `### Deal paths

Deals are read under \`/crm/deals\` and written under \`/crm/opportunities\`. You can read a single deal under both. In other records, an
\`opportunity_id\` is the id of a deal.

### Deal values

- \`value_of_sale\` is the sum of the products (\`unit_amount\` × \`unit_count\`) until you send a value. Send null to return to the sum.
- \`estimated_value_of_sale\` is \`value_of_sale\` × \`probability_pcnt\`, or \`value_of_sale\` without a probability.
- \`close_date\` is set when \`stage\` becomes \`closed_won\` or \`closed_lost\`, and cleared when it changes to another value.`,
  invoice: `### Invoice numbers

\`invoice_num\` is unique in the tenant; a second invoice with the same number returns 409. \`name\` defaults to \`invoice_num\`.`,
  order: `### Order numbers

Leadport numbers orders: within a tenant, \`order_num\` is unique and increases, but numbers can be skipped. \`name\` defaults to
\`order_num\`.`,
  task: `### Assignees

\`userid\` is the assignee, by default the creator. If \`userid\` is not one of the tenant's users, it is stored and \`user_name\` is null.

### Completion

\`is_completed: true\` and \`status: completed\` imply each other. If they contradict each other in a body, the request returns 422.
\`is_completed: false\` on a completed task sets the default status. \`completed_date\` is the time of completion unless you send one, and is
cleared when the task is no longer completed.

### Subjects

A task can be about a record: \`subject_type\` is \`lead\`, \`contact\`, \`account\`, \`opportunity\`, \`invoice\` or \`order\`, and
\`subject\` is the id of one of the tenant's records (otherwise the request returns 422). Other subject types are stored without checks,
with any \`subject\`.

### Actions

\`action\` is \`general\` by default. Common values are \`call\`, \`email\`, \`text\`, \`postcard\`, \`support-request\`, \`work-order\`,
\`attend-meeting\` and \`renewal-reminder\`; any other text of at most 50 characters is accepted. \`action_data\` is an object or a string.

### Deletion

\`DELETE /crm/tasks/{task_id}\` returns \`{"deleted": true, "ids": ["<id>"]}\`. Tasks are the only records that you can delete.`,
};

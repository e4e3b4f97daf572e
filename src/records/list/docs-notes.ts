/**
 * The parts of docs/records.md that concern several fields or types. They cannot be generated from the definition of a
 * record type.
 */

/** The text before the sections on record types. */
export const INTRODUCTION = `# Records

This page is generated from \`src/records/types/\` by \`npm run leadport -- docs records\`. A test checks that it is up to date. For rules that
apply to every operation, such as those for ids, timestamps and null values, see [requests.md](requests.md).

## Common fields

In addition to the fields of its type, every record has these:

| field | description |
|---|---|
| \`_id\`, \`id\` | the record's [id](requests.md#ids), under two names |
| \`userid\`, \`user_name\` | the id and name of the record's owner: the user whose credential created the record or, for a task, the assignee |
| \`created_by_userid\` | the id of the user whose credential created the record |
| \`version\` | the record's current version number, starting at 1 (see [Record versions](safe-writes.md#record-versions)) |
| \`created_ts\`, \`updated_ts\`, \`status_update_date\` | the record's [timestamps](requests.md#timestamps), in epoch seconds |
| \`created_date\`, \`updated_date\`, \`status_updated_date\` | the same timestamps, as ISO 8601 strings |

A field that has two names is returned under both. For example, a lead has both \`status\` and \`lead_status\`. A text field without a value is
\`null\`, and an empty list is \`[]\`. You can [send a record back](requests.md#sending-a-record-back) as you received it, because read-only
fields in a request body are ignored.

\`external_id\` is the record's id in your own system. It must be unique among the tenant's records of the same type: a request with an
\`external_id\` that is already in use returns 409.

Leadport does not restrict transitions between statuses or stages. You can create a record with any status or stage, and a PATCH can change
it to any other.

## Names

Leads and contacts need a \`name\`, even if you send \`first_name\` and \`last_name\`. If you omit one or both of these, Leadport derives the
missing ones by splitting \`name\` at the last space: \`Mary Ann Smith\` becomes \`Mary Ann\` and \`Smith\`. A single word becomes the first name. A
first or last name that you send is stored as sent.

If you change the \`name\` of a record, the first and last name that you omit are derived again. You can also send a record back with only
\`name\` changed: if its first and last name were derived from the old name, they are derived from the new one.

## Email addresses and phone numbers

\`email\` and \`phone\` are returned as you sent them. They are also the \`Main\` entries of \`email_list\` and \`phone_list\`. Leadport adds
the results of its checks to each entry of these lists:

- In \`email_list\`, \`email_validation_dict.result\` is 1 if the address looks deliverable and 2 if it does not. Leadport does not send an
  email to check this.
- In \`phone_list\`, \`phone\` consists of the digits of the number, including the country code (\`15555555555\`). \`country\` is the number's
  country, and \`formatted_phone\` is the number in that country's format (\`(555) 555-5555\`). A number without a country code is assumed to
  be from the tenant's \`default_country\`. If Leadport cannot interpret a number, \`phone\` is the string you sent, and \`country\` and
  \`formatted_phone\` are null.

Invalid addresses and numbers are stored, not rejected.

A PATCH that contains \`email\` or \`phone\` replaces the Main entry. If the value is null, the Main entry is removed.

## Several addresses and numbers

Leads, contacts and accounts have \`email_list\` and \`phone_list\`. In a request, an entry is either an object or just a string (the address or
number). An object contains \`email\` or \`phone\` and, optionally, a \`type\` of at most 50 characters. Leadport derives
\`email_validation_dict\`, \`country\` and \`formatted_phone\`, and ignores them in request bodies. Any other members are stored.

The following rules describe \`email\` and \`email_list\`, but also apply to \`phone\` and \`phone_list\`.

- **Main entry**: the entry of type \`Main\` contains the record's \`email\`. It is always the first entry. If a list has more than one Main
  entry, the request returns 422.
- **No Main entry**: if you send a list without a Main entry, the \`email\` in the same body becomes the Main entry. If the body has no
  \`email\`, the first entry without a type becomes the Main entry. If there is no such entry either, \`email\` is null. All other entries
  without a type get the type \`Other\`.
- **Changing the list**: a list that you send replaces the stored list, and its Main entry becomes the record's \`email\`. In a PATCH, \`[]\`
  and null clear the list. In a POST, \`[]\`, null and an empty string are treated as omitted.
- **Changing \`email\`**: a list that equals the stored list is ignored. You can therefore send a record back with a new \`email\`, which
  replaces the Main entry and leaves the other entries unchanged. If you change both the list and \`email\`, and they contradict each other,
  the request returns 422.
- **Copying a record**: in a POST, you can send the lists of another record together with a new \`email\` or \`phone\`. If the Main entry
  contains derived members, Leadport assumes that the list is a copy, and the new value replaces the Main entry. If the new \`phone\` is the
  same number, written in the national format of the entry's \`country\`, the Main entry does not change.
- **Duplicates**: each address or number is stored only once. Addresses are compared regardless of case and surrounding spaces, and numbers
  by their digits, including the country code.
- **Limit**: a list that you create or change can have at most 50 entries. Merges and conversions keep all entries, even if there are more
  than 50.
- **Searching**: filters, lookups, upserts by key and duplicate searches find a record by any of its entries. A PUT by email or phone never
  removes that address or number from the list.

## Social security numbers

\`ssn\` accepts \`XXX-XX-XXXX\` or nine digits; anything else returns 422. It is stored encrypted and appears as \`***-**-6789\` in records,
lists, exports, the log and the audit log. Error messages never contain it. Only \`GET /crm/leads/{id}?reveal=ssn\` and
\`GET /crm/contacts/{id}?reveal=ssn\` return the full number. These requests require the \`ssn:read\` permission and add an entry to the audit
log.

## Numbers and lists

- Some integer fields, such as \`birth_year\` and \`num_employees\`, also accept a string of digits. The value is stored and returned as an
  integer.
- A request with a birth date that does not exist, such as February 30, returns 422.
- Objects in a list can have additional members, which are stored. Invoice lines, order lines and products have no required members.

## Money

Amounts are exact decimal numbers with at most 15 significant digits and 6 decimal places. They can be negative. In JSON, they are numbers,
not strings. Deal values are calculated with decimal arithmetic and rounded only once, at the end, to two decimal places (half to even).

## References

A reference (\`account_id\`, \`contact_id\`, \`opportunity_id\`) must be the id of an existing record in the same tenant; otherwise the request
returns 422 with the field in \`loc\`. \`opportunity_id\` is the id of a deal. The id of a merged record is replaced by the id of the surviving
record.

\`account_name\` and \`contact_name\` are the names of the referenced records. If you rename an account or contact, the worker updates these
names within a minute. This increases \`version\` but does not change \`updated_ts\`.
`;

/** Additional text in the sections on record types, after their lists. */
export const NOTES: Readonly<Record<string, string>> = {
  lead: `### Conversion

\`POST /crm/leads/{lead_id}/convert\` creates a contact with all of the lead's fields except \`external_id\`. The body can contain:

| field | effect |
|---|---|
| \`account_id\` | links the contact to this existing account |
| \`account\` | creates this account and links the contact to it. Do not send \`account_id\` as well |
| \`deal\` | creates this deal and links it to the contact. If the deal has no \`account_id\`, it is also linked to the contact's account |

All fields are optional: \`{}\` creates only the contact. Everything is created in one transaction, so if any part is invalid, nothing is
created.

The response contains \`lead_id\`, \`contact_id\`, \`account_id\` and \`opportunity_id\`. The lead is retained: its \`converted_to_contact\` is set to
true and its \`contact_id\` to the id of the contact. The contact's \`source_lead_id\` is set to the id of the lead. If you convert the same
lead again, the request returns the same ids and creates nothing.`,
  deal: `### Deal paths

Use \`/crm/deals\` to read deals and \`/crm/opportunities\` to create and update them. You can get a single deal from either path. In other
records, \`opportunity_id\` is the id of a deal.

### Deal values

- \`value_of_sale\` is the sum of \`unit_amount\` × \`unit_count\` over all products, unless you send a value. To use the sum again, send null.
- \`estimated_value_of_sale\` is \`value_of_sale\` × \`probability_pcnt\`. If the deal has no probability, it equals \`value_of_sale\`.
- \`close_date\` is set when \`stage\` becomes \`closed_won\` or \`closed_lost\`, and cleared when \`stage\` changes to another value.`,
  invoice: `### Invoice numbers

\`invoice_num\` must be unique within the tenant: creating a second invoice with the same number returns 409. \`name\` defaults to
\`invoice_num\`.`,
  order: `### Order numbers

Leadport assigns an \`order_num\` to each new order. Within a tenant, these numbers are unique and increasing, but some may be skipped. \`name\`
defaults to \`order_num\`.`,
  task: `### Assignees

\`userid\` is the id of the assignee. It defaults to the user who creates the task; in a PATCH, null restores this default. If it is not the id
of one of the tenant's users, it is stored anyway, and \`user_name\` is null.

### Completion

\`is_completed\` is true if and only if \`status\` is \`completed\`. If you send only one of the two, Leadport sets the other. If you send both
and they contradict each other, the request returns 422. If you set \`is_completed\` to false on a completed task, \`status\` changes to its
default.

\`completed_date\` is the time at which the task was completed, unless you send another time. It is cleared when the task is no longer
completed.

### Subjects

To link a task to a record, set \`subject_type\` to \`lead\`, \`contact\`, \`account\`, \`opportunity\`, \`invoice\` or \`order\`, and \`subject\` to the id
of the record. If the tenant has no such record, the request returns 422. You can also use any other \`subject_type\` with any \`subject\`.
Leadport stores both values without checking them.

### Actions

\`action\` is \`general\` by default. Common values are \`call\`, \`email\`, \`text\`, \`postcard\`, \`support-request\`, \`work-order\`,
\`attend-meeting\` and \`renewal-reminder\`; any other text of at most 50 characters is accepted. \`action_data\` is an object or a string.

### Deletion

\`DELETE /crm/tasks/{task_id}\` returns \`{"deleted": true, "ids": ["<id>"]}\`. Tasks are the only records that you can delete.`,
};

/** docs/errors.md: every failure a caller can see, printed from the catalogue. */

import { errorCatalogue } from "../errors/index.ts";

const BEFORE = `# Errors

Printed from \`src/platform/errors/errors.ts\` by \`npm run leadport -- docs errors\`; a test keeps it fresh.

Every answer carries \`X-Request-Id\`: yours, if you sent a sane one, or a new one. Quote it when you ask an
operator; the log knows the request by it.

Failures other than 422 answer \`{"detail": "<sentence>"}\`. Beside \`detail\` stand members that a program needs:
\`existing_id\` (409: the record that is already there), \`existing_ids\` (409: the records that share a key),
\`status\` (409: the state a pushed lead is in), \`imported_lead_id\` (409: what it was imported as), \`merge_id\` (409: the
merge to undo first), \`contact_ids\` (409: the contacts to merge first), \`tenants\`
(409: those in which this e-mail has this password), \`second_factor\` (401: the password was right), \`changed_fields\` and \`version\` (412),
\`request_id\` (500).

| status | when | sentence |
|---|---|---|
`;

const WHEN: Readonly<Record<string, string>> = {
  nothing_to_change: "a PATCH in which nothing is left to change, `{}` above all",
  several_hosts: "a request with more than one `Host` header",
  unauthenticated:
    "no token, or one that is malformed, unknown, expired, revoked or of the other API; a partner's wrong id or access code, or its suspension; a session that has ended; they are not told apart",
  wrong_credentials:
    "a sign-in with an e-mail that nobody has, or another password; they are not told apart",
  second_factor_needed:
    "a right password of somebody with a second factor, without a code (`second_factor: true`)",
  wrong_second_factor: "the same with a wrong code, or one that was used (`second_factor: true`)",
  not_permitted: "a valid token without the permission; the sentence names it",
  address_refused:
    "a valid token, or a right access code, from an address that is not on the list of its holder",
  quota_exceeded:
    "the tenant would exceed `MAX_RECORDS`, `MAX_BYTES`, or its own quota. `resource` is `records` or `bytes`, `used` and `quota` are the figures; partners do not get them. Nothing was written. An interrupted import resumes when its file is sent again. See [quotas.md](quotas.md)",
  second_factor_needs_link:
    "50 wrong codes of one account within a day (`second_factor: true`); the code was not checked. Waiting does not help: the pause lasts until a password is set with a new link",
  cross_site:
    "a request with a session cookie, or a sign-in, that a page of another site made: by `Sec-Fetch-Site`, else by an `Origin` that is not this host; or a write with a session cookie that says neither",
  not_found:
    "no such route, no such record, or another tenant's record, a sign-in link that was used or is too old; they are not told apart",
  method_not_allowed: "the path knows other methods, named in `Allow`",
  body_too_slow:
    "a body that did not arrive within 30 s plus 1 s for each 64 KiB, or the file of an import at less than 1 KiB/s averaged over 60 s, counting only the time in which the service waited for it; the connection is closed",
  conflict:
    "a value that is unique in the tenant and type (`external_id`, `invoice_num`) is there already; a pushed lead is in a state that does not allow the move; an earlier push of the same person is still open; `on_duplicate=reject` met somebody who is known, or several records have the key of a PUT; records that cannot be merged, or a merge that cannot be undone; a tenant or partner has as many event webhooks as it may: delete one first; an e-mail that another person of the tenant has (`existing_id`), or that has this password in several tenants (`tenants`); the last owner who can sign in",
  key_in_use:
    "the first request with this `Idempotency-Key` is still running; `Retry-After` says when to try again",
  cursor_expired:
    "a cursor of the change feed from more than 30 days ago, or from before the database was restored; the answer says how to start again",
  precondition_failed:
    "`If-Match` named another version than the stored one; `changed_fields` says what changed since",
  body_too_large:
    "a body of more than 1 MiB, or 4 KiB for operations without a credential such as sign-in, or a batch of more than 16 MiB; files are sent to imports, which have no limit",
  too_many_members:
    "JSON with more than 50,000 members of objects and elements of lists, in a body or an item of a batch, or 1,500,000 in a batch; the sentence names the limit",
  too_many_requests:
    "more requests in the window than `RateLimit-Policy` allows this credential; or more streams, windows, exports, imports or summaries at once than a credential, a tenant or a process may have: the sentence says which; `Retry-After` says how long to wait",
  too_many_attempts:
    "within 15 minutes and from one address: five wrong access codes for one partner or 50 for all, five wrong passwords or codes for one e-mail or 50 for all; 60 correct passwords for one e-mail; or too many mails asked for with a forgotten password; an IPv6 network of 56 bits has twice, one of 48 bits four times the allowance; `Retry-After` says how long to wait",
  second_factor_paused:
    "10 wrong codes of one account within 15 minutes (`second_factor: true`); the code was not checked. `Retry-After` says how long to wait",
  too_many_emails:
    "more than 100 emails within an hour or 300 within a day from one user, 300 or 1,000 from one business; `Retry-After` says how long to wait",
  too_many_passwords:
    "five passwords from one address are being checked or waiting to be checked; an IPv6 network of 56 bits has twice, one of 48 bits four times as many places; `Retry-After` says when to try again",
  too_many_anonymous:
    "more requests without a credential in a minute than `ANONYMOUS_RATE_LIMIT` allows an address; `Retry-After` says how long to wait",
  too_many_at_once:
    "a credential has as many requests in progress at once as `CONCURRENCY_LIMIT`, or its own limit, allows; `Retry-After` says when to try again",
  tenant_busy:
    "500 requests of the tenant are waiting for the database, or one waited for 5 s while others of its tenant were running; it was not started. `Retry-After` says when to try again",
  too_many_uploads:
    "one credential has more than 64 MiB, or one address more than 128 MiB, of request bodies that are arriving or being worked on; `Retry-After` says when to try again",
  internal: "our fault; the log has the rest under the request id",
  duplicate_check_failed:
    "the tenant has duplicates checked by a system of its own, which did not answer as it should; nothing was written",
  too_busy:
    "more sign-ins at once than the process checks passwords for; `Retry-After` says when to try again",
  service_busy:
    "5,000 requests of all tenants are waiting for the database, or one waited for 5 s because of other tenants; it was not started. `Retry-After` says when to try again",
  too_much_data:
    "all callers together have more than 256 MiB of request bodies that are arriving or being worked on; `Retry-After` says when to try again",
  database_unavailable:
    "the database is down, restarting or does not respond; `Retry-After` says when to try again. The outcome of a write is unknown: retry it with the same `Idempotency-Key`",
  not_started:
    "a write got no database connection within 5 s; it was not carried out and will not be; `Retry-After` says when to try again",
  too_slow:
    "the database stopped a statement of a write that ran for more than 20 s; nothing was written",
  disk_full:
    "a write or an import while the database's disk has less than `DISK_RESERVE` free; reads continue. Nothing was written, and an interrupted import resumes when its file is sent again",
  stopping:
    "a request that arrived after the service was asked to stop, of which nothing was written; or an import that ended with the rows written so far and resumes when the same file is sent again",
};

const AFTER = `
## 422: the request is wrong

\`\`\`json
{"detail": [{"type": "missing", "loc": ["body", "name"], "msg": "Field required", "input": {}}]}
\`\`\`

One entry for each fault, all of a request at once (at most 100): first the path, then query, headers and body.
\`loc\` leads to the place, beginning with \`path\`, \`query\`, \`header\` or \`body\`; \`input\` is what stood there, cut at 1 KiB,
secrets masked; \`ctx\` holds the limit that was passed. References (\`account_id\` …) are looked up when all else is
right, so their faults come in an answer of their own.

| type | when |
|---|---|
| \`missing\` | a required field is not there, or the whole body |
| \`string_type\`, \`int_type\`, \`int_from_float\`, \`float_type\`, \`bool_type\`, \`list_type\`, \`dict_type\` | another JSON type; bodies are never coerced |
| \`int_parsing\`, \`bool_parsing\`, \`datetime_parsing\` | a query parameter (or digits in a string) that cannot be read |
| \`enum\` | none of the values that \`ctx.expected\` lists |
| \`string_too_short\`, \`string_too_long\`, \`too_short\`, \`too_long\` | a text or list outside its limits |
| \`greater_than_equal\`, \`less_than_equal\`, \`less_than\` | a number outside its limits; an epoch time in milliseconds |
| \`decimal_max_digits\`, \`decimal_max_places\` | money with more digits than can be kept exact |
| \`extra_forbidden\` | a field or parameter that the operation does not know |
| \`frozen_field\` | a field that is sent on create only, with another value than the stored one |
| \`conflict\` | in an atomic batch: a value that is another record's (\`ctx.existing_id\`) or an earlier item's (\`ctx.index\`) |
| \`string_unicode\` | text with U+0000 or half of a surrogate pair |
| \`json_invalid\` | the body, filter or sort is not JSON; \`loc\` ends with the position in the body |
| \`model_attributes_type\` | the body is no JSON object, or not declared as JSON |
| \`value_error\` | anything else; \`msg\` says what is wrong and what would be right |

A list's query that the database had to stop because it took too long (10 s by default) is a 422 on
\`match_filter_dict\` before the first byte, and a closed connection after it: never an answer that looks complete.
`;

/** The page. */
export const errorsMarkdown = (): string =>
  BEFORE +
  Object.entries(errorCatalogue)
    .map(([code, [status, sentence]]) => `| ${status} | ${WHEN[code] ?? code} | ${sentence} |\n`)
    .join("") +
  AFTER;

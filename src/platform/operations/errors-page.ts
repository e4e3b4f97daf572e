/** docs/errors.md: every failure a caller can see, printed from the catalog. */

import { errorCatalog } from "../errors/index.ts";

const BEFORE = `# Errors

Leadport prints this page from \`src/platform/errors/errors.ts\` (\`npm run leadport -- docs errors\`); a test compares the two.

Every response has an \`X-Request-Id\`: yours if you sent a valid one, otherwise a new one. Send it along when you ask an operator for
help; the log has the request under this id. If several checks fail, the [order of checks](requests.md#order-of-checks) decides.

Errors other than 422 return \`{"detail": "<sentence>"}\`. Some have more members, for programs:

| member | status | meaning |
|---|---|---|
| \`existing_id\` | 409, 412 | the record that exists already |
| \`existing_ids\` | 409 | the records that have the key |
| \`status\` | 409 | the state of the pushed lead |
| \`imported_lead_id\` | 409 | the lead that it was imported as |
| \`merge_id\` | 409 | the merge to undo first |
| \`contact_ids\` | 409 | the contacts to merge first |
| \`tenants\` | 409 | the tenants in which this email has this password |
| \`second_factor\` | 401, 403, 429 | true: the password was correct |
| \`changed_fields\`, \`version\` | 412 | what changed, and the current version |
| \`resource\`, \`used\`, \`quota\` | 403 | the quota: see [quotas.md](quotas.md) |
| \`request_id\` | 500 | the id of the request |

Every 429 and 503 has a \`Retry-After\` header with the number of seconds to wait.

## By status

| status | when | sentence |
|---|---|---|
`;

const WHEN: Readonly<Record<string, string>> = {
  nothing_to_change: "a PATCH in which nothing remains to change, such as `{}`",
  several_hosts: "a request with more than one `Host` header",
  unauthenticated:
    "a token that is missing, malformed, unknown, expired, revoked or of the other API; a wrong partner id or access code, or a suspended partner; an expired session. The response does not show which",
  wrong_credentials:
    "a sign-in with an unknown email or a wrong password. The response does not show which",
  second_factor_needed:
    "a sign-in with the correct password of a user with a second factor, without a code (`second_factor: true`)",
  wrong_second_factor: "the same with a wrong or used code (`second_factor: true`)",
  not_permitted: "a valid token without the permission; the sentence names the permission",
  address_refused:
    "a valid token or correct access code, from an address that is not on the credential's list",
  quota_exceeded:
    "the tenant would exceed `MAX_RECORDS`, `MAX_BYTES` or its quota. `resource` is `records` or `bytes`, `used` and `quota` are the figures, which partners do not get. Nothing was written. An interrupted import resumes when you send its file again. See [quotas.md](quotas.md)",
  second_factor_needs_link:
    "50 wrong codes for one account within a day (`second_factor: true`); the code was not checked. The pause lasts until the user sets a password with a new link",
  cross_site:
    "a request with a session cookie, or a sign-in, that a page of another site sent: according to `Sec-Fetch-Site`, or else to an `Origin` that is not this host; or a write with a session cookie and neither header",
  not_found:
    "an unknown path, an unknown record, a record of another tenant, or a sign-in link that is used or too old. The response does not show which",
  method_not_allowed: "the path takes other methods, listed in `Allow`",
  body_too_slow:
    "a body that took longer than 30 s plus 1 s for each 64 KiB to arrive, or an import file slower than 1 KiB/s, averaged over 60 s. Only the time in which the service waited for bytes counts. The connection is closed",
  conflict:
    "a unique value (`external_id`, `invoice_num`) is already in use; the state of a pushed lead does not allow the action; an earlier push of the same person is still open; `on_duplicate=reject` found a duplicate; several records have the key of a PUT; records that cannot be merged, or a merge that cannot be undone; the maximum number of event webhooks is reached (delete one first); an email that another user of the tenant has (`existing_id`), or that has this password in several tenants (`tenants`); the last owner who can sign in",
  key_in_use:
    "the first request with this `Idempotency-Key` is still running; try again after `Retry-After`",
  cursor_expired:
    "a cursor of the change feed that is older than 30 days or from before a restore; the response explains how to start again",
  precondition_failed:
    "`If-Match` named another version than the stored one; `changed_fields` names the fields that changed since",
  body_too_large:
    "a body of more than 1 MiB, 4 KiB for operations without a credential such as sign-in, or 16 MiB for a batch. Send files to imports, which have no limit",
  too_many_members:
    "JSON with more than 50,000 object members and list elements in a body or an item of a batch, or 1,500,000 in a batch; the sentence names the limit",
  too_many_requests:
    "more requests in the window than `RateLimit-Policy` allows this credential; or more concurrent streams, time windows, exports, imports or summaries than a credential, tenant or process may have (the sentence names the limit). See [rate-limits.md](rate-limits.md)",
  too_many_attempts:
    "within 15 minutes from one address: five wrong access codes for one partner or 50 for all, five wrong passwords or codes for one email or 50 for all, 60 correct passwords for one email, or too many requests for a password-reset email. An IPv6 /56 network has twice, a /48 four times the allowance",
  second_factor_paused:
    "10 wrong codes for one account within 15 minutes (`second_factor: true`); the code was not checked",
  too_many_emails:
    "more than 100 emails within an hour or 300 within a day from one user, 300 or 1,000 from one business",
  too_many_passwords:
    "five passwords from one address are being checked or waiting to be checked. An IPv6 /56 network has twice, a /48 four times the allowance",
  too_many_anonymous:
    "more requests without a credential in a minute than `ANONYMOUS_RATE_LIMIT` allows an address",
  too_many_at_once:
    "a credential has as many requests in progress as `CONCURRENCY_LIMIT`, or its separate limit, allows",
  tenant_busy:
    "500 requests of the tenant are waiting for the database, or one waited for 5 s while others of its tenant were running. The request was not started",
  too_many_uploads:
    "more than 64 MiB of request bodies of one credential, or 128 MiB of one address, are arriving or being processed",
  internal: "an internal error; the log has the details under the request id",
  duplicate_check_failed:
    "the tenant's own duplicate check did not respond as it should. Nothing was written",
  too_busy: "more sign-ins at once than the process can check passwords for",
  service_busy:
    "5,000 requests of all tenants are waiting for the database, or one waited for 5 s because of other tenants. The request was not started",
  too_much_data:
    "more than 256 MiB of request bodies of all callers are arriving or being processed",
  database_unavailable:
    "the database is down, restarting or does not respond. The outcome of a write is unknown: retry it with the same `Idempotency-Key`",
  not_started:
    "a write got no database connection within 5 s. It was not carried out and will not be",
  too_slow:
    "the database stopped a statement of a write that ran for more than 20 s. Nothing was written",
  disk_full:
    "a write or an import while the database's disk has less than `DISK_RESERVE` free; reads continue. Nothing was written. An interrupted import resumes when you send its file again",
  stopping:
    "a request that arrived after the service was asked to stop; nothing was written. Or an import that ended with the rows written so far and resumes when you send the same file again",
};

const AFTER = `
## 422: invalid requests

\`\`\`json
{"detail": [{"type": "missing", "loc": ["body", "name"], "msg": "Field required", "input": {}}]}
\`\`\`

The response lists all problems of a request at once, at most 100: first the path, then query, headers and body. \`loc\` is the place of
the problem and begins with \`path\`, \`query\`, \`header\` or \`body\`. \`input\` is the value at this place, cut at 1 KiB, with secrets
masked. \`ctx\` contains the limit that was exceeded. References (\`account_id\` …) are checked only if everything else is valid, so their
problems come in a separate response.

| type | when |
|---|---|
| \`missing\` | a required field, or the whole body, is missing |
| \`string_type\`, \`int_type\`, \`int_from_float\`, \`float_type\`, \`bool_type\`, \`list_type\`, \`dict_type\` | a value of another JSON type; values in bodies are never converted |
| \`int_parsing\`, \`bool_parsing\`, \`datetime_parsing\` | a query parameter (or digits in a string) that is not a valid number, boolean or date |
| \`enum\` | none of the values in \`ctx.expected\` |
| \`string_too_short\`, \`string_too_long\`, \`too_short\`, \`too_long\` | a text or list that is too short or too long |
| \`greater_than_equal\`, \`less_than_equal\`, \`less_than\` | a number outside its limits, or an epoch time in milliseconds |
| \`decimal_max_digits\`, \`decimal_max_places\` | an amount with more digits than can be stored exactly |
| \`extra_forbidden\` | a field or parameter that the operation does not know |
| \`frozen_field\` | a changed value of a field that can only be set on create |
| \`conflict\` | in an atomic batch: a unique value that another record (\`ctx.existing_id\`) or an earlier item (\`ctx.index\`) has |
| \`string_unicode\` | a text with U+0000 or half of a surrogate pair |
| \`json_invalid\` | a body, filter or sort that is not JSON; in a body, \`loc\` ends with the position |
| \`model_attributes_type\` | a body that is not a JSON object, or not declared as JSON |
| \`value_error\` | anything else; \`msg\` explains the problem and what is allowed |

If the database stops the query of a list because it takes too long (10 s by default), the request returns 422 on \`match_filter_dict\`. If
the response has already started, the connection is closed, so that a partial response never looks complete.
`;

/** The page. */
export const errorsMarkdown = (): string =>
  BEFORE +
  Object.entries(errorCatalog)
    .map(([code, [status, sentence]]) => `| ${status} | ${WHEN[code] ?? code} | ${sentence} |\n`)
    .join("") +
  AFTER;

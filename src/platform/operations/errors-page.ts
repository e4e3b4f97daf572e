/** docs/errors.md: every error that callers can get, generated from the catalog. */

import { errorCatalog } from "../errors/index.ts";

const BEFORE = `# Errors

This page is generated from \`src/platform/errors/errors.ts\` (\`npm run leadport -- docs errors\`); a test compares the two.

Every response has an \`X-Request-Id\`: yours if you sent a valid one, otherwise a new one. Include it when you ask an operator for help,
because it identifies the request in the log. If several checks fail, the [order of checks](requests.md#order-of-checks) determines the
error.

Errors other than 422 return \`{"detail": "<sentence>"}\`. Some have additional members for programs:

| member | status | meaning |
|---|---|---|
| \`existing_id\` | 409, 412 | the existing record |
| \`existing_ids\` | 409 | the records that have the key |
| \`status\` | 409 | the state of the pushed lead |
| \`imported_lead_id\` | 409 | the lead that the import created |
| \`merge_id\` | 409 | the merge to undo first |
| \`contact_ids\` | 409 | the contacts to merge first |
| \`tenants\` | 409 | the tenants in which this email has this password |
| \`second_factor\` | 401, 403, 429 | true: the password was correct |
| \`changed_fields\`, \`version\` | 412 | the changed fields and the current version |
| \`resource\`, \`used\`, \`quota\` | 403 | the quota: see [quotas.md](quotas.md) |
| \`request_id\` | 500 | the id of the request |

Every 429 and 503 has a \`Retry-After\` header with the number of seconds to wait.

## Which requests to retry

| response | what to do |
|---|---|
| none, 502, 503, 504 | send the same request again, after \`Retry-After\` seconds if the header is present, otherwise after increasing delays. Send POST, PUT and PATCH with an [\`Idempotency-Key\`](safe-writes.md#idempotent-retries), because the first request may have been executed. 502 and 504 come from a proxy |
| 429 | send the same request again after \`Retry-After\` seconds. It was not executed |
| 409 with \`Retry-After\` | send the same request again after \`Retry-After\` seconds |
| 408 | send the same request again over a faster connection. An import resumes when you send its file again |
| 401 | partners: request a new token, once |
| 410, 412 | read the data again, then send a new request |
| any other 4xx | do not retry: the same request fails again |
| 500 | do not retry automatically: report the \`request_id\` to the operator |

## By status

| status | when | sentence |
|---|---|---|
`;

const WHEN: Readonly<Record<string, string>> = {
  nothing_to_change: "a PATCH with nothing to change, such as `{}`",
  several_hosts: "a request with more than one `Host` header",
  unauthenticated:
    "a token is missing, malformed, unknown, expired or revoked, or belongs to the other API; a partner id or access code is wrong, or the partner is suspended; or a session has expired. The response does not reveal which",
  wrong_credentials:
    "a sign-in with an unknown email or a wrong password. The response does not reveal which",
  second_factor_needed:
    "a sign-in with the correct password of a user with a second factor, without a code (`second_factor: true`)",
  wrong_second_factor:
    "a sign-in with the correct password, but with a wrong or used code (`second_factor: true`)",
  not_permitted: "a valid token without the required permission; the sentence names the permission",
  address_refused:
    "a valid token or correct access code, from an address that is not on the credential's list",
  tenant_suspended:
    "the operator has suspended or deleted the tenant (`tenant_suspended: true`). Partners are asked to contact the business. See [moving-a-tenant.md](moving-a-tenant.md#suspend-a-tenant)",
  quota_exceeded:
    "the tenant would exceed `MAX_RECORDS`, `MAX_BYTES` or its own quota. `resource` is `records` or `bytes`, and `used` and `quota` are the figures; partners do not get these members. Nothing was written. An interrupted import resumes when you send its file again. See [quotas.md](quotas.md)",
  second_factor_needs_link:
    "50 wrong codes for one account within a day (`second_factor: true`); the code was not checked. The pause lasts until the user sets a password with a new link",
  cross_site:
    "a sign-in or a request with a session cookie that came from a page of another site, according to `Sec-Fetch-Site` or, if that is missing, an `Origin` that is not this host; or a write with a session cookie but neither header",
  not_found:
    "an unknown path, an unknown record, another tenant's record, or a sign-in link that has been used or is too old. The response does not reveal which",
  method_not_allowed: "the path does not support this method; `Allow` lists the supported ones",
  body_too_slow:
    "a body that took longer than 30 s plus 1 s for each 64 KiB to arrive, or an import file slower than 1 KiB/s, averaged over 60 s. Only the time that the service waits for data counts. The connection is closed",
  conflict:
    "the stored data does not allow the request; the sentence names the reason: see [409: conflicts](#409-conflicts)",
  key_in_use:
    "the first request with this `Idempotency-Key` is still running; try again after `Retry-After`",
  cursor_expired:
    "a change feed cursor that is older than 30 days, that belongs to a history that was lost in a restore, or that was issued by the installation that the tenant was moved from; the response explains how to start again",
  report_expired: "a report about a person that is older than 24 hours: create another report",
  precondition_failed:
    "`If-Match` does not match the stored version; `changed_fields` lists the fields that have changed since",
  body_too_large:
    "a body of more than 1 MiB (4 KiB for operations without a credential, such as sign-in, and 16 MiB for batches). To send larger files, use imports, which have no limit",
  too_many_members:
    "JSON with more than 50,000 object members and list elements in a body or a batch item, or more than 1,500,000 in a batch; the sentence states the limit",
  too_many_requests:
    "the credential has sent more requests in the window than `RateLimit-Policy` allows; or there are more concurrent streams, time windows, exports, imports or summaries than are allowed for a credential, tenant or process (the sentence names the limit). See [rate-limits.md](rate-limits.md)",
  too_many_attempts:
    "one address has sent too many attempts within 15 minutes: five wrong access codes for one partner or 50 for all, five wrong passwords or codes for one email or 50 for all, 60 correct passwords for one email, or too many requests for a password-reset email. An IPv6 /56 network has twice the allowance, and a /48 four times",
  second_factor_paused:
    "10 wrong codes for one account within 15 minutes (`second_factor: true`); the code was not checked",
  too_many_emails:
    "more than 100 emails within an hour or 300 within a day from one user, or more than 300 or 1,000 from one business",
  too_many_passwords:
    "five passwords from one address are waiting or being checked. An IPv6 /56 network has twice the allowance, and a /48 four times",
  too_many_anonymous:
    "an address has sent more requests per minute without a credential than `ANONYMOUS_RATE_LIMIT` allows",
  too_many_at_once:
    "a credential has as many requests in progress as `CONCURRENCY_LIMIT`, or its separate limit, allows",
  tenant_busy:
    "500 of the tenant's requests are waiting for the database, or the request waited for 5 s while the tenant's other requests were running. The request was not started",
  too_many_uploads:
    "more than 64 MiB of request bodies from one credential, or 128 MiB from one address, are arriving or being processed",
  internal: "an internal error; search the log for the request id to find the details",
  duplicate_check_failed:
    "the tenant's own duplicate check did not return a valid response. Nothing was written",
  too_busy: "there are too many concurrent sign-ins for the process to check their passwords",
  service_busy:
    "5,000 requests are waiting for the database across all tenants, or the request waited for 5 s because of other tenants. The request was not started",
  too_much_data:
    "more than 256 MiB of request bodies from all callers are arriving or being processed",
  database_unavailable:
    "the database is down, is restarting, or does not respond. The outcome of a write is unknown: retry it with the same `Idempotency-Key`",
  not_started:
    "a write did not get a database connection within 5 s. It was not executed and will not be executed later",
  too_slow:
    "the database stopped a write's statement that ran for more than 20 s. Nothing was written",
  disk_full:
    "a write or an import while the database's disk has less than `DISK_RESERVE` free; reads continue. Nothing was written. An interrupted import resumes when you send its file again",
  stopping:
    "a request arrived after the service was asked to stop, so nothing was written; or an import stopped with the rows written so far, and resumes when you send the same file again",
};

const AFTER = `| 431 | the request line and headers have more than 128 KiB in total. The connection is closed | Request Header Fields Too Large |

Data that is not an HTTP/1.1 request returns 400 with \`Bad Request\`, and the connection is closed.

## 409: conflicts

| subject | cause |
|---|---|
| records | a unique value (\`external_id\`, \`invoice_num\`) is already in use, or \`on_duplicate=reject\` found a duplicate (\`existing_id\`); several records have the key of a PUT (\`existing_ids\`) |
| concurrent writes, with \`Retry-After\` | other requests kept changing the record, or the request waited 20 s for other requests with the same email or phone. Nothing was written |
| merges | the records cannot be merged, or the merge cannot be undone: [duplicates.md](duplicates.md) |
| pushed leads | the status does not allow the action (\`status\`); the partner has already pushed this person, and that lead is pending or accepted (\`existing_id\`); an import by webhook is still being delivered (\`existing_id\`) |
| imports | another sender is uploading the file (with \`Retry-After\`); the import started with a different file; the import has ended: [files.md](files.md#interrupted-imports) |
| webhooks | the maximum number of event webhooks is reached; a replay is running, or the webhook is disabled; another delivery of the same event is pending (\`existing_id\`); the webhook or duplicate check to test has no URL |
| users | another user of the tenant has the email (\`existing_id\`); the email has this password in several tenants (\`tenants\`); the user is suspended, has no email, or is the last owner who can sign in; there already is a second factor, or there is none |
| demo data | demo data already exists, or it is being loaded or removed |

## 422: invalid requests

\`\`\`json
{"detail": [{"type": "missing", "loc": ["body", "name"], "msg": "Field required", "input": {}}]}
\`\`\`

The response lists all problems of a request (at most 100): first those of the path, then those of the query, headers and body. \`loc\` is
the location of the problem and begins with \`path\`, \`query\`, \`header\` or \`body\`. \`input\` is the value at this location, truncated
to 1 KiB, with secrets masked. \`ctx\` contains the limit that was exceeded. References (\`account_id\` …) are checked only if everything
else is valid, so their problems are returned in a separate response.

| type | when |
|---|---|
| \`missing\` | a required field, or the whole body, is missing |
| \`string_type\`, \`int_type\`, \`int_from_float\`, \`float_type\`, \`bool_type\`, \`list_type\`, \`dict_type\` | a value of another JSON type; values in bodies are never converted |
| \`int_parsing\`, \`bool_parsing\`, \`datetime_parsing\` | a query parameter that is not a valid integer, boolean or date; or another string in a field that accepts an integer or a [string of digits](records.md#numbers-and-lists) |
| \`enum\` | a value that is not one of those in \`ctx.expected\` |
| \`string_too_short\`, \`string_too_long\`, \`too_short\`, \`too_long\` | a string or list that is too short or too long |
| \`greater_than_equal\`, \`less_than_equal\`, \`less_than\` | a number outside its limits, or an epoch time in milliseconds |
| \`decimal_max_digits\`, \`decimal_max_places\` | an amount with more digits than can be stored exactly |
| \`extra_forbidden\` | a field or parameter that the operation does not define |
| \`frozen_field\` | a changed value of a field that can only be set on create |
| \`conflict\` | in an atomic batch, a unique value that another record (\`ctx.existing_id\`) or an earlier item (\`ctx.index\`) already has |
| \`string_unicode\` | a string with U+0000 or half of a surrogate pair |
| \`json_invalid\` | a body, filter or sort that is not JSON; in a body, \`loc\` ends with the position |
| \`model_attributes_type\` | a body that is not a JSON object, or not declared as JSON |
| \`value_error\` | anything else; \`msg\` explains the problem and what is allowed |

If the database stops a list query because it takes too long (10 s by default), the request returns 422 with the location
\`match_filter_dict\`. If
the response has already started, the connection is closed, so that a partial response never looks complete.
`;

export const errorsMarkdown = (): string =>
  BEFORE +
  Object.entries(errorCatalog)
    .map(([code, [status, sentence]]) => `| ${status} | ${WHEN[code] ?? code} | ${sentence} |\n`)
    .join("") +
  AFTER;

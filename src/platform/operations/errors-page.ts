/** docs/errors.md: every error that callers can get, generated from the catalog. */

import { errorCatalog } from "../errors/index.ts";

const BEFORE = `# Errors

This page is generated from \`src/platform/errors/errors.ts\` by \`npm run leadport -- docs errors\`. A test checks that it is up to date.

Every response has an \`X-Request-Id\` header. It contains the id that you sent, if it is valid, and otherwise a new id. Include this id when
you ask an operator for help, because it identifies the request in the log. If a request has several problems, the
[order of checks](requests.md#order-of-checks) determines which error it returns.

The body of every error except 422 is \`{"detail": "<message>"}\`. Some errors have additional members for programs:

| member | status | meaning |
|---|---|---|
| \`existing_id\` | 409, 412 | the id of the existing record |
| \`existing_ids\` | 409 | the ids of the records that match the key in an upsert's path, at most 100 |
| \`status\` | 409 | the status of the pushed lead |
| \`imported_lead_id\` | 409 | the id of the lead that the import created |
| \`merge_id\` | 409 | the id of the merge to undo first |
| \`contact_ids\` | 409 | the ids of the contacts to merge first |
| \`tenants\` | 409 | the tenants in which the email and password of the sign-in are valid |
| \`second_factor\` | 401, 403, 429 | \`true\` if the password was correct |
| \`changed_fields\`, \`version\` | 412 | the changed fields, and the record's current version |
| \`resource\`, \`used\`, \`quota\` | 403 | the type of quota that would be exceeded, the current usage, and the limit (see [quotas.md](quotas.md)) |
| \`request_id\` | 500 | the id of the request |

Every 429 and 503 has a \`Retry-After\` header with the number of seconds to wait.

## Which requests to retry

| response | what to do |
|---|---|
| no response, 502, 503, 504 | wait for the number of seconds in \`Retry-After\`, then send the same request again. If there is no such header, retry with increasing delays. Send POST, PUT and PATCH requests with an [\`Idempotency-Key\`](safe-writes.md#idempotent-retries), because the first request may have been executed. 502 and 504 come from a proxy |
| 429 | send the same request again after \`Retry-After\` seconds. It was not executed |
| 409 with \`Retry-After\` | send the same request again after \`Retry-After\` seconds |
| 408 | send the same request again over a faster connection. An import resumes when you send its file again |
| 401 | in the partner API, request a new token once. In the CRM API, do not retry |
| 410, 412 | read the data again, then send a new request |
| any other 4xx | do not retry: the same request fails again |
| 500 | do not retry automatically: report the \`request_id\` to the operator |

## By status

| status | when | message |
|---|---|---|
`;

const WHEN: Readonly<Record<string, string>> = {
  nothing_to_change: "a PATCH has nothing to change, such as `{}`",
  several_hosts: "a request has more than one `Host` header",
  unauthenticated:
    'a token is missing, malformed, unknown, expired or revoked, or belongs to the other API; a partner id or access code is wrong, or the partner is suspended; a session has expired; or the credential belongs to a partner other than the one in `X-Partner-Id`. The response does not reveal which. If a session belongs to a user other than the one in `X-Person-Id`, the message is "Another user has signed in in this browser"',
  wrong_credentials:
    "a sign-in has an unknown email or a wrong password. The response does not reveal which",
  second_factor_needed:
    "a sign-in has the correct password but no code, and the user has a second factor (`second_factor: true`)",
  wrong_second_factor:
    "a sign-in has the correct password, but a wrong or used code (`second_factor: true`)",
  not_permitted: "a valid token lacks the required permission; the message names the permission",
  address_refused:
    "a valid token or correct access code was sent from an IP address that is not on the credential's IP allow list",
  tenant_suspended:
    "the operator has suspended or deleted the tenant (`tenant_suspended: true`). Partners get a message that asks them to contact the business. See [moving-a-tenant.md](moving-a-tenant.md#suspend-a-tenant)",
  quota_exceeded:
    "the tenant would exceed `MAX_RECORDS`, `MAX_BYTES` or its own quota. `resource` is `records` or `bytes`, `used` is the current usage, and `quota` is the limit; responses to partners do not contain these members. Nothing was written. An interrupted import resumes when you send its file again. See [quotas.md](quotas.md)",
  second_factor_needs_link:
    "50 wrong codes were sent for one account within a day (`second_factor: true`). The code in this request was not checked. The second factor is paused until the user sets a new password with a reset link",
  cross_site:
    "a sign-in, or a request with a session cookie, was sent from a page on another site. The service detects this from the `Sec-Fetch-Site` header or, if that header is missing, from an `Origin` that does not match the host of the service. A write with a session cookie but neither header also returns this error",
  not_found:
    "the path or the record does not exist, the record belongs to another tenant, or a sign-in link has been used or has expired. The response does not reveal which",
  method_not_allowed: "the path does not support this method; `Allow` lists the supported ones",
  body_too_slow:
    "a body took longer than 30 s plus 1 s for each 64 KiB to arrive, or an import file arrived at less than 1 KiB/s, averaged over 60 s. Only the time during which the service waits for data is counted. The connection is closed",
  conflict:
    "the request conflicts with stored data; the message states the reason. See [409: conflicts](#409-conflicts)",
  key_in_use:
    "the first request with this `Idempotency-Key` is still running; try again after `Retry-After`",
  cursor_expired:
    "a change feed cursor is older than 30 days, refers to changes that were lost in a restore, or was issued by another installation before the tenant was moved. The response explains how to start again",
  report_expired: "a report about a person is older than 24 hours. Create another report",
  precondition_failed:
    "the record's version does not match `If-Match`; `changed_fields` lists the fields that have changed since the version in `If-Match`",
  body_too_large:
    "a body is larger than 1 MiB (4 KiB for operations without a credential, such as sign-in; 16 MiB for batches). To send more data, use an import, which has no limit",
  too_many_members:
    "a body or a batch item has more than 50,000 object members and list elements, or a batch has more than 1,500,000 in total; the message states the limit",
  too_many_requests:
    "the credential has sent more requests in the window than `RateLimit-Policy` allows; or too many streams, time window requests, exports, imports or summaries are already running for the credential, the tenant or the process (the message names the limit). See [rate-limits.md](rate-limits.md)",
  too_many_attempts:
    "an IP address has made too many attempts. The limits within 15 minutes are five wrong access codes for one partner and 50 in total; five wrong passwords or codes for one email and 50 in total; and 60 correct passwords for one email. The limits within an hour are three password reset requests for one email and 20 in total. The limits are twice as high for an IPv6 /56 network, and four times as high for a /48 network",
  second_factor_paused:
    "10 wrong codes were sent for one account within 15 minutes (`second_factor: true`). The code in this request was not checked",
  too_many_emails:
    "one user has sent more than 100 emails within an hour or 300 within a day, or one business has sent more than 300 within an hour or 1,000 within a day",
  too_many_passwords:
    "five passwords from one IP address are already being checked or waiting to be checked. The limit is twice as high for an IPv6 /56 network, and four times as high for a /48 network",
  too_many_anonymous:
    "an IP address has sent more requests without a credential than `ANONYMOUS_RATE_LIMIT` allows per minute",
  too_many_at_once:
    "a credential has reached the maximum number of requests in progress, which is `CONCURRENCY_LIMIT` or the credential's own limit",
  tenant_busy:
    "500 requests from the tenant are already waiting for the database, or the request waited for 5 s while the tenant's other requests were running. The request was not started",
  too_many_uploads:
    "the request bodies that are arriving or being processed have a total size of more than 64 MiB for one credential or 128 MiB for one IP address",
  internal: "an internal error occurred. To find the details, search the log for the request id",
  duplicate_check_failed:
    "the tenant's own duplicate check did not return a valid response. Nothing was written",
  too_busy: "too many sign-ins are waiting for the process to check their passwords",
  service_busy:
    "5,000 requests are waiting for the database across all tenants, or the request waited for 5 s because of other tenants' requests. The request was not started",
  too_much_data:
    "the request bodies that are arriving or being processed have a total size of more than 256 MiB for all callers together",
  database_unavailable:
    "the database is down, is restarting, or does not respond. The outcome of a write is unknown: retry it with the same `Idempotency-Key`",
  not_started:
    "a write did not get a database connection within 5 s. It was not executed and will not be executed later",
  too_slow:
    "the database stopped a write because one of its statements ran for more than 20 s. Nothing was written",
  transaction_running:
    "an event webhook was created or enabled, or event types were added to one, while a database transaction stayed open for more than 5 s. Nothing was written",
  disk_full:
    "a write or an import was sent while the database's disk had less free space than `DISK_RESERVE`. Reads still work. Nothing was written. An interrupted import resumes when you send its file again",
  stopping:
    "a request arrived after the service began to shut down, and nothing was written; or the service stopped during an import. Rows that were already imported are retained, and the import resumes when you send the same file again",
};

const AFTER = `| 431 | the request line and headers are larger than 128 KiB in total. The connection is closed | Request Header Fields Too Large |

Data that is not an HTTP/1.1 request returns 400 with \`Bad Request\`, and the connection is closed.

## 409: conflicts

| subject | cause |
|---|---|
| records | a unique value (\`external_id\`, \`invoice_num\`) is already in use, or \`on_duplicate=reject\` found a duplicate (\`existing_id\`); several records match the key in the path of a PUT (\`existing_ids\`) |
| concurrent writes, with \`Retry-After\` | other requests kept changing the record; or the request waited for other requests, for 10 s if they were writing the same data, or for 20 s if they had the same email or phone number. Any write can return this error. Nothing was written |
| merges | the records cannot be merged, or the merge cannot be undone: see [duplicates.md](duplicates.md) |
| pushed leads | the status does not allow the action (\`status\`); the partner has already pushed this person, and that lead is pending or accepted (\`existing_id\`); an import by webhook is still being delivered (\`existing_id\`) |
| imports | another client is uploading the file (with \`Retry-After\`); the import started with a different file; the import has ended. See [files.md](files.md#interrupted-imports) |
| webhooks | the maximum number of event webhooks is reached; a replay is running, or the webhook is disabled; another delivery of the same event is pending (\`existing_id\`); a test was requested for a webhook or duplicate check that has no URL |
| users | another user in the tenant has the email (\`existing_id\`); the email and password are valid in several tenants (\`tenants\`); the user is suspended, has no email, or is the last owner who can sign in; the user already has a second factor, or has none |
| demo data | demo data already exists, or it is being loaded or removed |

## 422: invalid requests

\`\`\`json
{"detail": [{"type": "missing", "loc": ["body", "name"], "msg": "Field required", "input": {}}]}
\`\`\`

The response lists all problems in a request (at most 100), in this order: path, query, headers, body. Each problem has these members:

- \`type\` is one of the types below, and \`msg\` explains the problem.
- \`loc\` is the location of the problem. It begins with \`path\`, \`query\`, \`header\` or \`body\`.
- \`input\` is the value at this location, truncated to 1 KiB and with secrets masked.
- \`ctx\` contains details, such as the limit that was exceeded.

References, such as \`account_id\`, are checked only if everything else in the request is valid. You may therefore see errors in references
only after you have fixed all other errors.

| type | cause |
|---|---|
| \`missing\` | a missing required field, or a missing body |
| \`string_type\`, \`int_type\`, \`int_from_float\`, \`float_type\`, \`bool_type\`, \`list_type\`, \`dict_type\` | a value of the wrong JSON type; values in bodies are never converted |
| \`int_parsing\`, \`bool_parsing\`, \`datetime_parsing\` | a query parameter that is not a valid integer, boolean or date; or, in a field that accepts an integer or a [string of digits](records.md#numbers-and-lists), any other string |
| \`enum\` | a value that is not one of those in \`ctx.expected\` |
| \`string_too_short\`, \`string_too_long\`, \`too_short\`, \`too_long\` | a string or list that is too short or too long |
| \`greater_than_equal\`, \`less_than_equal\`, \`less_than\` | a number outside the allowed range, or an epoch time in milliseconds |
| \`decimal_max_digits\`, \`decimal_max_places\` | an amount with too many digits to be stored exactly |
| \`extra_forbidden\` | a field or parameter that the operation does not define |
| \`frozen_field\` | a changed value of a field that can be set only on create |
| \`conflict\` | in an atomic batch, a unique value that another record (\`ctx.existing_id\`) or an earlier item (\`ctx.index\`) already has |
| \`string_unicode\` | a string with U+0000 or half of a surrogate pair |
| \`finite_number\` | a number that is too large to be stored, such as \`1e400\` |
| \`json_invalid\` | a body, filter or sort that is not JSON; in a body, \`loc\` ends with the position of the error |
| \`model_attributes_type\` | a body that is not a JSON object, or whose \`Content-Type\` is not JSON |
| \`value_error\` | anything else; \`msg\` explains the problem and what is allowed |

If the database stops a list query because it takes too long (10 s by default), the request returns 422 with \`match_filter_dict\`
in \`loc\`. If the response has already started, the connection is closed, so that a partial response never looks complete.
`;

export const errorsMarkdown = (): string =>
  BEFORE +
  Object.entries(errorCatalog)
    .map(([code, [status, message]]) => `| ${status} | ${WHEN[code] ?? code} | ${message} |\n`)
    .join("") +
  AFTER;

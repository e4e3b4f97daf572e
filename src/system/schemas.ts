/** The schemas of `GET /crm/admin/system` that openapi.json prints by name. */

import type { Schema } from "../platform/validation/index.ts";

const integer = (description: string): Schema => ({ type: "integer", description });

/** An object that has all of these members. */
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

const OPERATION: Schema = object({
  credential: object({
    kind: { type: "string", enum: ["token", "person", "partner"] },
    id: { type: "string" },
    name: { type: ["string", "null"], description: "Null if the credential no longer exists." },
  }),
  method: { type: "string" },
  route: { type: "string", description: "The pattern of the path, such as /crm/leads/:lead_id." },
  failed: integer("Requests that returned a status of 400 or more."),
  statuses: {
    type: "object",
    description: "Failed requests by status.",
    additionalProperties: { type: "integer" },
  },
  slow: integer(
    "Requests that took more than a second. Streams, imports and exports do not count.",
  ),
  average_ms: integer("Average duration of the failed and slow requests."),
  slowest_ms: integer("Longest duration of the failed and slow requests."),
  last_ts: integer("When the last one ended."),
  last_date: { type: "string" },
});

const INSTALLATION: Schema = object({
  version: { type: "string", description: "The version of Leadport." },
  status: {
    type: "string",
    enum: ["ready", "stopping", "database_unavailable"],
    description: "Whether the process that responds can serve, as `GET /readyz` returns it.",
  },
  uptime_s: integer("Seconds since the process that responds was started."),
  database: object({
    version: { type: "string", description: "The version of PostgreSQL." },
    schema_version: integer("The newest migration that was applied."),
    size_bytes: { type: "integer" },
    disk_free_bytes: {
      type: ["integer", "null"],
      description: "Free disk space; null if Leadport does not run the database itself.",
    },
    longest_transaction_s: { type: "number" },
    change_feed_lag_s: { type: "number" },
  }),
  jobs: {
    type: "array",
    description: "Background jobs by kind. Counted to 10,000.",
    items: object({
      kind: { type: "string" },
      pending: { type: "integer" },
      oldest_age_s: {
        type: "number",
        description: "For how long the oldest job has been due; 0 if none is due.",
      },
    }),
  },
  event_lag_s: {
    type: "number",
    description: "Age of the oldest change whose events are not queued yet.",
  },
  event_webhooks: {
    ...object({
      enabled: { type: "integer" },
      disabled: { type: "integer" },
      paused: { type: "integer" },
    }),
    description: "Event webhooks by state. Leadport pauses those whose receiver keeps failing.",
  },
});

/** Schemas that openapi.json prints by name. */
export const systemSchemas: Readonly<Record<string, Schema>> = {
  FailedOperation: OPERATION,
  Installation: INSTALLATION,
  System: object({
    requests: {
      type: "array",
      description:
        "Failed and slow requests of the last hour by credential and operation, the most frequent first. At most 500.",
      items: { $ref: "FailedOperation#" },
    },
    other_requests: {
      ...object({ failed: { type: "integer" }, slow: { type: "integer" } }),
      description:
        "Failed and slow requests that `requests` does not list because there are too many.",
    },
    installation: {
      anyOf: [{ $ref: "Installation#" }, { type: "null" }],
      description: "Null unless the caller is an owner of the first tenant.",
    },
  }),
};

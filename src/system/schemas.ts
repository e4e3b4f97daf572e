/** The named schemas of `GET /crm/admin/system` in openapi.json. */

import { type Members, objectSchema, type Schemas } from "../platform/validation/index.ts";

const STRING = { type: "string" } as const;
const INTEGER = { type: "integer" } as const;
const integer = (description: string) => ({ ...INTEGER, description });

/** The failed and slow requests for an operation with a given credential. */
const OPERATION = {
  credential: objectSchema({
    kind: { ...STRING, enum: ["token", "person", "partner"] },
    id: STRING,
    name: {
      type: ["string", "null"],
      description: "The name of the credential; null if it no longer exists.",
    },
  }),
  method: STRING,
  route: { ...STRING, description: "The pattern of the path, such as /crm/leads/:lead_id." },
  failed: integer("Requests that returned a status of 400 or more."),
  statuses: {
    type: "object",
    description: "The number of failed requests by status.",
    additionalProperties: INTEGER,
  },
  slow: integer(
    "Requests that took more than a second. Streams, imports and exports do not count.",
  ),
  average_ms: integer("Average duration of the failed and slow requests."),
  slowest_ms: integer("Longest duration of the failed and slow requests."),
  last_ts: integer("When the last of these requests ended."),
  last_date: STRING,
} as const satisfies Schemas;

export interface FailedOperation extends Members<typeof OPERATION> {}

const INSTALLATION = objectSchema({
  version: { ...STRING, description: "The version of Leadport." },
  status: {
    type: "string",
    enum: ["ready", "stopping", "database_unavailable"],
    description: "Whether the responding process can serve requests, as in `GET /readyz`.",
  },
  uptime_s: integer("Seconds since the responding process was started."),
  database: objectSchema({
    version: { ...STRING, description: "The version of PostgreSQL." },
    schema_version: integer("The newest migration that was applied."),
    size_bytes: INTEGER,
    disk_free_bytes: {
      type: ["integer", "null"],
      description: "Free disk space; null if Leadport does not run the database itself.",
    },
    longest_transaction_s: { type: "number" },
    change_feed_lag_s: { type: "number" },
  }),
  jobs: {
    type: "array",
    description: "Background jobs by kind. Counted up to 10,000.",
    items: objectSchema({
      kind: STRING,
      pending: INTEGER,
      oldest_age_s: {
        type: "number",
        description:
          "The number of seconds for which the oldest job has been due; 0 if none is due.",
      },
    }),
  },
  event_lag_s: {
    type: "number",
    description: "Age of the oldest change whose events are not queued yet.",
  },
  event_webhooks: {
    ...objectSchema({
      enabled: INTEGER,
      disabled: INTEGER,
      paused: INTEGER,
    }),
    description:
      "Event webhooks by state. Leadport pauses webhooks if their receiver keeps failing.",
  },
});

/** The named schemas in openapi.json. */
export const systemSchemas: Schemas = {
  FailedOperation: objectSchema(OPERATION),
  Installation: INSTALLATION,
  System: objectSchema({
    requests: {
      type: "array",
      description:
        "Failed and slow requests of the last hour by credential and operation, the most " +
        "frequent first. At most 500.",
      items: { $ref: "FailedOperation#" },
    },
    other_requests: {
      ...objectSchema({ failed: INTEGER, slow: INTEGER }),
      description:
        "Failed and slow requests that `requests` does not list because there are too many.",
    },
    installation: {
      anyOf: [{ $ref: "Installation#" }, { type: "null" }],
      description: "Null unless the caller is an owner of the first tenant.",
    },
  }),
};

/** The named schemas of `GET /crm/admin/system` in openapi.json. */

import {
  boolean,
  described,
  integer,
  type Members,
  nullable,
  number,
  objectSchema,
  type Schemas,
  string,
} from "../platform/schemas/index.ts";

const STRING = { type: "string" } as const;
const INTEGER = { type: "integer" } as const;

/** The failed and slow requests for an operation with a given credential. */
const OPERATION = {
  credential: described(
    objectSchema({
      kind: string("The kind of the credential.", { enum: ["token", "person", "partner"] }),
      id: string("The id of the credential."),
      name: nullable(string("The name of the credential; null if it no longer exists.")),
    }),
    "The credential of the requests; null if they had none.",
  ),
  method: string("The HTTP method."),
  route: string("The pattern of the path, such as /crm/leads/:lead_id."),
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
  version: string("The version of Leadport."),
  commit: nullable(string("The commit from which Leadport was built; null if it is unknown.")),
  schema_version: integer("The newest migration that this version of Leadport has."),
  status: string("Whether the responding process can serve requests, as in `GET /readyz`.", {
    enum: ["ready", "stopping", "database_unavailable"],
  }),
  uptime_s: integer("Seconds since the responding process was started."),
  database: described(
    objectSchema({
      version: string("The version of PostgreSQL."),
      schema_version: integer("The newest migration that was applied."),
      size_bytes: integer("The size of the database."),
      disk_free_bytes: nullable(
        integer("Free disk space; null if Leadport does not run the database itself."),
      ),
      longest_transaction_s: number("The age of the oldest open transaction, in seconds."),
      change_feed_lag_s: number(
        "The age of the oldest change that the feed does not return yet, in seconds.",
      ),
    }),
    "The database.",
  ),
  jobs: {
    type: "array",
    description: "Background jobs by kind. Counted up to 10,000.",
    items: objectSchema({
      kind: string("The kind of job."),
      pending: integer("The number of pending jobs."),
      oldest_age_s: number(
        "The number of seconds for which the oldest job has been due; 0 if none is due.",
      ),
    }),
  },
  processes: {
    type: "array",
    description: "The running processes of all machines, the oldest release first.",
    items: objectSchema({
      kind: string(
        "`service` for `leadport start` and `leadport serve`, `worker`, or `command` for other commands.",
        { enum: ["service", "worker", "command"] },
      ),
      release: string("The version of Leadport."),
      schema_version: integer("The newest migration that the process knows."),
      host: string("The name of the machine."),
      pid: integer("The id of the process on that machine."),
      started_ts: integer("When the process was started."),
    }),
  },
  backfills: {
    type: "array",
    description:
      "The changes to existing rows that upgrades make in the background. Requests do not wait for them.",
    items: objectSchema({
      name: string("The name of the back-fill."),
      rows_done: integer("The rows that the current pass has read."),
      rows_total: integer("The approximate number of rows that it reads."),
      is_finished: boolean("Whether all rows have their new values."),
    }),
  },
  event_lag_s: number("Age of the oldest change whose events are not queued yet."),
  event_webhooks: {
    type: "object",
    required: ["enabled", "disabled", "paused"],
    description:
      "Event webhooks by state. Leadport pauses webhooks if their receiver keeps failing.",
    properties: {
      enabled: integer("The number of enabled webhooks."),
      disabled: integer("The number of disabled webhooks."),
      paused: integer("The number of paused webhooks."),
    },
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
      type: "object",
      required: ["failed", "slow"],
      description:
        "Failed and slow requests that `requests` does not list because there are too many.",
      properties: {
        failed: integer("The number of failed requests."),
        slow: integer("The number of slow requests."),
      },
    },
    installation: {
      anyOf: [{ $ref: "Installation#" }, { type: "null" }],
      description: "Null unless the caller is an owner of the first tenant.",
    },
  }),
};

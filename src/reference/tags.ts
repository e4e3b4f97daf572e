/** Descriptions of the tags, which group operations. */

import { recordTypes } from "../records/index.ts";

/** The tags, in the order used in the reference. */
const TAGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(recordTypes.map(({ table, description }) => [table, description])),
  fields: "The record types and their fields, as data.",
  changes: "The change feed: every change to the tenant's records, in order.",
  files: "Imports and exports of CSV and NDJSON files.",
  "event webhooks": "Signed requests to your systems when records change.",
  deliveries: "Webhook requests that were sent or are pending. You can resend them.",
  partners: "The partners that send leads to the tenant.",
  review: "Accepting, rejecting and importing the leads that partners pushed.",
  settings: "Connections to your own systems: the import webhook and the duplicate check.",
  administration: "The tenant, access tokens, the audit log, demo data and the installation.",
  people: "The users of the tenant.",
  privacy: "Reports about people in your data, erasure of people, and data retention.",
  "partner exchange": "Operations for partners: look up people, push leads, and track them.",
  "sign-in": "Sign-in, sessions and second factors of the console and the portal.",
};

interface Tagged {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { tags?: readonly string[] }>>>>;
}

/** Returns the tags that a description's operations use, each with its description. */
export function tagsOf({ paths }: Tagged): readonly { name: string; description?: string }[] {
  const used = new Set(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ tags = [] }) => tags),
    ),
  );
  const known = Object.entries(TAGS)
    .filter(([name]) => used.delete(name))
    .map(([name, description]) => ({ name, description }));
  return [...known, ...[...used].map((name) => ({ name }))];
}

/**
 * Finds mentions of the person in the text of other records, for an administrator to review. Searches only for names of
 * two or more words, because a single word would also match other people.
 */

import sql, { raw } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import type { Db } from "../../platform/database/index.ts";
import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import { typesOf } from "../../records/types/index.ts";
import type { FoundRecords } from "./found-records.ts";
import { scanRows } from "./scan.ts";
import { type Matcher, matcherOf, type TermKind, type Terms } from "./terms.ts";

export interface Mention {
  /** A record type, or another kind of item: a webhook, import, setting, user or partner. */
  readonly type: string;
  readonly id: string;
  readonly name: string | null;
  /** The fields or columns that contain a mention. */
  readonly fields: readonly string[];
  readonly kinds: readonly TermKind[];
  /** Whether only the history mentions the person. */
  readonly in_history: boolean;
}

/** The maximum number of mentions in a report. */
export const MENTIONS_MAX = 500;

/** The tables with other text written by users, each with its key, its name column and the columns to search. */
const OTHERS = [
  {
    type: "webhook",
    table: "event_webhooks",
    key: "id",
    name: "null",
    texts: ["filter", "description"],
  },
  { type: "setting", table: "tenant_settings", key: "name", name: "name", texts: ["value"] },
  {
    type: "import",
    table: "imports",
    key: "id",
    name: "file_name",
    texts: ["file_name", "options", "file", "mapping"],
  },
  {
    type: "user",
    table: "people",
    key: "id",
    name: "name",
    texts: ["name", "email", "preferences"],
  },
  { type: "partner", table: "partners", key: "id", name: "name", texts: ["name"] },
] as const;

/** Finds all data that mentions one of the terms but does not belong to the person's records. */
export async function findMentions(
  scope: Scope<Db>,
  terms: Terms,
  found: FoundRecords,
): Promise<readonly Mention[]> {
  const matcher = matcherOf(terms);
  if (matcher.mayMention("x") === undefined) return [];
  const mentions = new Map<string, Mention>();
  const add = (mention: Mention): void => {
    const key = `${mention.type} ${mention.id}`;
    const isKnown = mentions.has(key) || found.has(mention.type, mention.id);
    if (isKnown || mention.fields.length === 0 || mentions.size >= MENTIONS_MAX) return;
    mentions.set(key, mention);
  };
  await inRecords(scope, matcher, add);
  await inOthers(scope, matcher, add);
  await inHistory(scope, matcher, add);
  return [...mentions.values()];
}

type Add = (mention: Mention) => void;

async function inRecords(scope: Scope<Db>, matcher: Matcher, add: Add): Promise<void> {
  const mayMention = matcher.mayMention("body::text");
  if (mayMention === undefined) return;
  for (const { name: type, table } of Object.values(typesOf(scope))) {
    const rows = scanRows<{ id: string; body: JsonObject }>(scope, {
      table,
      key: ["id"],
      selected: sql`id, body`,
      where: mayMention,
    });
    for await (const { id, body } of rows) {
      const name = typeof body["name"] === "string" ? body["name"] : null;
      add({ type, id, name, in_history: false, ...mentionedIn(body, matcher) });
    }
  }
}

/**
 * Returns the members that mention a term. Skips `user_name`, because it is the name of a user rather than the person.
 */
function mentionedIn(values: JsonObject, matcher: Matcher): Pick<Mention, "fields" | "kinds"> {
  const kinds = new Set<TermKind>();
  const fields = Object.entries(values).flatMap(([name, value]) => {
    if (name === "user_name" || value === null) return [];
    const found = matcher.kindsIn(typeof value === "string" ? value : JSON.stringify(value));
    for (const kind of found) kinds.add(kind);
    return found.size > 0 ? [name] : [];
  });
  return { fields, kinds: [...kinds] };
}

async function inOthers(scope: Scope<Db>, matcher: Matcher, add: Add): Promise<void> {
  for (const { type, table, key, name, texts } of OTHERS) {
    const columns = texts.map((column) => `${column}::text`);
    const text = `concat_ws(' ', ${columns.join(", ")})`;
    const mayMention = matcher.mayMention(`(${text})`);
    if (mayMention === undefined) return;
    const selected = raw(`${key} as id, ${name} as name, ${texts.join(", ")}`);
    const rows = scanRows<Record<string, Json>>(scope, {
      table,
      key: [key],
      selected: sql`${selected}`,
      where: mayMention,
    });
    for await (const row of rows) {
      const values = Object.fromEntries(texts.map((column) => [column, row[column] ?? null]));
      const shown = typeof row["name"] === "string" ? row["name"] : null;
      const id = String(row["id"]);
      add({ type, id, name: shown, in_history: false, ...mentionedIn(values, matcher) });
    }
  }
}

async function inHistory(scope: Scope<Db>, matcher: Matcher, add: Add): Promise<void> {
  const mayMention = matcher.mayMention("fields::text");
  if (mayMention === undefined) return;
  const rows = scanRows<{ type: string; id: string; fields: Json }>(scope, {
    table: "changes",
    key: ["id"],
    selected: sql`subject_type as type, subject_id as id, fields`,
    where: mayMention,
  });
  for await (const { type, id, fields } of rows) {
    if (!isObject(fields)) continue;
    add({ type, id, name: null, in_history: true, ...mentionedIn(fields, matcher) });
  }
}

/**
 * Collects the plans of statements as they run: every connection of a pool loads auto_explain,
 * which sends each plan with its row counts to the client. No statement is copied from the service,
 * and none runs twice.
 */

import postgres from "postgres";
import type { Database } from "../src/platform/database/db.ts";
import type { Db } from "../src/platform/database/tx.ts";

/** A plan node, with PostgreSQL's member names. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly Plans?: readonly PlanNode[];
  readonly [member: string]: unknown;
}

export interface SeenPlan {
  /** The pool whose connection ran the statement. */
  readonly pool: "sql" | "lists";
  readonly text: string;
  readonly took_ms: number;
  readonly plan: PlanNode;
}

/** Plans are sent to the client, not to the server's log. Nested statements include foreign key lookups. */
const EXPLAINING = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_buffers": "on",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_format": "json",
  "auto_explain.log_level": "notice",
  client_min_messages: "notice",
};

/**
 * Reopens a database's connection pools with the same settings, and records the plans of their statements. Statements
 * of the pool `sql` get the generic plan, which PostgreSQL uses for a prepared statement after some executions.
 */
export function watched(db: Database, see: (plan: SeenPlan) => void): Database {
  const open = (pool: SeenPlan["pool"], more: Readonly<Record<string, string>>): Db => {
    const { options } = db[pool];
    return postgres({
      ...(options as object),
      connection: { ...options.connection, ...EXPLAINING, ...more },
      onnotice: ({ message = "" }) => {
        const [, took_ms, json] = /^duration: ([\d.]+) ms {2}plan:\n([^]*)$/.exec(message) ?? [];
        if (json === undefined) return;
        const { "Query Text": text, Plan: plan } = JSON.parse(json) as {
          readonly "Query Text": string;
          readonly Plan: PlanNode;
        };
        see({ pool, text: text.replaceAll(/\s+/g, " ").trim(), took_ms: Number(took_ms), plan });
      },
    });
  };
  const sql = open("sql", { plan_cache_mode: "force_generic_plan" });
  const lists = open("lists", {});
  return {
    sql,
    reads: sql,
    lists,
    probe: db.probe,
    admission: db.admission,
    close: async () => {
      await Promise.all([sql.end({ timeout: 1 }), lists.end({ timeout: 1 })]);
    },
  };
}

/** Returns all nodes of a plan, starting with the root. */
export function nodesOf(plan: PlanNode): readonly PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Returns the total number of rows that a node returned in all of its executions. */
export const rowsOf = (node: PlanNode): number => node["Actual Rows"] * node["Actual Loops"];

export const ROWS_MAX = 1000;

/** Returns the number of rows that a node reads from its child node, excluding materialized rows. */
const inputOf = ({ Plans = [] }: PlanNode): number =>
  Plans.filter((child) => child["Parent Relationship"] === "Outer").reduce(
    (sum, child) => sum + rowsOf(child),
    0,
  );

/** Returns the number of rows that were read but did not match. A high number may indicate a problem. */
export const readInVain = (plan: PlanNode): number =>
  Math.max(
    ...nodesOf(plan).map(
      (node) => Number(node["Rows Removed by Filter"] ?? 0) * node["Actual Loops"],
    ),
  );

/** Returns the problems of a plan: reading an entire large table, or sorting many rows. */
export function faultsOf(plan: PlanNode, tableRows: ReadonlyMap<string, number>): string[] {
  return nodesOf(plan).flatMap((node) => {
    const type = node["Node Type"];
    if (node["Actual Loops"] === 0) return [];
    if (type === "Seq Scan") {
      const table = node["Relation Name"] ?? "";
      const rows = tableRows.get(table) ?? 0;
      return rows > ROWS_MAX ? [`reads all of ${table} (${rows} rows)`] : [];
    }
    if (type !== "Sort" && type !== "Incremental Sort") return [];
    const rows = inputOf(node);
    return rows > ROWS_MAX ? [`sorts ${rows} rows`] : [];
  });
}

const DETAILS = ["Index Cond", "Recheck Cond", "Filter", "Sort Key", "Rows Removed by Filter"];

/** Formats a plan as lines of text. */
export function linesOf(node: PlanNode, depth = 0): readonly string[] {
  const on = node["Relation Name"] === undefined ? "" : ` on ${node["Relation Name"]}`;
  const using = node["Index Name"] === undefined ? "" : ` using ${node["Index Name"]}`;
  const blocks = Number(node["Shared Hit Blocks"] ?? 0) + Number(node["Shared Read Blocks"] ?? 0);
  const pad = "  ".repeat(depth);
  const run =
    node["Actual Loops"] === 0
      ? "never run"
      : `rows ${node["Actual Rows"]}, loops ${node["Actual Loops"]}, pages ${blocks}`;
  return [
    `${pad}${node["Node Type"]}${using}${on} (${run})`,
    ...DETAILS.filter((name) => name in node).map(
      (name) => `${pad}    ${name}: ${[node[name]].flat().join(", ").slice(0, 300)}`,
    ),
    ...(node.Plans ?? []).flatMap((child) => linesOf(child, depth + 1)),
  ];
}

/**
 * Parses `match_filter_dict`. All problems are reported together. docs/filters.md describes filters for integrators.
 *
 * The console uses this parser too. That is why this folder imports nothing but types from outside of it.
 */

import type { Json, JsonObject } from "../../../platform/json/index.ts";
import {
  combined,
  membersOf,
  not,
  NOTHING,
  type Filter,
  type FilterField,
  type FilterFields,
} from "./filter.ts";
import { DEPTH_MAX, FILTER_BYTES_MAX, Findings, type FilterIssue } from "./findings.ts";
import { isObject, parseFilterText } from "./object-ids.ts";
import { conditions, OPERATORS } from "./operators.ts";
import { below, refuse, type Here, type ParseContext } from "./values.ts";

const LOGICAL = new Map<string, (of: readonly Filter[]) => Filter>([
  ["$and", (of) => ({ op: "and", of })],
  ["$or", (of) => ({ op: "or", of })],
  ["$nor", (of) => not({ op: "or", of })],
]);

/** The names of all operators, for the documentation. */
export const FILTER_OPERATORS: readonly string[] = [
  ...LOGICAL.keys(),
  ...OPERATORS.keys(),
  "$options",
];

export interface Parsed {
  /** Valid only if there are no issues. */
  readonly filter: Filter;
  readonly issues: readonly FilterIssue[];
  /** Whether the filter uses `_id` or ObjectId('…'), which only eval_object_id=true allows. */
  readonly usesIds: boolean;
}

export function parse(text: string, context: ParseContext): Parsed {
  const findings = new Findings();
  const value = read(text, findings);
  const here = { context, findings, at: "", depth: 0, query: readQuery };
  const filter = value === undefined ? NOTHING : readQuery(value, context.fields, here);
  return { filter, issues: findings.issues, usesIds: findings.usesIds };
}

function read(text: string, findings: Findings): JsonObject | undefined {
  // A character has at most 3 bytes per UTF-16 unit.
  const mayExceed = text.length * 3 > FILTER_BYTES_MAX;
  if (mayExceed && new TextEncoder().encode(text).length > FILTER_BYTES_MAX) {
    findings.refuse("", `a filter can have at most ${FILTER_BYTES_MAX / 1024} KiB`);
    return undefined;
  }
  let value: Json;
  try {
    value = parseFilterText(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const msg = `Invalid JSON: ${reason}`;
    findings.issues.push({ type: "json_invalid", msg, ctx: { error: reason } });
    return undefined;
  }
  if (isObject(value)) return value;
  findings.issues.push({ type: "dict_type", msg: "Input should be a valid dictionary" });
  return undefined;
}

/** Parses an object of field conditions and logical operators, which are combined with AND. */
function readQuery(query: JsonObject, fields: FilterFields, outer: Here): Filter {
  const here = { ...outer, depth: outer.depth + 1 };
  if (here.depth > DEPTH_MAX) {
    return refuse(here, `conditions can be nested at most ${DEPTH_MAX} levels deep`);
  }
  const entries = Object.entries(query);
  if (entries.length === 0) here.findings.countCondition();
  const parts = entries.map(([name, operand]) => {
    const combine = LOGICAL.get(name);
    return combine === undefined
      ? readField(name, operand, fields, below(here, name))
      : combine(readClauses(operand, fields, below(here, name)));
  });
  return combined("and", parts);
}

function readClauses(operand: Json, fields: FilterFields, here: Here): readonly Filter[] {
  if (!Array.isArray(operand) || operand.length === 0) {
    return [refuse(here, "must be a list of at least one object with conditions")];
  }
  return operand.map((clause: Json, i) =>
    isObject(clause)
      ? readQuery(clause, fields, below(here, i))
      : refuse(below(here, i), "must be an object with conditions"),
  );
}

function readField(name: string, operand: Json, fields: FilterFields, here: Here): Filter {
  const field = fields.get(name);
  if (field === undefined) return readMember(name, operand, fields, here);
  if (name === "_id") here.findings.usesIds = true;
  if (name === "_id" && !here.context.evalObjectId) {
    return refuse(here, "_id can be used only with eval_object_id=true");
  }
  return conditions(field, operand, here);
}

/** Reads a condition on a member of the entries of a list, such as `email_list.type`. */
function readMember(name: string, operand: Json, fields: FilterFields, here: Here): Filter {
  const [list = "", ...path] = name.split(".");
  const field = fields.get(list);
  const member = field?.kind === "entries" ? membersOf(field).get(path.join(".")) : undefined;
  if (field === undefined || member === undefined) return refuse(here, whyNot(name, fields, here));
  return onEntries(field, conditions(member, operand, here));
}

/** Applies each condition on a member to the entries of a list. Different entries can meet them. */
function onEntries(field: FilterField, filter: Filter): Filter {
  switch (filter.op) {
    case "and":
    case "or":
      return { op: filter.op, of: filter.of.map((part) => onEntries(field, part)) };
    case "not":
      return not(onEntries(field, filter.of));
    case "in":
      return filter.values.length === 0 ? NOTHING : { op: "some", field, of: filter };
    default:
      return { op: "some", field, of: filter };
  }
}

function whyNot(name: string, fields: FilterFields, { context }: Here): string {
  if (OPERATORS.has(name)) return "this operator must be below the name of a field";
  if (name.startsWith("$")) {
    return `unknown operator; supported operators are ${FILTER_OPERATORS.join(", ")}`;
  }
  const known = [...fields.values()].flatMap((field) => namesOf(field, context.evalObjectId));
  return `this list cannot be filtered by this field; available fields are: ${known.join(", ")}`;
}

function namesOf(field: FilterField, evalObjectId: boolean): readonly string[] {
  const { name } = field;
  if (name === "_id" && !evalObjectId) return ["_id (with eval_object_id=true)"];
  const members = field.kind === "entries" ? [...membersOf(field).keys()] : [];
  return [name, ...members.map((member) => `${name}.${member}`)];
}

/**
 * The reference implementation of filters. It converts a filter in Leadport's syntax to an equivalent mingo filter,
 * which mingo evaluates on the returned bodies. It also rewrites filters that mingo is known to evaluate differently
 * from MongoDB. Each of these rewrites is marked "mingo:".
 */

import { Query } from "mingo";
import type { RecordType } from "../../src/records/types/record-types.ts";
import type { Json, JsonObject } from "../../src/platform/json/index.ts";
import { phoneKey } from "../../src/records/contact-details/phone.ts";
import { mustColumn, type ColumnKind } from "../../src/records/columns/columns.ts";

type Judged = Record<string, unknown>;

/** Maps MongoDB patterns to equivalent ECMAScript patterns, which mingo uses. */
export type JudgedPatterns = ReadonlyMap<string, string>;

const NEVER: Judged = { $nor: [{}] };
const MAIN: Readonly<Record<string, string>> = { email_list: "email", phone_list: "phone" };

/** Returns the `_id`s of the bodies that mingo selects. */
export function judge(
  type: RecordType,
  filter: JsonObject,
  patterns: JudgedPatterns,
  bodies: readonly JsonObject[],
): unknown[] {
  const query = new Query(new Judge(type, patterns).query(filter));
  return bodies.filter((body) => query.test(body)).map((body) => body["_id"]);
}

class Judge {
  readonly #type: RecordType;
  readonly #patterns: JudgedPatterns;

  constructor(type: RecordType, patterns: JudgedPatterns) {
    this.#type = type;
    this.#patterns = patterns;
  }

  query(filter: JsonObject): Judged {
    const clauses = Object.entries(filter).map(([name, operand]) =>
      Array.isArray(operand) && ["$and", "$or", "$nor"].includes(name)
        ? { [name]: operand.map((clause) => this.query(clause as JsonObject)) }
        : this.field(name, operand),
    );
    return clauses.length === 0 ? {} : { $and: clauses };
  }

  field(name: string, operand: Json): Judged {
    const [list = name, member] = name.split(".");
    const place = { name, list, member, kind: member ? "text" : this.kindOf(name) } as const;
    if (!isOperators(operand)) return this.operator(place, "$eq", operand, {});
    return {
      $and: Object.entries(operand)
        .filter(([operator]) => operator !== "$options")
        .map(([operator, value]) => this.operator(place, operator, value, operand)),
    };
  }

  /** The members of entries have no separate columns. All of them are text. */
  kindOf(name: string): ColumnKind {
    return name === "email" || name === "phone" || name === "type"
      ? "text"
      : mustColumn(this.#type, name).kind;
  }

  operator(place: JudgedPlace, operator: string, operand: Json, siblings: JsonObject): Judged {
    if (operator === "$not") return { $nor: [this.field(place.name, operand)] };
    if (operator === "$regex") return this.regex(place, operand, siblings);
    if (place.kind === "emails" || place.kind === "phones") {
      return this.entries(place, operator, operand);
    }
    const { name, list, member } = place;
    if (operator === "$elemMatch") return { [name]: { $elemMatch: this.element(operand) } };
    if (operator === "$all" && place.kind !== "texts") {
      // mingo: $all never matches a field with a single value.
      const each = (operand as Json[]).map((value) => this.operator(place, "$eq", value, {}));
      return each.length === 0 ? NEVER : { $and: each };
    }
    const value = this.valueOf(name, operand);
    const asksForNull = value === null || (Array.isArray(value) && value.includes(null));
    if (asksForNull && (operator === "$gte" || operator === "$lte")) {
      // mingo: $gte and $lte with null do not match missing members.
      return this.operator(place, "$eq", null, {});
    }
    if (member !== undefined && (asksForNull || operator === "$exists")) {
      // mingo: a path through a list does not detect missing members, but $elemMatch does.
      const negative = operator === "$ne" || operator === "$nin" || value === false;
      const positive = { $ne: "$eq", $nin: "$in" }[operator] ?? operator;
      const some = {
        [list]: { $elemMatch: { [member]: { [positive]: value === false || value } } },
      };
      return negative ? { $nor: [some] } : some;
    }
    return { [name]: { [operator]: value } };
  }

  /** Leadport's syntax: in a filter on a list of entries, a plain value refers to the entries' main member. */
  entries(place: JudgedPlace, operator: string, operand: Json): Judged {
    const { name } = place;
    const equals = (value: Json): Judged => {
      if (typeof value !== "string") return value === null ? NEVER : { [name]: { $size: 0 } };
      return place.kind === "phones"
        ? { "phone_list.phone": phoneKey(value, "US") }
        : { "email_list.email": new RegExp(`^${escaped(value)}$`, "iu") };
    };
    const any = (values: Json): Judged => ({ $or: [NEVER, ...(values as Json[]).map(equals)] });
    switch (operator) {
      case "$eq":
        return equals(operand);
      case "$ne":
        return { $nor: [equals(operand)] };
      case "$in":
        return any(operand);
      case "$nin":
        return { $nor: [any(operand)] };
      case "$all": {
        const each = (operand as Json[]).map((value) => this.field(name, value));
        return each.length === 0 ? NEVER : { $and: each };
      }
      case "$elemMatch":
        return { [name]: { $elemMatch: this.query(operand as JsonObject) } };
      default:
        return { [name]: { [operator]: operand } };
    }
  }

  /** Converts operators on the strings in a list. Only patterns change. */
  element(operand: Json): Judged {
    const operators = operand as JsonObject;
    return Object.fromEntries(
      Object.entries(operators)
        .filter(([operator]) => operator !== "$options")
        .map(([operator, value]) => {
          if (operator === "$not") return [operator, this.element(value)];
          if (operator !== "$regex") return [operator, value];
          return [operator, this.pattern(value, operators, "")];
        }),
    );
  }

  regex({ name, kind }: JudgedPlace, operand: Json, siblings: JsonObject): Judged {
    const on = kind === "emails" || kind === "phones" ? `${name}.${MAIN[name]}` : name;
    return { [on]: { $regex: this.pattern(operand, siblings, kind === "emails" ? "i" : "") } };
  }

  pattern(operand: Json, siblings: JsonObject, more: string): RegExp {
    const options = String(siblings["$options"] ?? "").replace("x", "");
    const source = this.#patterns.get(String(operand)) ?? String(operand);
    return new RegExp(source, [...new Set(`${options}${more}u`)].join(""));
  }

  /** Returns the operand with ids and enumeration values in their stored spelling. A filter may use any spelling. */
  valueOf(name: string, operand: Json): Json {
    if (Array.isArray(operand)) return operand.map((value: Json) => this.valueOf(name, value));
    if (typeof operand !== "string") return operand;
    const hex = /^ObjectId\('(\w{24})'\)$/.exec(operand)?.[1];
    if (hex !== undefined) return hex.toLowerCase();
    const field = this.#type.fields[name];
    return (field?.kind === "choice" ? field.spellings?.[operand] : undefined) ?? operand;
  }
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

interface JudgedPlace {
  /** The name as written, such as `tags` or `email_list.type`. */
  readonly name: string;
  readonly list: string;
  readonly member: string | undefined;
  readonly kind: ColumnKind;
}

const isOperators = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * A filter as a tree: conditions on fields, combined with and, or and not. Values are checked and in their stored form.
 * A filter is plain data, and everything that uses filters uses this tree.
 */

export type Scalar = string | number | boolean | null;

/** A field that filters can refer to. `type` is the type of its values or list elements; null is always allowed. */
export type FilterField = ValueField | TextsField | EntriesField;

/** A field with one value; in `some`, also the element of a list of strings, or a member of an entry. */
interface ValueField {
  readonly kind: "value" | "element" | "member";
  /** As in filters; an empty string for an element. */
  readonly name: string;
  readonly type: "string" | "number" | "boolean";
  /** Whether values can be written as ObjectId('…'). */
  readonly ids?: boolean;
  /** Alternative spellings of values, with the stored ones. */
  readonly spellings?: Readonly<Record<string, string>>;
}

/** A list of strings: at least one of them must meet the condition. */
interface TextsField {
  readonly kind: "texts";
  readonly name: string;
  readonly type: "string";
}

/** A list of email addresses or phone numbers, which are compared by their main member. */
export interface EntriesField {
  readonly kind: "entries";
  readonly name: string;
  readonly type: "string";
  readonly main: "email" | "phone";
}

/** The fields by name, in the order in which messages list them. */
export type FilterFields = ReadonlyMap<string, FilterField>;

export type Filter = Combined | Negated | Condition;

/** Whether a record meets all conditions, or at least one. An empty `or` matches nothing. */
interface Combined {
  readonly op: "and" | "or";
  readonly of: readonly Filter[];
}

interface Negated {
  readonly op: "not";
  readonly of: Filter;
}

/**
 * A condition on a field. `all`: a list contains all of the values. `list`: it consists of exactly these, in this order.
 * `some`: one element meets a filter on the element or on the members of the entry.
 */
export type Condition = { readonly field: FilterField } & (
  | { readonly op: "eq" | "gt" | "gte" | "lt" | "lte"; readonly value: Scalar }
  | { readonly op: "in"; readonly values: readonly Scalar[] }
  | { readonly op: "all" | "list"; readonly values: readonly string[] }
  | ({ readonly op: "regex" } & RegexSource)
  | { readonly op: "size"; readonly size: number }
  | { readonly op: "some"; readonly of: Filter }
  | { readonly op: "exists" }
);

export interface RegexSource {
  readonly pattern: string;
  readonly options: string;
  /** Whether letters match regardless of case even where the pattern distinguishes it, as in addresses. */
  readonly ignoresCase: boolean;
}

/** The fields in the entries of a list, by name. */
export const membersOf = ({ main }: EntriesField): FilterFields => MEMBERS[main];

const fieldsFor = (...names: readonly string[]): FilterFields =>
  new Map(
    names.map((name): [string, FilterField] => [name, { kind: "member", name, type: "string" }]),
  );

const MEMBERS = { email: fieldsFor("email", "type"), phone: fieldsFor("phone", "type") };

export const NOTHING: Filter = { op: "or", of: [] };
export const not = (of: Filter): Filter => ({ op: "not", of });

/** Combines filters. Returns a single filter unchanged. */
export function combined(op: "and" | "or", of: readonly Filter[]): Filter {
  const [only] = of;
  return only !== undefined && of.length === 1 ? only : { op, of };
}

const isCombined = (filter: Filter): filter is Combined =>
  filter.op === "and" || filter.op === "or";

/** Returns the filters of which all must match. */
const conjuncts = (filter: Filter): readonly Filter[] =>
  filter.op === "and" ? filter.of.flatMap(conjuncts) : [filter];

const memberName = (list: string, member: string): string =>
  member === "" ? list : `${list}.${member}`;

/** Returns the names of the fields and members that a filter refers to, with the operators on each. */
export function fieldsOf(filter: Filter): ReadonlyMap<string, ReadonlySet<Condition["op"]>> {
  const found = new Map<string, Set<Condition["op"]>>();
  const visit = (part: Filter, list: string | undefined): void => {
    if (part.op === "not") return visit(part.of, list);
    if (isCombined(part)) return part.of.forEach((one) => visit(one, list));
    const name = list === undefined ? part.field.name : memberName(list, part.field.name);
    const operators = found.get(name) ?? new Set();
    found.set(name, operators.add(part.op));
    return part.op === "some" ? visit(part.of, name) : undefined;
  };
  visit(filter, undefined);
  return found;
}

/** A condition that a planner can use: a field equals one of several values, or lies on one side of a value. */
export interface Range {
  /** The name of the field or member, such as `email_list.email`. */
  readonly field: string;
  readonly op: "in" | "gt" | "gte" | "lt" | "lte";
  readonly values: readonly Scalar[];
}

/**
 * Returns conditions that every matching record meets. Different elements of a list can meet them. `isExact` states
 * whether all records that meet them match.
 */
export function rangesOf(filter: Filter): {
  readonly ranges: readonly Range[];
  readonly isExact: boolean;
} {
  const parts = conjuncts(filter);
  const ranges = parts.map(rangesIn);
  return {
    ranges: ranges.flat(),
    isExact: ranges.every(({ length }, at) => length > 0 && parts[at]?.op !== "some"),
  };
}

function rangesIn(part: Filter): readonly Range[] {
  switch (part.op) {
    case "eq":
      return [{ field: part.field.name, op: "in", values: [part.value] }];
    case "in":
      return [{ field: part.field.name, op: "in", values: part.values }];
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return [{ field: part.field.name, op: part.op, values: [part.value] }];
    case "some": {
      const { field } = part;
      const { ranges } = rangesOf(part.of);
      return ranges.map((range) => ({ ...range, field: memberName(field.name, range.field) }));
    }
    default:
      return [];
  }
}

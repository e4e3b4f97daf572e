/**
 * A filter as a tree: conditions on fields, combined with and, or and not. Values are checked and in their stored form.
 * A filter is plain data, and everything that uses filters uses this tree.
 */

export type Scalar = string | number | boolean | null;

/** A field that filters can refer to. `type` is the type of its values or list elements; null is always allowed. */
export type FilterField = ValueField | MemberField | TextsField | EntriesField;

/** A field with one value; in `some`, also the element of a list of strings, or a member of an entry. */
interface ValueField {
  readonly kind: "value" | "element" | "entry_member";
  /** As in filters; an empty string for an element. */
  readonly name: string;
  readonly type: "string" | "number" | "boolean";
  /** Whether values can be written as ObjectId('…'). */
  readonly ids?: boolean;
  /** Alternative spellings of values, with the stored ones. */
  readonly spellings?: Readonly<Record<string, string>>;
}

/** A member of the entries of a list, such as `email_list.type`: at least one entry must meet the condition. */
interface MemberField {
  readonly kind: "member";
  readonly name: string;
  readonly type: "string";
  readonly list: EntriesField;
  readonly member: FilterField;
}

/** A list of strings: at least one of them must meet the condition. */
export interface TextsField {
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
  readonly members: FilterFields;
}

/** The fields by the names that filters use, in the order in which messages list them. */
export type FilterFields = ReadonlyMap<string, FilterField>;

/** Returns the field for a list of entries, followed by the fields for the members of its entries. */
export function entriesField(name: string, main: EntriesField["main"]): readonly FilterField[] {
  const members = [main, "type"].map((member): ValueField => ({
    kind: "entry_member",
    name: member,
    type: "string",
  }));
  const list: EntriesField = {
    kind: "entries",
    name,
    type: "string",
    main,
    members: new Map(members.map((member) => [member.name, member])),
  };
  const paths = members.map((member): MemberField => ({
    kind: "member",
    name: `${name}.${member.name}`,
    type: "string",
    list,
    member,
  }));
  return [list, ...paths];
}

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

export type Condition = OneValue | OneOf | WholeList | Regex | Size | Some | Exists;

interface OneValue {
  readonly op: "eq" | "gt" | "gte" | "lt" | "lte";
  readonly field: FilterField;
  readonly value: Scalar;
}

interface OneOf {
  readonly op: "in";
  readonly field: FilterField;
  readonly values: readonly Scalar[];
}

/** `all`: the list contains all of the values. `list`: it consists of exactly these, in this order. */
interface WholeList {
  readonly op: "all" | "list";
  readonly field: FilterField;
  readonly values: readonly string[];
}

interface Regex {
  readonly op: "regex";
  readonly field: FilterField;
  readonly pattern: string;
  readonly options: string;
  /** Whether letters match regardless of case even where the pattern distinguishes it, as in addresses. */
  readonly ignoresCase: boolean;
}

interface Size {
  readonly op: "size";
  readonly field: FilterField;
  readonly size: number;
}

/** One element meets the condition, whose fields are the element or the members of the entry. */
interface Some {
  readonly op: "some";
  readonly field: FilterField;
  readonly of: Filter;
}

interface Exists {
  readonly op: "exists";
  readonly field: FilterField;
}

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
export const conjuncts = (filter: Filter): readonly Filter[] =>
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

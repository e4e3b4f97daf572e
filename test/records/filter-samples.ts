/** Random records and filters. They use small pools of difficult values, so that filters often match. */

import * as fc from "fast-check";
import { filterColumns } from "../../src/records/columns/columns.ts";
import type { RecordType } from "../../src/records/types/record-types.ts";
import { DEPTH_MAX } from "../../src/records/filter/tree/findings.ts";
import type { Json, JsonObject } from "../../src/platform/json/index.ts";
import { columnOf, type ColumnKind } from "../../src/records/columns/columns.ts";

type Arb<T> = fc.Arbitrary<T>;

const IDS = ["65f0c0ffee65f0c0ffee0000", "65f0c0ffee65f0c0ffee0001", "65f0c0ffee65f0c0ffee0002"];
const TEXTS = ["", "a", "A", "ab", "b", "ba.b", "é", "É", "😀", "k", "\u212a", "ſ", "a\nb", "b\n"];
const WORDS = ["in_progress", "10", " a b", "a-b", "[x]", "%", "\\", "'", '"', "ß", "ẞ", "Ω", "Ω"];
const NUMBERS = [0, 1, -1.5, 2.25, 10, 0.1, 1e6, 1_700_000_000, 123456789.123456];
const EMAILS = ["ann@example.com", "Ann@Example.com", "bob@example.com", "not an address", "%_"];
const PHONES = ["15555555555", "442079460958", "14168109897", "call me"];
const TYPED_PHONES = ["+1 555 555 5555", "5555555555", "(416) 810-9897 x5", ...PHONES];
const TYPES = ["Main", "Home", ""];

const text = fc.constantFrom(...TEXTS, ...WORDS);
const orNull = <T extends Json>(values: Arb<T>): Arb<T | null> => fc.option(values, { freq: 6 });

const entry = (main: string, values: readonly string[]): Arb<JsonObject> =>
  fc.record(
    { type: orNull(fc.constantFrom(...TYPES)), [main]: fc.constantFrom(...values) },
    { requiredKeys: [main] },
  );

const STORED: Readonly<Record<ColumnKind, Arb<Json>>> = {
  text: orNull(text),
  id: orNull(fc.constantFrom(...IDS)),
  number: orNull(fc.constantFrom(...NUMBERS)),
  flag: orNull(fc.boolean()),
  texts: fc.array(text, { maxLength: 3 }),
  emails: fc.array(entry("email", EMAILS), { maxLength: 2 }),
  phones: fc.array(entry("phone", PHONES), { maxLength: 2 }),
};

/** Generates the filterable part of record bodies. */
export const bodies = (type: RecordType): Arb<JsonObject> =>
  fc.record(Object.fromEntries(filterColumns(type).map(({ name, kind }) => [name, STORED[kind]])));

const shellId = fc.constantFrom(...IDS).map((hex) => `ObjectId('${hex.toUpperCase()}')`);

const ASKED: Readonly<Record<ColumnKind, Arb<Json>>> = {
  text: orNull(fc.oneof(text, fc.constant("in-progress"))),
  id: orNull(fc.oneof(fc.constantFrom(...IDS, "no id"), shellId)),
  number: orNull(fc.constantFrom(...NUMBERS, 3, 0.10000001)),
  flag: orNull(fc.boolean()),
  texts: orNull(text),
  emails: orNull(fc.constantFrom(...EMAILS, "ANN@EXAMPLE.COM", "example")),
  phones: orNull(fc.constantFrom(...TYPED_PHONES)),
};

/** Parts of patterns: [as written for MongoDB, the equivalent for ECMAScript with the u flag]. */
const PIECES: readonly (readonly [string, string])[] = [
  ...["a", "b", "A", "é", "k", "ſ", "ß", "Ω", "😀", "\\.", "[ab]", "[^a]", "[^k]", "[a-k]"].map(
    (piece) => [piece, piece] as const,
  ),
  ...["a?", "b*", "a+?", "(?:a|b)", "(a|ab)(?:b|)", "\\d", "x|a", "[é-ü]"].map(
    (piece) => [piece, piece] as const,
  ),
  ["\\x{6b}", "\\x6b"],
  ["\\@", "@"],
  ["\\-", "-"],
  ["[]x]", "[\\]x]"],
  ["[[x]", "[\\[x]"],
  ...["EXAMPLE", "@", "555", "in_p"].map((piece) => [piece, piece] as const),
  ["{", "\\{"],
  ["(?i:b)", "(?i:b)"],
  [".", "."],
  // MongoDB's $ also matches before a final line feed, but its multi-line ^ never matches after a final line feed.
  ["$", "(?:$|(?=\\n(?![^])))"],
  ["^", "(?:^(?!(?<=\\n)(?![^])))"],
  ["\\w", "(?-i:\\w)"],
  ["\\W", "(?-i:\\W)"],
  ["[\\w.-]+", "(?-i:[\\w.-])+"],
  ["\\s", "[\\t-\\r ]"],
  ["\\b", "(?-i:\\b)"],
  ["\\B", "(?-i:\\B)"],
];

export interface Pattern {
  readonly pattern: string;
  readonly judged: string;
  readonly options: string;
}

export const patterns: Arb<Pattern> = fc
  .tuple(
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 3 }),
    fc.subarray(["i", "m", "s", "x"]),
  )
  .map(([pieces, options]) => ({
    pattern: pieces.map(([ours]) => ours).join(""),
    judged: pieces.map(([, judged]) => judged).join(""),
    options: options.join(""),
  }));

/** Random filters, and an equivalent pattern for each filter generated so far. */
export interface Filters {
  readonly filters: Arb<JsonObject>;
  readonly patterns: ReadonlyMap<string, string>;
}

type Condition = Arb<Json>;

/** Generates filters on every field that a record type's first list can filter by. */
export function filtersOf(type: RecordType): Filters {
  const seen = new Map<string, string>();
  const regex = patterns.map(({ pattern, judged, options }): JsonObject => {
    seen.set(pattern, judged);
    return options === "" ? { $regex: pattern } : { $regex: pattern, $options: options };
  });
  const fields = [...(Object.values(type.lists)[0]?.filter ?? []), "_id"].flatMap((name) => {
    const kind = columnOf(type, name)?.kind ?? "text";
    const main = kind === "emails" ? "email" : "phone";
    const field = { [name]: onField(kind, regex) };
    if (kind !== "emails" && kind !== "phones") return [field];
    return [field, ...[main, "type"].map((m) => ({ [`${name}.${m}`]: onMember(m, regex) }))];
  });
  const filters = onNames(Object.assign({}, ...fields) as Record<string, Condition>);
  return { filters: filters.filter(isShallow), patterns: seen };
}

/** Whether a filter is nested no deeper than the API accepts. */
export const isShallow = (filter: JsonObject): boolean => depthOf(filter) <= DEPTH_MAX;

const depthOf = (value: Json): number => {
  if (typeof value !== "object" || value === null) return 0;
  return (Array.isArray(value) ? 0 : 1) + Math.max(0, ...Object.values(value).map(depthOf));
};

/** Generates objects with conditions on these names, and logical operators that combine such objects. */
function onNames(names: Readonly<Record<string, Condition>>): Arb<JsonObject> {
  const one = Object.entries(names).map(([name, condition]) =>
    condition.map((operand): JsonObject => ({ [name]: operand })),
  );
  const flat = fc
    .array(fc.oneof(...one), { maxLength: 2 })
    .map((parts): JsonObject => Object.assign({}, ...parts) as JsonObject);
  return fc.letrec<{ query: JsonObject; logical: JsonObject }>((tie) => ({
    query: fc.oneof({ maxDepth: 2 }, { weight: 3, arbitrary: flat }, tie("logical")),
    logical: fc
      .tuple(
        fc.constantFrom("$and", "$or", "$nor"),
        fc.array(tie("query"), { minLength: 1, maxLength: 3 }),
      )
      .map(([name, clauses]): JsonObject => ({ [name]: clauses })),
  })).query;
}

const onMember = (member: string, regex: Arb<JsonObject>): Condition =>
  operators(orNull(fc.constantFrom(...(MEMBERS[member] ?? []))), regex, { compare: true });
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  email: EMAILS,
  phone: PHONES,
  type: TYPES,
};

function onField(kind: ColumnKind, regex: Arb<JsonObject>): Condition {
  const asked = ASKED[kind];
  if (kind === "texts") {
    const element = operators(asked, regex, { compare: true, object: true });
    const lists = fc.array(text, { maxLength: 2 });
    return operators(fc.oneof({ weight: 3, arbitrary: asked }, lists), regex, {
      compare: true,
      scalar: asked,
      elemMatch: element as Arb<JsonObject>,
    });
  }
  if (kind === "emails" || kind === "phones") {
    const main = kind === "emails" ? "email" : "phone";
    const names = Object.fromEntries([main, "type"].map((m) => [m, onMember(m, regex)]));
    return operators(fc.oneof({ weight: 5, arbitrary: asked }, fc.constant([])), regex, {
      scalar: asked,
      elemMatch: onNames(names),
    });
  }
  const isText = kind === "text" || kind === "id";
  return operators(asked, isText ? regex : undefined, { compare: true });
}

interface Operators {
  readonly compare?: boolean;
  /** Set for lists: generates the value of a single element. A list can also be compared as a whole. */
  readonly scalar?: Condition;
  readonly elemMatch?: Arb<JsonObject>;
  /** Whether to generate only operators, never a plain value. */
  readonly object?: boolean;
}

/** Generates a plain value, or one or two operators with operands, some of them in `$not`. */
function operators(asked: Condition, regex: Arb<JsonObject> | undefined, o: Operators): Condition {
  const list = fc.array(o.scalar ?? asked, { maxLength: 3 });
  const row = (names: readonly string[], operand: Condition): Arb<JsonObject>[] =>
    names.map((name) => operand.map((value) => ({ [name]: value })));
  const rows = [
    ...row(["$eq", "$ne"], asked),
    ...row(["$in", "$nin"], list),
    ...(o.object === true ? [] : row(["$all"], list)),
    ...row(["$exists"], fc.boolean()),
    ...(o.compare === true ? row(["$gt", "$gte", "$lt", "$lte"], o.scalar ?? asked) : []),
    ...(o.scalar === undefined ? [] : row(["$size"], fc.nat(3))),
    ...(o.elemMatch === undefined ? [] : [...row(["$elemMatch"], o.elemMatch)]),
    ...(regex === undefined ? [] : [regex, regex]),
  ];
  const some = fc
    .array(fc.oneof(...rows), { minLength: 1, maxLength: 2 })
    .map((parts) => Object.assign({}, ...parts) as JsonObject)
    .map((all) => ("$regex" in all ? all : withoutOptions(all)));
  const negated = fc
    .tuple(some, fc.boolean())
    .map(([all, isTwice]): JsonObject => ({ $not: isTwice ? { $not: all } : all }));
  const plain = o.object === true ? [] : [{ weight: 2, arbitrary: asked }];
  return fc.oneof(...plain, { weight: 4, arbitrary: some }, { weight: 1, arbitrary: negated });
}

const withoutOptions = (all: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(all).filter(([name]) => name !== "$options"));

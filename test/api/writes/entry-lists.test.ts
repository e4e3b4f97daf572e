/** `email_list` and `phone_list` in request bodies: every form of entry, in every write operation of every type. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import type { RecordType } from "../../../src/records/types/record-types.ts";
import type { Answer, Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../samples.ts";

const api = await sharedApi();
const acme = await api.tenant();
const LISTED = Object.values(BUILT_IN_TYPES).filter(({ sameBy }) => sameBy !== undefined);

type Kind = "email" | "phone";
const KINDS: readonly Kind[] = ["email", "phone"];

let seeds = 0;
/** Generates email addresses or phone numbers that no other record in this file has. */
function ways(kind: Kind) {
  const seed = 2_000_000 + seeds++ * 10;
  const local = (at: number): string => `${seed + at}`.replace(/^(...)/, "$1-");
  const text = (at: number): string =>
    kind === "email" ? `p${seed + at}@example.com` : `(212) ${local(at)}`;
  const entry = (at: number, type: string): Body =>
    kind === "email"
      ? { type, email: text(at), email_validation_dict: { result: 1 } }
      : {
          type,
          phone: `1212${seed + at}`,
          country: "US",
          formatted_phone: text(at),
        };
  /** Returns the same address or number as `text`, in a different format. */
  const variant = (at: number): string =>
    kind === "email" ? text(at).toUpperCase() : `+1 212 ${local(at)}`;
  return { text, entry, variant };
}
type Ways = ReturnType<typeof ways>;

/** Returns the fields that the record has before an operation that changes it. */
const before = (kind: Kind, { text }: Ways): Body => ({
  [kind]: text(0),
  [`${kind}_list`]: [
    { type: "Main", [kind]: text(0) },
    { type: "Work", [kind]: text(1) },
  ],
});

interface Form {
  readonly form: string;
  /** The members to send in the body. */
  readonly body: (kind: Kind, ways: Ways) => Body;
  /** The resulting list, if the body is accepted; `main` is the resulting `email` or `phone`. */
  readonly list?: (kind: Kind, ways: Ways) => readonly Body[];
  readonly main?: (kind: Kind, ways: Ways) => string | null;
  /** The result of a create request, if it differs because null is treated as an omitted list. */
  readonly created?: { readonly list: readonly Body[]; readonly main: null };
  /** The type, location and message of the only issue, if the body is rejected. */
  readonly issue?: (kind: Kind) => readonly [type: string, loc: string, msg: string];
}

const listOf = (kind: Kind, list: unknown): Body => ({ [`${kind}_list`]: list });
const objects = (kind: Kind, { text }: Ways, ...entries: readonly [number, string?][]): Body[] =>
  entries.map(([at, type]) => ({ ...(type !== undefined && { type }), [kind]: text(at) }));
const EMPTY = { list: [], main: null } as const;

const FORMS: readonly Form[] = [
  {
    form: "texts: the first is the main one",
    body: (kind, { text }) => listOf(kind, [text(2), text(3)]),
    list: (_, { entry }) => [entry(2, "Main"), entry(3, "Other")],
    main: (_, { text }) => text(2),
  },
  {
    form: "objects without a type",
    body: (kind, way) => listOf(kind, objects(kind, way, [2], [3])),
    list: (_, { entry }) => [entry(2, "Main"), entry(3, "Other")],
    main: (_, { text }) => text(2),
  },
  {
    form: "a marked main entry, which comes first",
    body: (kind, way) => listOf(kind, objects(kind, way, [2, "Home"], [3, "main"], [4])),
    list: (_, { entry }) => [entry(3, "Main"), entry(2, "Home"), entry(4, "Other")],
    main: (_, { text }) => text(3),
  },
  {
    form: "separate types and no main entry",
    body: (kind, way) => listOf(kind, objects(kind, way, [2, "Home"], [3, "Work"])),
    list: (_, { entry }) => [entry(2, "Home"), entry(3, "Work")],
    main: () => null,
  },
  {
    form: "derived members that are wrong are ignored",
    body: (kind, way) =>
      listOf(
        kind,
        objects(kind, way, [2, "Main"]).map((entry) => ({
          ...entry,
          ...(kind === "email"
            ? { email_validation_dict: { result: 2 } }
            : { country: "FR", formatted_phone: 7 }),
        })),
      ),
    list: (_, { entry }) => [entry(2, "Main")],
    main: (_, { text }) => text(2),
  },
  {
    form: "members that Leadport does not know are stored",
    body: (kind, way) =>
      listOf(
        kind,
        objects(kind, way, [2, "Main"], [3]).map((entry) => ({ ...entry, note: "n" })),
      ),
    list: (_, { entry }) => [
      { ...entry(2, "Main"), note: "n" },
      { ...entry(3, "Other"), note: "n" },
    ],
    main: (_, { text }) => text(2),
  },
  {
    form: "a main entry that the list has under another type",
    body: (kind, way) => ({
      [kind]: way.text(3),
      ...listOf(kind, [way.text(2), { type: "Home", [kind]: way.variant(3) }]),
    }),
    list: (_, { entry }) => [entry(3, "Main"), entry(2, "Other")],
    main: (_, { text }) => text(3),
  },
  {
    form: "a main entry that the list does not have",
    body: (kind, way) => ({ [kind]: way.text(4), ...listOf(kind, [way.text(2)]) }),
    list: (_, { entry }) => [entry(4, "Main"), entry(2, "Other")],
    main: (_, { text }) => text(4),
  },
  {
    form: "duplicates after normalization",
    body: (kind, way) =>
      listOf(kind, [
        way.text(2),
        { type: "Work", [kind]: way.variant(3) },
        way.text(3),
        { type: "Main", [kind]: way.text(2) },
      ]),
    list: (kind, { entry, variant }) => [
      entry(2, "Main"),
      kind === "email" ? { ...entry(3, "Work"), email: variant(3) } : entry(3, "Work"),
    ],
    main: (_, { text }) => text(2),
  },
  {
    form: "two main entries",
    body: (kind, way) => listOf(kind, objects(kind, way, [2, "Main"], [3, "Main"])),
    issue: (kind) => [
      "value_error",
      `body.${kind}_list`,
      `Value error, ${kind}_list has 2 entries of type Main`,
    ],
  },
  {
    form: "a main entry that the field contradicts",
    body: (kind, way) => ({
      [kind]: way.text(4),
      ...listOf(kind, objects(kind, way, [2, "Main"])),
    }),
    issue: (kind) => [
      "value_error",
      `body.${kind}`,
      `Value error, ${kind} contradicts the Main entry of ${kind}_list`,
    ],
  },
  {
    form: "51 entries",
    body: (kind) =>
      listOf(
        kind,
        Array.from({ length: 51 }, (_, at) => manyOf(kind, at)),
      ),
    issue: (kind) => [
      "too_long",
      `body.${kind}_list`,
      "List should have at most 50 items after validation, not 51",
    ],
  },
  {
    form: "null",
    body: (kind) => listOf(kind, null),
    list: () => [],
    main: () => null,
    created: EMPTY,
  },
  {
    form: "[]",
    body: (kind) => listOf(kind, []),
    list: () => [],
    main: () => null,
    created: EMPTY,
  },
  {
    form: "a number",
    body: (kind) => listOf(kind, 5),
    issue: (kind) => ["list_type", `body.${kind}_list`, "Input should be a valid list"],
  },
  {
    form: "a text",
    body: (kind) => listOf(kind, "a@example.com"),
    issue: (kind) => ["list_type", `body.${kind}_list`, "Input should be a valid list"],
  },
  {
    form: "an entry that is a number",
    body: (kind) => listOf(kind, [5]),
    issue: (kind) => ["dict_type", `body.${kind}_list.0`, "Input should be a valid dictionary"],
  },
  {
    form: "an entry without its text",
    body: (kind) => listOf(kind, [{ type: "Main" }]),
    issue: (kind) => ["missing", `body.${kind}_list.0.${kind}`, "Field required"],
  },
  {
    form: "an empty entry",
    body: (kind) => listOf(kind, [""]),
    issue: (kind) => [
      "string_too_short",
      `body.${kind}_list.0`,
      "String should have at least 1 character",
    ],
  },
  {
    form: "a text that is too long",
    body: (kind) => listOf(kind, [{ [kind]: "1".repeat(255) }]),
    issue: (kind) => [
      "string_too_long",
      `body.${kind}_list.0.${kind}`,
      `String should have at most ${kind === "email" ? 254 : 50} characters`,
    ],
  },
  {
    form: "a type that is too long",
    body: (kind, { text }) => listOf(kind, [{ [kind]: text(2), type: "x".repeat(51) }]),
    issue: (kind) => [
      "string_too_long",
      `body.${kind}_list.0.type`,
      "String should have at most 50 characters",
    ],
  },
];

const manyOf = (kind: Kind, at: number): string =>
  kind === "email" ? `many${at}@example.com` : `(212) 555-9${String(at).padStart(3, "0")}`;

/** The outcome of an operation: the record, or the issues. */
type Outcome = { readonly record: Body } | { readonly issues: readonly Body[] };

const recordOf = (answer: Answer): Outcome =>
  answer.status === 422
    ? { issues: answer.body.detail as Body[] }
    : { record: ok(answer).body as Body };

interface Operation {
  readonly name: string;
  readonly changes: boolean;
  readonly run: (client: Client, type: RecordType, body: Body, old: Body) => Promise<Outcome>;
}

const create = async (type: RecordType, body: Body): Promise<Body> =>
  ok(await acme.post(type.writePath, { name: "Ada Lovelace", ...body })).body as Body;

const batched = async (type: RecordType, query: string, body: Body): Promise<Outcome> => {
  const items = [{ name: "Ada Lovelace", ...body }];
  const answer = await acme.post(`${type.writePath}/batch${query}`, { items });
  assert.equal(answer.status, 207, answer.text);
  const [result] = answer.body as Body[];
  if (result?.["status"] === 422) return { issues: result["detail"] as Body[] };
  return recordOf(await acme.get(`${type.readPaths[0]}/${String(result?.["_id"])}`));
};

const OPERATIONS: readonly Operation[] = [
  {
    name: "POST",
    changes: false,
    run: async (client, type, body) =>
      recordOf(await client.post(type.writePath, { name: "Ada Lovelace", ...body })),
  },
  { name: "POST batch", changes: false, run: (_, type, body) => batched(type, "", body) },
  {
    name: "POST with on_duplicate=return",
    changes: false,
    run: async (client, type, body) =>
      recordOf(
        await client.post(`${type.writePath}?on_duplicate=return`, {
          name: "Ada Lovelace",
          ...body,
        }),
      ),
  },
  {
    name: "PUT of a new key",
    changes: false,
    run: async (client, type, body) =>
      recordOf(
        await client.put(`${type.writePath}/by/external_id/new-${seeds++}`, {
          name: "Ada Lovelace",
          ...body,
        }),
      ),
  },
  {
    name: "PATCH",
    changes: true,
    run: async (client, type, body, old) =>
      recordOf(await client.patch(`${type.writePath}/${String(old["_id"])}`, body)),
  },
  {
    name: "PUT of a known key",
    changes: true,
    run: async (client, type, body, old) =>
      recordOf(
        await client.put(`${type.writePath}/by/external_id/${String(old["external_id"])}`, body),
      ),
  },
];

let cases = 0;
for (const type of LISTED) {
  for (const operation of OPERATIONS) {
    test(`${operation.name} of a ${type.name} takes every form of a list`, async () => {
      for (const kind of KINDS) {
        for (const { form, body, list, main, created, issue } of FORMS) {
          cases++;
          const told = `${form} of ${kind}_list`;
          const way = ways(kind);
          const external_id = `old-${seeds++}`;
          const old = operation.changes
            ? await create(type, { external_id, ...before(kind, way) })
            : {};
          const outcome = await operation.run(acme, type, body(kind, way), old);
          if (issue !== undefined) {
            assert.ok("issues" in outcome, told);
            const shown = outcome.issues.map(({ type: word, loc, msg }) => [
              word,
              (loc as unknown[]).join("."),
              msg,
            ]);
            assert.deepEqual(shown, [issue(kind)], told);
            continue;
          }
          assert.ok("record" in outcome, `${told}: ${JSON.stringify(outcome)}`);
          const { record } = outcome;
          const expected = operation.changes ? undefined : created;
          assert.deepEqual(record[`${kind}_list`], expected?.list ?? list?.(kind, way), told);
          assert.equal(record[kind], expected === undefined ? main?.(kind, way) : null, told);
          await assertSentBack(type, record, told);
        }
      }
    });
  }
}

/** Asserts that a returned record, or only its lists, can be sent back without changing anything. */
async function assertSentBack(type: RecordType, record: Body, told: string): Promise<void> {
  const path = `${type.writePath}/${String(record["_id"])}`;
  const { email_list, phone_list } = record;
  for (const body of [record, { email_list, phone_list }]) {
    const again = ok(await acme.patch(path, body)).body as Body;
    assert.deepEqual(again, record, `${told}, sent back`);
  }
}

test("the number of generated cases is as expected", () => {
  assert.equal(cases, LISTED.length * OPERATIONS.length * KINDS.length * FORMS.length);
  assert.equal(cases, 3 * 6 * 2 * FORMS.length);
});

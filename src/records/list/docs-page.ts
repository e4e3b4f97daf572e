/** docs/records.md: the record types as a reader wants them, printed from their descriptions. */

import {
  type Derived,
  type Field,
  type Listing,
  type RecordType,
  recordTypes,
} from "../types/index.ts";
import {
  type Column,
  ENTRIES_MAX,
  groupColumns,
  momentColumns,
  sortColumns,
  sumColumns,
} from "../shape/index.ts";
import { keyKinds } from "../keys/index.ts";

const INTRODUCTION = `# Records

Printed from \`src/records/types/\` by \`npm run leadport -- docs records\`; a test keeps it fresh.

Every record also returns \`_id\` and \`id\` (equal; 24 hex characters, the first 8 are its creation in Unix
seconds), \`userid\` and \`user_name\` (its owner), \`created_by_userid\`, \`version\` (1, 2, 3 …), and its moments
twice: \`created_ts\`, \`updated_ts\`, \`status_update_date\` as whole epoch seconds and \`created_date\`,
\`updated_date\`, \`status_updated_date\` in ISO 8601 UTC. \`status_update_date\` moves only when the status or stage
changes value; \`updated_ts\` at every change. Absent text is \`null\`, absent lists are \`[]\`. A record that was read
can be sent back: what is only returned is ignored in a body.

## Several addresses and numbers

Leads, contacts and accounts have \`email_list\` and \`phone_list\`. An entry is an object with \`email\` or \`phone\` and a
\`type\` of at most 50 characters, or a text alone. \`email_validation_dict\`, \`country\` and \`formatted_phone\` are derived
and ignored in a body. Members that Leadport does not know are stored.

- The entry of type \`Main\` is the record's \`email\` or \`phone\`. It comes first, and there is at most one.
- Without one, the \`email\` of the same body becomes the Main entry, or else the first entry without a type. Other entries
  without a type become \`Other\`. If all entries have types of their own, \`email\` is null.
- A list that you send replaces the stored one, and \`email\` follows it. \`[]\` and null clear it in a PATCH; in the body of
  a creation they, and an empty text, mean "not given".
- A list equal to the stored one is ignored. So you can send a record back with a new \`email\`, which replaces the Main
  entry and leaves the others. A changed list and a changed \`email\` that contradict each other return 422.
- So can a copy of a record be created: if an entry of type \`Main\` has derived members, the \`email\` or \`phone\` of the same
  body replaces it. A \`phone\` that is the entry's number as written in the entry's \`country\` leaves it as it is.
- Each address and number is stored once: addresses are compared without regard to case, numbers by their digits with
  country code.
- A changed list has at most 50 entries. Merges and conversions keep all entries, also beyond that.
- Filters, lookups, upserts by key and duplicates find a record by any of its entries. A PUT by email or phone never removes
  that address or number from the list.
`;

export const recordsMarkdown = (): string => [INTRODUCTION, ...recordTypes.map(section)].join("\n");

const title = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function section(type: RecordType): string {
  return [
    `## ${title(type.name)}`,
    "",
    type.description,
    "",
    "| operation | |",
    "|---|---|",
    ...operations(type).map(([call, meaning]) => `| \`${call}\` | ${meaning} |`),
    "",
    "| field | takes | on create | in PATCH |",
    "|---|---|---|---|",
    ...Object.entries(type.fields).map(([name, field]) => fieldRow(type, name, field)),
    "",
    ...(type.oneOf === undefined
      ? []
      : [`At least one of ${code(type.oneOf)} must be sent on create.`, ""]),
    ...conditions(type),
    ...aliases(type),
    "Returned beside them:",
    "",
    "| field | what it is |",
    "|---|---|",
    ...Object.entries(type.derived)
      .filter(([name]) => !(name in type.fields) || type.derived[name]?.kind !== "name_part")
      .map(([name, derived]) => `| \`${name}\` | ${MEANING[derived.kind](derived as never)} |`),
    "",
    "| list | default window | dates select by | filter on | sort by |",
    "|---|---|---|---|---|",
    ...Object.values(type.lists).map((listing) => listRow(type, listing)),
    "",
    summaryLine(type),
    "",
  ].join("\n");
}

function operations(type: RecordType): readonly (readonly [string, string])[] {
  const { writePath, idName, readPaths, name, sameBy, isDeletable, lists } = type;
  return [
    [`POST ${writePath}`, "Create."],
    [`POST ${writePath}/batch`, "Create up to 1,000."],
    ...keyKinds(type).map(
      (kind) =>
        [`PUT ${writePath}/by/${kind}/{${kind}}`, "Change that one, or create it."] as const,
    ),
    [`PATCH ${writePath}/{${idName}}`, "Change what is sent; 400 where nothing is."],
    ...readPaths.flatMap((path) => [
      [`GET ${path}/{${idName}}`, "Read one."] as const,
      [`GET ${path}/{${idName}}/history`, "What changed in it, newest first."] as const,
    ]),
    ...Object.values(type.lists).map(
      ({ path, windowHours }) =>
        [`GET ${path}`, windowHours === undefined ? "List." : "Everything in a window."] as const,
    ),
    ...(lists["all"] === undefined
      ? []
      : [[`GET ${lists["all"].path}/summary`, "[Count and add up](summaries.md)."] as const]),
    ...(sameBy === undefined ? [] : mergeOperations(`${writePath}/{${idName}}`)),
    ...(name === "lead"
      ? [["POST /crm/leads/{lead_id}/convert", "Make a contact of it."] as const]
      : []),
    ...(isDeletable ? [[`DELETE ${writePath}/{${idName}}`, "Delete it."] as const] : []),
  ];
}

const mergeOperations = (path: string): readonly (readonly [string, string])[] => [
  [`GET ${path}/duplicates`, "Find [what may be the same](duplicates.md), the most alike first."],
  [`POST ${path}/merge`, "Merge others into it."],
  [`GET ${path}/merges`, "What was merged into it, newest first."],
  [`POST ${path}/merges/{merge_id}/undo`, "Undo a merge, within 30 days."],
];

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

const NULLED: ReadonlySet<Field["kind"]> = new Set(["choice", "flag", "whole"]);

function fieldRow(type: RecordType, name: string, field: Field): string {
  const fallback = "fallback" in field && field.fallback !== undefined ? field.fallback : undefined;
  const onCreate = field.required
    ? "required"
    : fallback === undefined
      ? "optional"
      : `default \`${fallback}\``;
  const kept = field.required === true || fallback !== undefined || NULLED.has(field.kind);
  const isFrozen = type.frozen?.includes(name) === true;
  const inPatch = isFrozen ? "not taken" : kept ? "optional" : "optional, null clears it";
  const takes = (TAKES[field.kind] as (field: Field) => string)(field);
  return `| \`${name}\` | ${takes} | ${onCreate} | ${inPatch} |`;
}

const count = (value: number): string => value.toLocaleString("en-US");

const TAKES: { readonly [K in Field["kind"]]: (field: Extract<Field, { kind: K }>) => string } = {
  text: ({ max }) => `text, at most ${count(max)} characters`,
  choice: ({ of, spellings = {} }) =>
    `one of ${code(of)}` +
    (Object.keys(spellings).length === 0 ? "" : `; also taken: ${code(Object.keys(spellings))}`),
  tags: () => "at most 10 texts of at most 100 characters",
  number: ({ min, max }) => `a number from ${min} to ${max}`,
  money: () => "money: at most 15 digits and 6 decimals, exact",
  whole: ({ min, max }) => `a whole number from ${min} to ${max}`,
  digits: ({ min, max }) =>
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number, at least ${min}; digits in a string count as the number`
      : `a whole number from ${min} to ${max}; digits in a string count as the number`,
  epoch: () => "epoch seconds; fractions are kept, milliseconds refused",
  ssn: () =>
    "`XXX-XX-XXXX` or nine digits; stored encrypted, returned as `***-**-6789`, whole only " +
    "with `?reveal=ssn`",
  flag: () => "true or false",
  reference: ({ to }) => `the \`_id\` of an existing ${to}`,
  lines: ({ members }) =>
    `a list of at most 1,000 objects with ${code(members.map(({ name }) => name))} and what else you keep there`,
  socials: () => "a list of objects with `type` (or `platform`) and `url`",
  entries: ({ of }) =>
    `a list of at most ${ENTRIES_MAX} objects with \`${of}\` and \`type\`, or texts: see [Several addresses and numbers](#several-addresses-and-numbers)`,
  free: () => "an object or a text, kept as it is",
};

const MEANING: {
  readonly [K in Derived["kind"]]: (derived: Extract<Derived, { kind: K }>) => string;
} = {
  copy: ({ of }) => `equal to \`${of}\``,
  name_part: ({ part }) => `the ${part} name, split from \`name\` where it was not sent`,
  email_list: () =>
    "`email` and other addresses: `type`, `email`, `email_validation_dict.result` (1 looks deliverable, 2 does not)",
  phone_list: () =>
    "`phone` and other numbers: `type`, `phone` (digits with country code), `country`, `formatted_phone`",
  name_of: ({ reference }) =>
    `the name of the record in \`${reference}\`; follows a renaming within a minute`,
  product: ({ of, by }) => `\`${of}\` × \`${by}\` (× 1 without one), to cents, half to even`,
  mirror: ({ field, value }) => `true exactly while \`${field}\` is \`${value}\``,
  moment: ({ field, values }) =>
    `when \`${field}\` became ${values.map((value) => `\`${value}\``).join(" or ")}, in epoch seconds; null otherwise`,
  sequence: ({ prefix, start }) => `\`${prefix}${start}\`, rising in the tenant, with gaps`,
  set_elsewhere: ({ empty }) =>
    `set by a conversion or by what a [partner](partner-exchange.md) brought; \`${empty}\` otherwise`,
};

const conditions = ({ onlyWhile = {} }: RecordType): readonly string[] =>
  Object.entries(onlyWhile).flatMap(([name, { field, is }]) => [
    `\`${name}\` can be set only while \`${field}\` is \`${is}\`. It is cleared when \`${field}\` changes to another value, ` +
      `whichever operation changes it. With another \`${field}\`, a new \`${name}\` returns 422; null, an empty text and ` +
      "the stored value are accepted, so a record that was read can be sent back with another " +
      `\`${field}\`.`,
    "",
  ]);

function aliases(type: RecordType): readonly string[] {
  const names = Object.entries(type.aliases);
  if (names.length === 0) return [];
  const pairs = names.map(([alias, field]) => `\`${alias}\` for \`${field}\``);
  return [`Also taken, where the field itself is not sent: ${pairs.join(", ")}.`, ""];
}

function listRow(type: RecordType, listing: Listing): string {
  const window = listing.windowHours === undefined ? "none" : `${listing.windowHours} h`;
  const sortable = [...sortColumns(type, listing).keys()];
  return `| \`${listing.path}\` | ${window} | \`${listing.on}\` | ${code(listing.filter)} | ${code(sortable)} |`;
}

const named = (columns: ReadonlyMap<string, Column>): string => code([...columns.keys()]);

function summaryLine(type: RecordType): string {
  const sums = sumColumns(type);
  const amounts = sums.size === 0 ? "" : ` What it adds up (\`sum\`): ${named(sums)}.`;
  return (
    `Its summary counts by (\`group_by\`) ${named(groupColumns(type))}, over (\`on\`) ` +
    `${named(momentColumns(type))}.${amounts}`
  );
}

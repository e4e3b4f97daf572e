/**
 * Generates docs/records.md from the definitions of the record types and records.md. In that file, the texts after the
 * introduction belong to the record type in the comment before them. They follow the tables of that type.
 */

import {
  aNoun,
  type Field,
  type Listing,
  type RecordType,
  type RecordTypes,
} from "../../records/types/index.ts";
import {
  type Column,
  groupColumns,
  momentColumns,
  sortColumns,
  sumColumns,
} from "../../records/columns/index.ts";
import { derivedKindOf } from "../../records/derived/index.ts";
import { isCleared } from "../../records/body/index.ts";
import { KEY_NAMES, keyKinds } from "../../records/keys/index.ts";
import { kindOf } from "../../records/kinds/index.ts";
import { template } from "./template.ts";

export function recordsMarkdown(types: RecordTypes): string {
  const [introduction = "", ...parts] = template("records").split("\n<!-- ");
  const texts = new Map(parts.map((part) => part.split(" -->\n", 2) as [string, string]));
  return [
    introduction,
    ...Object.values(types).map((type) => section(type) + (texts.get(type.name) ?? "")),
  ].join("\n");
}

const title = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function section(type: RecordType): string {
  return [
    `## ${title(type.name)}`,
    "",
    type.description,
    "",
    "| operation | description |",
    "|---|---|",
    ...operations(type).map(([call, meaning]) => `| \`${call}\` | ${meaning} |`),
    "",
    "| field | value | on create | on update |",
    "|---|---|---|---|",
    ...Object.entries(type.fields).map(([name, field]) => fieldRow(type, name, field)),
    "",
    ...(type.oneOf === undefined
      ? []
      : [`At least one of these fields is required on create: ${code(type.oneOf)}.`, ""]),
    ...conditions(type),
    ...aliases(type),
    "Responses also contain:",
    "",
    "| field | description |",
    "|---|---|",
    ...Object.entries(type.derived)
      .filter(([name]) => !(name in type.fields) || type.derived[name]?.kind !== "name_part")
      .map(([name, derived]) => `| \`${name}\` | ${derivedKindOf(derived).docs(derived)} |`),
    "",
    "| list | default time window | `start_date` and `end_date` apply to | filter by | sort by |",
    "|---|---|---|---|---|",
    ...Object.values(type.lists).map((listing) => listRow(type, listing)),
    "",
    ...summaryLines(type),
    "",
  ].join("\n");
}

function operations(type: RecordType): readonly (readonly [string, string])[] {
  const { writePath, idName, readPaths, name, sameBy, isDeletable, lists } = type;
  const one = aNoun(name);
  const many = `${name}s`;
  return [
    [`POST ${writePath}`, `Create ${one}`],
    [
      `POST ${writePath}/batch`,
      `Create up to 1,000 ${many} ([batches](batch-and-upsert.md#batches))`,
    ],
    ...keyKinds(type).map(
      (kind) =>
        [
          `PUT ${writePath}/by/${kind}/{${kind}}`,
          `Create or update ${one} by ${KEY_NAMES[kind]} ([upserts](batch-and-upsert.md#upserts))`,
        ] as const,
    ),
    [`PATCH ${writePath}/{${idName}}`, `Update ${one} (only the fields that you send)`],
    ...readPaths.flatMap((path) => [
      [`GET ${path}/{${idName}}`, `Get ${one}`] as const,
      [`GET ${path}/{${idName}}/history`, `List the changes to ${one}, newest first`] as const,
    ]),
    ...Object.values(type.lists).map(
      ({ path, windowHours, on }) =>
        [
          `GET ${path}`,
          windowHours === undefined
            ? `List ${many}`
            : `List all ${many} in a [time window](lists.md#time-windows), by \`${on}\``,
        ] as const,
    ),
    ...(lists["all"] === undefined
      ? []
      : [[`GET ${lists["all"].path}/summary`, `[Summarize](summaries.md) ${many}`] as const]),
    ...(sameBy === undefined ? [] : mergeOperations(type)),
    ...(name === "lead"
      ? [
          [
            "POST /crm/leads/{lead_id}/convert",
            "[Convert](#conversion) a lead into a contact",
          ] as const,
        ]
      : []),
    ...(isDeletable ? [[`DELETE ${writePath}/{${idName}}`, `Delete ${one}`] as const] : []),
  ];
}

function mergeOperations({ writePath, idName, name }: RecordType) {
  const path = `${writePath}/{${idName}}`;
  return [
    [`GET ${path}/duplicates`, `List [possible duplicates](duplicates.md) of ${aNoun(name)}`],
    [`POST ${path}/merge`, `Merge other ${name}s into this one`],
    [`GET ${path}/merges`, `List the merges into ${aNoun(name)}, newest first`],
    [`POST ${path}/merges/{merge_id}/undo`, "Undo a merge within 30 days"],
  ] as const;
}

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

function fieldRow(type: RecordType, name: string, field: Field): string {
  const fallback = "fallback" in field && field.fallback !== undefined ? field.fallback : undefined;
  const onCreate = field.required
    ? "required"
    : fallback === undefined
      ? "optional"
      : `default \`${fallback}\``;
  const kept = field.required === true || !isCleared(field);
  const isFrozen = type.frozen?.includes(name) === true;
  const inPatch = isFrozen ? "cannot be changed" : kept ? "optional" : "optional, null clears it";
  return `| \`${name}\` | ${kindOf(field).docs(field)} | ${onCreate} | ${inPatch} |`;
}

const conditions = ({ onlyWhile = {} }: RecordType): readonly string[] =>
  Object.entries(onlyWhile).flatMap(([name, { field, is }]) => [
    `You can set \`${name}\` only while \`${field}\` is \`${is}\`. Otherwise, a request with a new ` +
      `\`${name}\` returns 422. Changing \`${field}\` to another value clears \`${name}\`. To change \`${field}\`, ` +
      `you can send the record as you read it, with the new \`${field}\`: the old \`${name}\` in it is accepted, and so are null and an empty string.`,
    "",
  ]);

function aliases(type: RecordType): readonly string[] {
  const names = Object.entries(type.aliases);
  if (names.length === 0) return [];
  const pairs = names.map(([alias, field]) => `\`${alias}\` for \`${field}\``);
  return [
    `Requests also accept these alternative names, which are ignored if you send the field itself: ${pairs.join(", ")}.`,
    "",
  ];
}

function listRow(type: RecordType, listing: Listing): string {
  const window = listing.windowHours === undefined ? "none" : `${listing.windowHours} h`;
  const sortable = [...sortColumns(type, listing).keys()];
  return `| \`${listing.path}\` | ${window} | \`${listing.on}\` | ${code(listing.filter)} | ${code(sortable)} |`;
}

const named = (columns: ReadonlyMap<string, Column>): string => code([...columns.keys()]);

function summaryLines(type: RecordType): readonly string[] {
  const sums = sumColumns(type);
  return [
    "[Summaries](summaries.md) accept these values:",
    "",
    `- \`group_by\`: ${named(groupColumns(type))}`,
    `- \`on\`: ${named(momentColumns(type))}`,
    ...(sums.size === 0 ? [] : [`- \`sum\`: ${named(sums)}`]),
  ];
}

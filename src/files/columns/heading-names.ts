/**
 * What files call each field: names without case, spaces and punctuation, best one first. Record types
 * bring lists of them; these are the names that every type has.
 */

import { type Field, RECORD_TYPES, type RecordType, subjectWord } from "../../records/index.ts";

/** Marks rows that the other system deleted; they are skipped. Every record type has it. */
export const DELETED = "is_deleted";
const DELETED_NAMES = "deleted deletedat deletedon deleteddate isdelete deletedflag".split(" ");

/** Field → known names. The order of fields decides who gets a column that two could take. */
export const listedNames = ({
  fields,
  subject,
  imports = {},
}: RecordType): ReadonlyMap<string, readonly string[]> =>
  new Map([
    ...Object.entries(imports.columns ?? {}).map(([name, listed]) =>
      name === subject?.id ? ([name, subjectNames(imports)] as const) : ([name, listed] as const),
    ),
    ...Object.entries(fields)
      .filter(([name]) => imports.columns?.[name] === undefined)
      .map(([name, field]) => [name, plainNames(name, field)] as const),
    [DELETED, DELETED_NAMES],
  ]);

const subjectNames = ({ subjects = [] }: NonNullable<RecordType["imports"]>): readonly string[] =>
  subjects.flatMap(({ names }) => names);

/** The names of a field of which the type lists none. */
function plainNames(name: string, field: Field): readonly string[] {
  if (name === "external_id") return ["id"];
  if (field.kind !== "reference") return [];
  const to = RECORD_TYPES[field.to];
  return to.imports?.references ?? ["id", "", "name"].map((ending) => to.name + ending);
}

/** Names that begin with the record's own are known too: "Deal Name", "Ticket Status". */
export const prefixesOf = (type: RecordType): readonly string[] =>
  type.imports?.prefixes ?? [type.name, subjectWord(type)];

/** A field of several columns: the first that a row fills is taken. */
export const FALLBACK_FIELDS: readonly string[] = [
  "email",
  "phone",
  "subject",
  "social_dict_list",
  "due_date",
  "close_date",
  "stage",
  "lost_reason",
  "is_deleted",
];

/**
 * The names that files use for each field, best first. They are lowercase, without spaces and punctuation. The names
 * here apply to every record type. Types add their own.
 */

import {
  type Field,
  type RecordType,
  subjectWord,
  TYPE_FACTS,
  type TypeFacts,
} from "../../records/types/index.ts";

/**
 * The target of columns that mark rows as deleted in the other system. Such rows are skipped. All record types have
 * this target.
 */
export const DELETED = "is_deleted";
const DELETED_NAMES = "deleted deletedat deletedon deleteddate isdelete deletedflag".split(" ");

/** Field → known names. The order of the fields determines which field gets a column that fits several. */
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

/** Returns the default names of a field, for types that list none for it. */
function plainNames(name: string, field: Field): readonly string[] {
  if (name === "external_id") return ["id"];
  if (field.kind !== "reference") return [];
  const { imports }: TypeFacts = TYPE_FACTS[field.to];
  return imports?.references ?? ["id", "", "name"].map((ending) => field.to + ending);
}

/** Names that start with the record type are also recognized: "Deal Name", "Ticket Status". */
export const prefixesOf = (type: RecordType): readonly string[] =>
  type.imports?.prefixes ?? [type.name, subjectWord(type.name)];

/** Fields that may be read from several columns. Each row uses the first column that is not empty. */
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

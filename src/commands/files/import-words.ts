/** Formats the output of `leadport import`: the column mapping and the result. */

import type { Decision } from "../../files/formats/index.ts";
import type { ImportRow, Intake } from "../../files/imports/index.ts";
import type { RefusedRow, WarningKind } from "../../files/rows/index.ts";
import { TYPE_FACTS } from "../../records/types/index.ts";

const names = (list: readonly string[]) => list.map((name) => JSON.stringify(name)).join(", ");

const line = (what: string, list: readonly string[]) =>
  list.length === 0 ? [] : [`  ${what}: ${names(list)}`];

const NO_EMAIL_OR_PHONE = [
  "WARNING: No email or phone column was recognized, so these people will have neither.",
  '  If the file has such a column, add --map "<column>=email" or --map "<column>=phone".',
];

/** Describes the file format and the mapping of each column. */
export function mappingLines({ file, report }: Intake): readonly string[] {
  const { format, encoding, delimiter } = file;
  const mapping = report();
  const { matched, alternatives, not_taken, in_templates, made, decisions, notices, ...rest } =
    mapping;
  const separated = delimiter === undefined ? "" : `, delimiter ${JSON.stringify(delimiter)}`;
  return [
    ...(mapping.no_email_or_phone ? NO_EMAIL_OR_PHONE : []),
    `Format: ${format}, ${encoding}${separated}. Columns:`,
    ...matched.map(({ heading, field }) => `  ${JSON.stringify(heading)} → ${field}`),
    ...Object.entries(made).map(([field, template]) => `  ${template} → ${field}`),
    ...alternatives.map(
      ({ heading, field, instead }) =>
        `  ${JSON.stringify(heading)} → ${field} if ${JSON.stringify(instead)} is empty`,
    ),
    ...not_taken.map(
      ({ heading, field, instead }) =>
        `  ${JSON.stringify(heading)} not imported: ${field} comes from ${JSON.stringify(instead)}`,
    ),
    ...line("used in a template", in_templates),
    ...line("ignored", rest.ignored),
    ...line("derived, not imported", rest.read_only),
    ...line("not recognized, not imported", rest.unmatched),
    ...decisionLines(decisions),
    ...noticeLines(notices),
  ];
}

export const noticeLines = (notices: readonly string[]): readonly string[] =>
  notices.map((notice) => `Warning: ${notice}.`);

const BY: Readonly<Record<Decision["decided_by"], string>> = {
  option: "set by an option",
  answer: "your choice",
  column: "determined from the whole column",
  default: "default, because the column is ambiguous",
};

const decisionLines = (decisions: readonly Decision[]): readonly string[] =>
  decisions.map(({ heading, about, separator, value, decided_by }) => {
    const how = {
      decimal: `the decimal separator is ${JSON.stringify(value)}`,
      dates:
        separator === undefined
          ? "dates are Excel serial dates"
          : `dates with ${JSON.stringify(separator)} are ${value}`,
      percent: "numbers are percentages",
    }[about];
    return `  ${JSON.stringify(heading)}: ${how} (${BY[decided_by]})`;
  });

/** Descriptions of the warning kinds. */
const KINDS: Readonly<Record<WarningKind, string>> = {
  unknown_word: "not a valid value; the field was not set, the text was added to the notes",
  unreadable_value: "invalid value; added to the notes",
  made_name: "no name in the row; a name was generated",
  made_line: "no line items in the row; one was generated from the total",
  too_long: "too long for a list entry; added to the notes",
  too_many_entries: "too many list entries; added to the notes",
  damaged_text: "contains unreadable characters",
  other_currency: "different currency than the business; imported without conversion",
  impossible_date: "date does not exist; added to the notes",
  note_omitted: "the notes were too long and were omitted",
  doubtful_email: "looks invalid; imported as is",
  doubtful_phone: "not a recognizable phone number; imported as is",
  repeated_email: "also in an earlier row",
  unresolved: "referenced record not found; added to the notes",
  ambiguous: "several records match the reference; added to the notes",
};

const WORDS_SHOWN = 10;

/** Formats a number of rows, such as "1 row" or "2 rows". */
const rowsOf = (count: number) => `${count} ${count === 1 ? "row" : "rows"}`;
const rowsWere = (count: number) => `${rowsOf(count)} ${count === 1 ? "was" : "were"}`;

/** Returns an import's summary. `rows` counts only this run; the total of a resumed import is higher. */
export function importSummary(
  done: ImportRow,
  { took_s, rows }: { readonly took_s: number; readonly rows: number },
): readonly string[] {
  const { tally } = done;
  const rate = took_s > 0 && rows > 0 ? ` (${Math.round(rows / took_s)} rows/s)` : "";
  const heading = done.dry_run
    ? "Dry run, nothing was written. The result would be:"
    : `Import ${done.id} has finished:`;
  return [
    heading,
    `  ${rowsOf(done.rows)} in ${took_s.toFixed(1)} s${rate}`,
    `  ${done.created} created, ${done.updated} updated, ${done.unchanged} unchanged, ` +
      `${done.refused} rejected`,
    ...linkLines(done),
    ...((tally.skipped ?? 0) > 0
      ? [`  ${rowsWere(tally.skipped ?? 0)} skipped because the file marks them as deleted`]
      : []),
    ...exampleLines(done),
    ...(tally.warned > 0 ? [`  ${rowsWere(tally.warned)} imported with warnings:`] : []),
    ...warningLines(tally),
  ];
}

/**
 * Returns lines for dry runs: the number of existing records that would change, and the first few of them as examples.
 */
function exampleLines({ updated, tally }: ImportRow): readonly string[] {
  const { examples = [], changed_records: records = updated } = tally;
  if (examples.length === 0) return [];
  const some = examples.length < records ? `; the first ${examples.length}` : "";
  const existing =
    records === updated
      ? "existing records"
      : `${records} existing record${records === 1 ? "" : "s"}`;
  return [
    `  ${rowsOf(updated)} would change ${existing}${some}:`,
    ...examples.flatMap(({ line: at, id, name, before, after }) => [
      `    line ${at}: ${id}${name === null ? "" : ` ${JSON.stringify(name)}`}`,
      ...Object.keys(after).map(
        (field) =>
          `      ${field}: ${JSON.stringify(before[field])} → ${JSON.stringify(after[field])}`,
      ),
    ]),
  ];
}

/** Returns lines that show how references were resolved, and how to create missing accounts. */
function linkLines({ record_type, dry_run, tally, options }: ImportRow): readonly string[] {
  const links = Object.entries(tally.references ?? {});
  const { account_id } = tally.references ?? {};
  const isMissing = (account_id?.not_found ?? 0) > 0 && options.create_accounts !== true;
  return [
    ...links.map(
      ([field, { matched, created, not_found, ambiguous }]) =>
        `  ${field}: ${matched} matched, ${created} ${dry_run ? "to be created" : "created"}, ` +
        `${not_found} not found, ${ambiguous} ambiguous`,
    ),
    ...(isMissing
      ? [
          `  Import the accounts before the ${TYPE_FACTS[record_type].table}, or add ` +
            "--create-accounts to create missing accounts.",
        ]
      : []),
  ];
}

/** Returns the kinds of warnings, most frequent first, each with the values that caused it. */
function warningLines({ warnings, words }: ImportRow["tally"]): readonly string[] {
  const kinds = (Object.entries(warnings) as [WarningKind, number][]).toSorted(
    ([, a], [, b]) => b - a,
  );
  return kinds.flatMap(([kind, count]) => {
    const causes = words.filter((word) => word.kind === kind && word.word !== null);
    return [
      `    ${count} ${kind}: ${KINDS[kind]}`,
      ...causes
        .slice(0, WORDS_SHOWN)
        .map(({ field, word, rows }) => `      ${rows} × ${field ?? ""} ${JSON.stringify(word)}`),
    ];
  });
}

/** Returns lines that show where the rejected rows are, and why the first few were rejected. */
export function rejectLines(
  { refused }: Pick<ImportRow, "refused">,
  path: string,
  first: readonly RefusedRow[],
): readonly string[] {
  const more = refused - first.length;
  return [
    `${rowsWere(refused)} rejected: ${path}`,
    ...first.map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ];
}

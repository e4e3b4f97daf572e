/** What `leadport import` says: how the file is read, and what became of its rows. */

import type { Decision, ImportRow, Intake, RefusedRow } from "../../files/index.ts";
import { RECORD_TYPES } from "../../records/index.ts";

const names = (list: readonly string[]) => list.map((name) => JSON.stringify(name)).join(", ");

const line = (what: string, list: readonly string[]) =>
  list.length === 0 ? [] : [`  ${what}: ${names(list)}`];

const NO_EMAIL_OR_PHONE = [
  "WARNING: No email or phone column was recognized, so these people will have neither.",
  '  If the file has one, name it: --map "<column>=email" or --map "<column>=phone".',
];

/** How the file is read: what was recognized, and what became of each heading. */
export function mappingLines({ file, report }: Intake): readonly string[] {
  const { format, encoding, delimiter } = file;
  const mapping = report();
  const { matched, alternatives, not_taken, in_templates, made, decisions, notices, ...rest } =
    mapping;
  const divided = delimiter === undefined ? "" : `, divided by ${JSON.stringify(delimiter)}`;
  return [
    ...(mapping.no_email_or_phone ? NO_EMAIL_OR_PHONE : []),
    `Read as ${format}, ${encoding}${divided}. Its columns:`,
    ...matched.map(({ heading, field }) => `  ${JSON.stringify(heading)} → ${field}`),
    ...Object.entries(made).map(([field, template]) => `  ${template} → ${field}`),
    ...alternatives.map(
      ({ heading, field, instead }) =>
        `  ${JSON.stringify(heading)} → ${field}, where ${JSON.stringify(instead)} is empty`,
    ),
    ...not_taken.map(
      ({ heading, field, instead }) =>
        `  ${JSON.stringify(heading)} is not taken: ${field} comes from ${JSON.stringify(instead)}`,
    ),
    ...line("used in a template", in_templates),
    ...line("ignored", rest.ignored),
    ...line("derived, not imported", rest.read_only),
    ...line("not known, not imported", rest.unmatched),
    ...decisionLines(decisions),
    ...noticeLines(notices),
  ];
}

export const noticeLines = (notices: readonly string[]): readonly string[] =>
  notices.map((notice) => `Warning: ${notice}.`);

const BY: Readonly<Record<Decision["decided_by"], string>> = {
  option: "as the option says",
  answer: "as you answered",
  column: "decided from the whole column",
  default: "the default: nothing in the column decides",
};

const decisionLines = (decisions: readonly Decision[]): readonly string[] =>
  decisions.map(({ heading, about, separator, value, decided_by }) => {
    const how = {
      decimal: `the decimal sign is ${JSON.stringify(value)}`,
      dates:
        separator === undefined
          ? "dates are Excel's day numbers"
          : `dates with ${JSON.stringify(separator)} are ${value}`,
      percent: "numbers are percentages",
    }[about];
    return `  ${JSON.stringify(heading)}: ${how} (${BY[decided_by]})`;
  });

/** What a kind of warning means, for one row and for many. */
const KINDS: Readonly<Record<string, string>> = {
  unknown_word: "not a known value; the field was left alone, the word kept as a note",
  unreadable_value: "cannot be read; kept as a note",
  made_name: "no name of its own; one was made",
  made_line: "no lines of its own; one was made of the total",
  too_long: "is too long for an entry of a list; kept as a note",
  too_many_entries: "is beyond the entries that a record can have; kept as a note",
  damaged_text: "holds characters that cannot be read",
  other_currency: "is not the currency of the business; the number was taken as it is",
  impossible_date: "is no date that exists; kept as a note",
  note_omitted: "the notes do not fit into the text of the record, and were left out",
  unresolved: "names no record; kept as a note",
  ambiguous: "names several records; kept as a note",
};

const WORDS_SHOWN = 10;

/** "1 row was", "2 rows were". */
const rowsOf = (count: number) => `${count} ${count === 1 ? "row" : "rows"}`;
const rowsWere = (count: number) => `${rowsOf(count)} ${count === 1 ? "was" : "were"}`;

/** What became of the rows. `rows` of this run: a resumed import has more. */
export function importSummary(
  done: ImportRow,
  { took_s, rows }: { readonly took_s: number; readonly rows: number },
): readonly string[] {
  const { tally } = done;
  const rate = took_s > 0 && rows > 0 ? ` (${Math.round(rows / took_s)} rows/s)` : "";
  const heading = done.dry_run
    ? "A dry run: nothing was written. It would be:"
    : `Import ${done.id} is finished:`;
  return [
    heading,
    `  ${rowsOf(done.rows)} in ${took_s.toFixed(1)} s${rate}`,
    `  ${done.created} created, ${done.updated} updated, ${done.unchanged} unchanged, ` +
      `${done.refused} refused`,
    ...linkLines(done),
    ...((tally.skipped ?? 0) > 0
      ? [`  ${rowsWere(tally.skipped ?? 0)} skipped: the file marks them as deleted`]
      : []),
    ...exampleLines(done),
    ...(tally.warned > 0 ? [`  ${rowsWere(tally.warned)} taken with a warning:`] : []),
    ...warningLines(tally),
  ];
}

/** Of a dry run: how many existing records would change, and the first of them. */
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

/** What became of the references of the rows, and how accounts that are missing can be created. */
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
          `  Import the accounts before the ${RECORD_TYPES[record_type].table}, or add ` +
            "--create-accounts to create those that are missing.",
        ]
      : []),
  ];
}

/** The kinds of warnings, most frequent first, each with the words behind it. */
function warningLines({ warnings, words }: ImportRow["tally"]): readonly string[] {
  const kinds = Object.entries(warnings).toSorted(([, a], [, b]) => b - a);
  return kinds.flatMap(([kind, count]) => {
    const told = words.filter((word) => word.kind === kind && word.word !== null);
    return [
      `    ${count} ${kind}: ${KINDS[kind] ?? ""}`,
      ...told
        .slice(0, WORDS_SHOWN)
        .map(({ field, word, rows }) => `      ${rows} × ${field ?? ""} ${JSON.stringify(word)}`),
    ];
  });
}

/** Where the refused rows are, and why the first of them were refused. */
export function rejectLines(
  { refused }: Pick<ImportRow, "refused">,
  path: string,
  first: readonly RefusedRow[],
): readonly string[] {
  const more = refused - first.length;
  return [
    `${rowsWere(refused)} refused: ${path}`,
    ...first.map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ];
}

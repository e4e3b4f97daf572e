/** What `leadport import` says: how the file is read, and what became of its rows. */

import type { ImportRow, Intake } from "../files/index.ts";

const names = (list: readonly string[]) => list.map((name) => JSON.stringify(name)).join(", ");

const line = (what: string, list: readonly string[]) =>
  list.length === 0 ? [] : [`  ${what}: ${names(list)}`];

/** How the file is read: what was recognised, and what became of each heading. */
export function mappingLines({ file, report }: Intake): readonly string[] {
  const { format, encoding, delimiter } = file;
  const { matched, alternatives, not_taken, in_templates, made, ...rest } = report();
  const divided = delimiter === undefined ? "" : `, divided by ${JSON.stringify(delimiter)}`;
  return [
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
    ...line("made anew by the service", rest.read_only),
    ...line("not known, not imported", rest.unmatched),
  ];
}

/** What a kind of warning means. */
const KINDS: Readonly<Record<string, string>> = {
  unknown_word: "words that are no known value; the default was taken, the word kept as a note",
  unreadable_value: "values that cannot be read; kept as a note",
  made_name: "records without a name of their own; one was made",
  made_line: "invoices without lines; one was made of the total",
  damaged_text: "rows with characters that cannot be read",
  unresolved: "references that name no record; kept as a note",
};

const WORDS_SHOWN = 10;

/** What became of the rows. `rows` of this run: a resumed import has more. */
export function importSummary(
  done: ImportRow,
  { took_s, rows }: { readonly took_s: number; readonly rows: number },
): readonly string[] {
  const { tally } = done;
  const rate = took_s > 0 ? ` (${Math.round(rows / took_s)} rows/s)` : "";
  const words = tally.words.filter(({ word }) => word !== null).slice(0, WORDS_SHOWN);
  const heading = done.dry_run
    ? "A dry run: nothing was written. It would be:"
    : `Import ${done.id} is finished:`;
  return [
    heading,
    `  ${done.rows} rows in ${took_s.toFixed(1)} s${rate}`,
    `  ${done.created} created, ${done.updated} updated, ${done.unchanged} unchanged, ` +
      `${done.refused} refused`,
    ...(tally.warned > 0 ? [`  ${tally.warned} rows were taken with a warning:`] : []),
    ...Object.entries(tally.warnings).map(
      ([kind, count]) => `    ${count} ${kind}: ${KINDS[kind] ?? ""}`,
    ),
    ...words.map(
      ({ field, word, rows: count }) => `      ${count} × ${field ?? ""} ${JSON.stringify(word)}`,
    ),
  ];
}

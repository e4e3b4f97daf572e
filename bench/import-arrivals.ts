/** Determines where the non-empty cells of an imported file end up: in a field, in text, or nowhere. */

import type { Row } from "../src/files/read/row.ts";

type Members = Readonly<Record<string, unknown>>;

export interface ImportedFile {
  /** The import as returned by the API. */
  readonly told: {
    readonly mapping: {
      readonly matched: readonly Used[];
      readonly alternatives: readonly (Used & { readonly instead: string })[];
    };
  };
  readonly rows: readonly Row[];
  /** The records that the import created, in row order. */
  readonly records: readonly (Members & { readonly _id: string })[];
  /** The line numbers of rejected rows. */
  readonly rejected: ReadonlySet<number>;
}

interface Used {
  readonly heading: string;
  readonly field: string;
}

export interface Arrivals {
  readonly rows: number;
  readonly rejected: number;
  readonly cells: number;
  readonly field: number;
  readonly text: number;
  readonly lost: number;
}

export const NOTHING: Arrivals = { rows: 0, rejected: 0, cells: 0, field: 0, text: 0, lost: 0 };

export const sumOf = (a: Arrivals, b: Arrivals): Arrivals => ({
  rows: a.rows + b.rows,
  rejected: a.rejected + b.rejected,
  cells: a.cells + b.cells,
  field: a.field + b.field,
  text: a.text + b.text,
  lost: a.lost + b.lost,
});

const NOTES = ["comments", "description", "business_need_description"];

/** Fields that can receive values from several columns. Other fields use only the column with the most values. */
const SEVERAL = /^(?:email|phone|subject|social_dict_list|.*_id)$/;

/** For each field whose value may be stored under another name, the members that may contain the value. */
const FOUND_IN: Readonly<Record<string, readonly string[]>> = {
  birth_date: ["birth_year"],
  close_date: ["close_date", "expected_close_date"],
  email: ["email", "email_list"],
  phone: ["phone", "phone_list"],
};

/** Counts the cells of a file. Throws if its records cannot be matched by row order. */
export function arrivals({ told, rows, records, rejected }: ImportedFile): Arrivals {
  const { matched, alternatives } = told.mapping;
  const fields = new Map(
    [...matched, ...alternatives].map(({ heading, field }) => [heading, field]),
  );
  const better = new Map(
    alternatives
      .filter(({ field }) => !SEVERAL.test(field))
      .map(({ heading, instead }) => [heading, instead]),
  );
  const taken = rows.filter(({ line }) => !rejected.has(line));
  if (taken.length !== records.length) {
    throw new Error(`${taken.length} rows were accepted, and ${records.length} records are new`);
  }
  const counts = { ...NOTHING, rows: rows.length, rejected: rejected.size };
  let at = 0;
  for (const { line, cells } of rows) {
    const record = rejected.has(line) ? undefined : records[at++];
    for (const [heading, cell] of cells) {
      const text = String(cell).trim();
      if (text === "") continue;
      counts.cells += 1;
      const instead = better.get(heading);
      const isBehind = instead !== undefined && String(cells.get(instead) ?? "").trim() !== "";
      const field = isBehind ? undefined : fields.get(heading);
      counts[fateOf(record, { heading, field, text })] += 1;
    }
  }
  return counts;
}

interface FilledCell {
  readonly heading: string;
  readonly field: string | undefined;
  readonly text: string;
}

function fateOf(
  record: Members | undefined,
  { heading, field, text }: FilledCell,
): "field" | "text" | "lost" {
  if (record === undefined) return "lost";
  const notes = NOTES.map((name) => String(record[name] ?? ""));
  if (notes.some((note) => note.includes(`${heading} in the file: ${text}`))) return "text";
  if (field === undefined) return "lost";
  if (field === "is_deleted") return "field";
  if (field === "email" || field === "phone") {
    return isAmong(record, field, text) ? "field" : "lost";
  }
  const members = FOUND_IN[field] ?? [field];
  return members.some((name) => (record[name] ?? null) !== null) ? "field" : "lost";
}

const plain = (value: string): string => value.toLowerCase().replace(/[\s().-]/g, "");

/** Whether the record has an email address or a phone number, however it is written. */
function isAmong(record: Members, field: "email" | "phone", text: string): boolean {
  const stored = (FOUND_IN[field] ?? []).map((name) => plain(JSON.stringify(record[name] ?? "")));
  return stored.some((value) => value.includes(plain(text)));
}

/**
 * Computes a file's mapping from its columns, the options and a sample of rows. The mapping determines which fields to
 * read columns into, and how dates and numbers are formatted. All problems are reported together.
 */

import { isLongText, type RecordType } from "../../records/types/index.ts";
import type { WriteMode } from "../../records/keys/index.ts";
import {
  isUndecided,
  styleOf,
  undecidedNotice,
  type ColumnStyle,
  type Decision,
} from "../formats/index.ts";
import { decideBy, needsOf, type AllDecisions, type AllNeeds } from "./columns.ts";
import { contactColumn, plainName, matchHeadings, type HeadingReport } from "../headings/index.ts";
import { currencyColumns } from "./currencies.ts";
import { MappingError, modeOf, type MappingOptions } from "./mapping-options.ts";
import type { Format, Row } from "../read/index.ts";
import { allHeadings, findHeading, headingsByHand, templatesOf } from "./named-columns.ts";
import type { Template } from "./template.ts";
import { valueMapsOf, type ValueMap } from "./value-maps.ts";

export interface Mapping {
  readonly type: RecordType;
  readonly format: Format;
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly templates: ReadonlyMap<string, Template>;
  /** Field or column → its value map. */
  readonly values: ReadonlyMap<string, ValueMap>;
  /** The columns with numbers or dates, and the decisions that each of them requires. */
  readonly needs: AllNeeds;
  /** The formats of the columns in `needs`. */
  readonly styles: ReadonlyMap<string, ColumnStyle>;
  /** The format of the columns that are not in `needs`. */
  readonly plainStyle: ColumnStyle;
  readonly ownExport: boolean;
  readonly mode: WriteMode;
  /** Whether the key is the id in Leadport's own export. */
  readonly keyIsOwnId: boolean;
  readonly strict: boolean;
  readonly defaultAccount: string | undefined;
  /** Whether to create accounts that rows refer to but that do not exist. */
  readonly createAccounts: boolean;
  /** The tenant's currency, and the columns that contain currencies. */
  readonly currency: { readonly own: string | undefined; readonly columns: readonly string[] };
  /** The time of the import, in epoch seconds. */
  readonly now_s: number;
  readonly report: MappingReport;
}

/** The mapping as printed before an import and returned by `GET /crm/imports/{id}`. */
export interface MappingReport extends HeadingReport {
  readonly type: string;
  readonly columns: number;
  /** Whether the records are people, but no column of email addresses or phone numbers was recognized. */
  readonly no_email_or_phone: boolean;
  /** Field → template. */
  readonly made: Readonly<Record<string, string>>;
  /** How to read columns of numbers and dates, including NDJSON members that first occur in later rows. */
  readonly decisions: readonly Decision[];
  /** Messages for the user to check before relying on the import. */
  readonly notices: readonly string[];
}

/** The facts about a file that complete its mapping. */
interface DecidedFile {
  readonly decisions: AllDecisions;
  /** The tenant's currency. */
  readonly currency?: string | undefined;
  /** When the import started, in epoch seconds. If omitted, no date counts as being in the future. */
  readonly now_s?: number | undefined;
  /** Messages about the file as a whole. */
  readonly notices?: readonly string[];
}

export interface FileSample extends Omit<DecidedFile, "decisions"> {
  readonly format: Format;
  readonly headings: readonly string[];
  /** The first rows of the file. */
  readonly rows: readonly Row[];
  /** The decisions about columns if they have already been made. If omitted, they are based on `rows`. */
  readonly decisions?: AllDecisions | undefined;
}

/** The columns of a file and the fields that they are read into, before their formats are decided. */
export interface ColumnTargets {
  readonly mapping: Omit<Mapping, "styles" | "plainStyle" | "currency" | "now_s" | "report">;
  readonly headings: readonly string[];
  readonly report: HeadingReport;
  readonly options: MappingOptions;
}

/** Computes the mapping. Throws MappingError with all problems. */
export function compileMapping(
  type: RecordType,
  sample: FileSample,
  options: MappingOptions = {},
): Mapping {
  const targets = matchColumns(type, sample, options);
  const decisions = sample.decisions ?? decideBy(sample.rows, targets.mapping.needs, options);
  return decidedMapping(targets, { ...sample, decisions });
}

/** Determines the fields that columns are read into. Throws MappingError with all problems. */
export function matchColumns(
  type: RecordType,
  sample: Pick<FileSample, "format" | "headings" | "rows">,
  options: MappingOptions,
): ColumnTargets {
  const problems: string[] = [];
  const headings = allHeadings(sample, options);
  const find = (name: string, option: string) => findHeading(headings, name, option, problems);
  const byHand = headingsByHand({ type, options, find, problems });
  const { external_id } = options;
  const key = external_id === undefined ? undefined : find(external_id, "external_id");
  const templates = templatesOf({ type, options, find, problems });
  const { sources, report, ownExport } = matchHeadings(type, headings, {
    byHand,
    inTemplates: new Set([...templates.values()].flatMap(({ parts }) => parts)),
    made: new Set(templates.keys()),
    key,
    unfit: postalColumns(headings, sample.rows),
  });
  const mapping: ColumnTargets["mapping"] = {
    type,
    format: sample.format,
    sources,
    templates,
    values: valueMapsOf({ type, options, headings, problems }),
    // Leadport's own exports contain exact numbers and times.
    needs: ownExport ? new Map() : needsOf(type, sources, templates),
    ownExport,
    mode: modeOf(options),
    keyIsOwnId: ownExport && (key === "_id" || key === "id"),
    strict: options.strict ?? false,
    defaultAccount: options.default_account,
    createAccounts: options.create_accounts ?? false,
  };
  problems.push(...missingParts(mapping));
  if (problems.length > 0) throw new MappingError(problems);
  return { mapping, headings, report, options };
}

/** Completes the mapping with the decisions about the formats of its columns. */
export function decidedMapping(
  { mapping, headings, report, options }: ColumnTargets,
  { decisions: decided, currency, now_s, notices = [] }: DecidedFile,
): Mapping {
  const { type, needs, sources, templates, ownExport } = mapping;
  const styles = [...needs.keys()].map((heading) => {
    const own = decided.get(heading) ?? [];
    return [heading, styleOf(own, options)] as const;
  });
  const decisions = [...needs.keys()].flatMap((heading) => decided.get(heading) ?? []);
  // Decisions about NDJSON members that no row has contained so far. They are stored, so that a resumed import reads
  // these members in the same way.
  const expected = [...decided].flatMap(([heading, own]) =>
    headings.includes(heading) ? [] : own,
  );
  return {
    ...mapping,
    styles: new Map(styles),
    plainStyle: styleOf([], ownExport ? {} : options),
    currency: { own: currency, columns: currencyColumns(headings) },
    now_s: now_s ?? Infinity,
    report: {
      type: type.name,
      columns: headings.length,
      no_email_or_phone: isUnreachable(type, [...sources.keys(), ...templates.keys()]),
      ...report,
      made: options.set ?? {},
      decisions: [...decisions, ...expected],
      notices: [
        ...notices,
        ...decisions.filter(isUndecided).map(undecidedNotice),
        ...overridden(type, sources, templates),
      ],
    },
  };
}

/**
 * Returns notices about columns that a template overrides. Columns that the template contains, or whose text is
 * appended to its result, are not overridden.
 */
function overridden(
  { fields }: RecordType,
  sources: Mapping["sources"],
  templates: Mapping["templates"],
) {
  return [...templates].flatMap(([target, { parts }]) => {
    const columns = (sources.get(target) ?? []).filter((heading) => !parts.includes(heading));
    if (columns.length === 0 || isLongText(fields[target])) return [];
    const names = columns.map((heading) => JSON.stringify(heading)).join(", ");
    const when = parts.length === 0 ? "" : " in rows where its result is not empty";
    return `The option set overrides ${names} for ${target}${when}`;
  });
}

/** Whether the records are people, but no column contains an email address or phone number. */
const isUnreachable = (type: RecordType, targets: readonly string[]): boolean =>
  "employer_name" in type.fields &&
  !["email", "phone", "email_list", "phone_list"].some((field) => targets.includes(field));

/**
 * Returns columns such as "Mail Address" that contain postal addresses. Their names are ambiguous, and most of their
 * non-empty cells in the sample contain no @.
 */
function postalColumns(headings: readonly string[], rows: readonly Row[]): ReadonlySet<string> {
  const open = headings.filter((name) => contactColumn(plainName(name))?.isMaybePostal === true);
  return new Set(
    open.filter((name) => {
      const cells = rows.map(({ cells: all }) => JSON.stringify(all.get(name) ?? ""));
      const filled = cells.filter((text) => /[\p{L}\p{N}]/u.test(text));
      return filled.filter((text) => text.includes("@")).length * 2 < filled.length;
    }),
  );
}

/** Returns a problem for each required value that no column in the file provides. */
function missingParts(mapping: ColumnTargets["mapping"]): readonly string[] {
  const { type, mode, sources, templates, defaultAccount } = mapping;
  const has = (target: string) => sources.has(target) || templates.has(target);
  if (sources.size + templates.size === 0) {
    return [
      `no column of the file matches a field of ${type.table}; map the columns with the option map`,
    ];
  }
  // Updates need no required fields, because existing records already have them.
  if (mode === "update") return [];
  const problems: string[] = [];
  for (const field of ["invoice_num", "total_amount"]) {
    if (type.fields[field]?.required === true && !has(field)) {
      problems.push(
        `no column provides the ${field} of ${type.table}; choose one with the option map`,
      );
    }
  }
  const wantsAccount = type.oneOf !== undefined || type.fields["account_id"]?.required === true;
  const links = (type.oneOf ?? ["account_id"]).some(has);
  if (wantsAccount && !links && defaultAccount === undefined) {
    problems.push(
      `no column provides the account or contact of ${type.table}; map one, or set a default account`,
    );
  }
  return problems;
}

/** Counts an import's rows, rejects and warnings, and the values that were changed on import. */

import { emailKey } from "../../records/contact-details/index.ts";
import { beginningOf } from "../read/index.ts";
import type { ChangeExample, Preview } from "./preview.ts";
import {
  type Link,
  LINK_OUTCOMES,
  type RefusedRow,
  type RowInput,
  type Warning,
  type WarningKind,
} from "../rows/index.ts";

export interface WarningCount {
  readonly kind: WarningKind;
  readonly field: string | null;
  readonly word: string | null;
  readonly rows: number;
}

type Word = Omit<WarningCount, "rows">;

/** For one reference field, the number of rows with each outcome. */
export type LinkCounts = Readonly<Record<Link["outcome"], number>>;

/** Counts as returned by `GET /crm/imports/{id}`. */
export interface TallyReport {
  readonly rows: number;
  readonly taken: number;
  readonly rejected: number;
  /** Rows that the file marks as deleted. Missing in imports by earlier versions. */
  readonly skipped?: number;
  /**
   * Field → the outcomes of its references, including those in rejected rows. Missing in imports by earlier versions.
   */
  readonly references?: Readonly<Record<string, LinkCounts>>;
  /** Rows that were imported with at least one warning. */
  readonly warned: number;
  readonly warnings: Readonly<Partial<Record<WarningKind, number>>>;
  /** The values that caused the most warnings. */
  readonly words: readonly WarningCount[];
  /** Some of the existing records that a dry run would change. */
  readonly examples?: readonly ChangeExample[];
  /** The number of existing records that a dry run would change. Missing if it is zero or unknown. */
  readonly changed_records?: number;
}

const noLinks = () =>
  Object.fromEntries(LINK_OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    Link["outcome"],
    number
  >;

/** Maximum number of distinct changed records to count. If there are more, their number is unknown. */
const CHANGED_MAX = 100_000;
/** Maximum number of email addresses to compare. They take a few megabytes of memory. */
const EMAILS_MAX = 20_000;
/** Maximum number of distinct values to count separately. Other values are counted only by kind of warning. */
const WORDS_MAX = 1000;
const WORDS_SHOWN = 50;
/** Values longer than this are truncated to this length. */
const WORD_CHARACTERS = 200;

export class Tally {
  /** Returns a tally that continues from a stored report. */
  static of(report: TallyReport): Tally {
    const { taken, rejected, warned, warnings, words } = report;
    const { skipped = 0, references = {}, examples = [] } = report;
    const tally = new Tally();
    tally.examples = examples;
    // The stored report does not list which records earlier rows would change, so changed records can no longer be
    // counted.
    if (report.rows > 0) tally.#changed = undefined;
    tally.#skipped = skipped;
    for (const [field, counts] of Object.entries(references)) {
      tally.#links.set(field, { ...counts });
    }
    tally.#taken = taken;
    tally.#rejected = rejected;
    tally.#warned = warned;
    for (const [kind, rows] of Object.entries(warnings)) {
      tally.#kinds.set(kind as WarningKind, rows);
    }
    for (const { rows, ...word } of words) tally.#addWord(word, rows);
    return tally;
  }

  examples: readonly ChangeExample[] = [];
  /**
   * The ids of records that would change. Copies of a tally share this set, because repeating a chunk changes the same
   * records.
   */
  #changed: Set<string> | undefined = new Set();
  /**
   * Email address → the first line that contains it. Copies of a tally share this map, because repeating a chunk reads
   * the same lines.
   */
  #emails = new Map<string, number>();
  #taken = 0;
  #rejected = 0;
  #warned = 0;
  #skipped = 0;
  readonly #links = new Map<string, Record<Link["outcome"], number>>();
  readonly #kinds = new Map<WarningKind, number>();
  readonly #words = new Map<string, { count: Word; rows: number }>();

  take({ warnings, links }: Pick<RowInput, "warnings" | "links">): void {
    this.#addLinks(links);
    this.#taken += 1;
    if (warnings.length > 0) this.#warned += 1;
    for (const { kind, field = null, word = null } of warnings) {
      this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
      // Generated names differ in every row, so they are not counted by value.
      const shown =
        kind === "made_name" || word === null ? null : beginningOf(word, WORD_CHARACTERS);
      this.#addWord({ kind, field, word: shown }, 1);
    }
  }

  #addWord(count: Word, rows: number): void {
    const key = JSON.stringify([count.kind, count.field, count.word]);
    const known = this.#words.get(key);
    if (known !== undefined) known.rows += rows;
    else if (this.#words.size < WORDS_MAX) this.#words.set(key, { count, rows });
  }

  copy(): Tally {
    const tally = Tally.of({ ...this.report(), words: [] });
    for (const { count, rows } of this.#words.values()) tally.#addWord(count, rows);
    tally.#changed = this.#changed;
    tally.#emails = this.#emails;
    return tally;
  }

  /**
   * Returns a warning if an earlier line has the same email address, and otherwise an empty list. Remembers only a
   * limited number of addresses.
   */
  repetitions({ body: { email }, line }: Pick<RowInput, "body" | "line">): readonly Warning[] {
    if (typeof email !== "string") return [];
    const key = emailKey(email);
    const first = this.#emails.get(key);
    if (first === undefined && this.#emails.size < EMAILS_MAX) this.#emails.set(key, line);
    if (first === undefined || first >= line) return [];
    return [{ kind: "repeated_email", field: "email", word: `${email} (line ${first})` }];
  }

  /** Adds the existing records that a chunk of a dry run would change. */
  noteChanges({ ids, examples }: Preview): void {
    this.examples = examples;
    for (const id of ids) this.#changed?.add(id);
    if ((this.#changed?.size ?? 0) > CHANGED_MAX) this.#changed = undefined;
  }

  reject({ links }: Pick<RefusedRow, "links"> = {}): void {
    this.#addLinks(links);
    this.#rejected += 1;
  }

  skip(): void {
    this.#skipped += 1;
  }

  #addLinks(links: readonly Link[] = []): void {
    for (const { field, outcome } of links) {
      const counts = this.#links.get(field) ?? noLinks();
      counts[outcome] += 1;
      this.#links.set(field, counts);
    }
  }

  report(): TallyReport {
    const words = [...this.#words.values()]
      .map(({ count, rows }) => ({ ...count, rows }))
      .toSorted((a, b) => b.rows - a.rows)
      .slice(0, WORDS_SHOWN);
    return {
      rows: this.#taken + this.#rejected + this.#skipped,
      taken: this.#taken,
      rejected: this.#rejected,
      skipped: this.#skipped,
      references: Object.fromEntries(
        [...this.#links].map(([field, counts]) => [field, { ...counts }]),
      ),
      warned: this.#warned,
      warnings: Object.fromEntries(this.#kinds),
      words,
      ...(this.examples.length > 0 && { examples: this.examples }),
      ...(this.#changed?.size && { changed_records: this.#changed.size }),
    };
  }
}

/**
 * Determines how a column's numbers and dates are formatted, based on its cells: the decimal separator, the order of
 * day and month, whether dates are Excel serial dates, and whether fractions are written as percentages.
 */

import { DEFAULT_ORDERS, isSerialDate, orderOf, type DateOrder, type DateOrders } from "./dates.ts";
import { isNothing, readNumber, signOf, type DecimalSign } from "./numbers.ts";
import { storable } from "../read/index.ts";

/** The format of a column's values. */
export interface ColumnStyle {
  readonly dates: DateOrders;
  /** Whether dates are Excel serial dates. */
  readonly serialDates: boolean;
  readonly decimal: DecimalSign;
  /** Whether numbers are percentages, such as probabilities from 0 to 100. */
  readonly percent: boolean;
}

/** The decisions that a column requires. */
export interface ColumnNeeds {
  readonly numbers: boolean;
  readonly dates: boolean;
  readonly shares: boolean;
}

/** What a decision is based on: an option, the user's reply, the column's values, or nothing. */
export type DecidedBy = "option" | "answer" | "column" | "default";

/** A decision about a column, as returned with the import. */
export interface Decision {
  readonly heading: string;
  readonly about: "decimal" | "dates" | "percent";
  /** The date separator that the order of day and month applies to. */
  readonly separator?: keyof DateOrders;
  /** A decimal separator, an order of day and month, `serial` for Excel serial dates, or `percent`. */
  readonly value: DecimalSign | DateOrder | "serial" | "percent";
  readonly decided_by: DecidedBy;
  /** Examples of the values that led to the decision or, if there are none, of ambiguous values. */
  readonly examples: readonly string[];
}

/** Formats that options specify for all columns. */
export interface GivenStyle {
  readonly dates?: DateOrder | undefined;
  readonly decimal?: DecimalSign | undefined;
}

const SEPARATORS = ["/", "-", "."] as const;
const EXAMPLES = 3;
/** Strings longer than this are not read as numbers or dates. */
const STYLED_CHARACTERS = 100;

const SIGNS = [".", ","] as const satisfies readonly DecimalSign[];
const isPercentage = (cell: unknown, sign: DecimalSign): boolean =>
  typeof cell === "string" &&
  cell.length <= STYLED_CHARACTERS &&
  (cell.includes("%") || (readNumber(cell, sign) ?? 0) > 1);

/** Counts the values that indicate each of two options, and the values that fit both. */
class Votes<T extends string> {
  readonly counts = new Map<T | "either", number>();
  readonly examples = new Map<T | "either", string[]>();

  add(vote: T | "either", text: string): void {
    const count = this.counts.get(vote) ?? 0;
    this.counts.set(vote, count + 1);
    if (count >= EXAMPLES) return;
    const examples = this.examples.get(vote) ?? [];
    const example = storable(text);
    if (!examples.includes(example)) this.examples.set(vote, [...examples, example]);
  }

  /** Returns the option that more values indicate, or undefined in a tie. */
  winner(one: T, other: T): T | undefined {
    const first = this.counts.get(one) ?? 0;
    const second = this.counts.get(other) ?? 0;
    return first === second ? undefined : first > second ? one : other;
  }
}

/** Checks whether all non-empty cells of a column are Excel serial dates. */
class SerialDates {
  #others = false;
  readonly examples: string[] = [];

  add(cell: unknown): void {
    if (this.#others || cell === undefined || cell === null) return;
    const text = typeof cell === "object" ? undefined : String(cell).trim();
    if (text !== undefined && isNothing(text)) return;
    if (text === undefined || !isSerialDate(text)) this.#others = true;
    else if (this.examples.length < EXAMPLES && !this.examples.includes(text)) {
      this.examples.push(text);
    }
  }

  get areAll(): boolean {
    return !this.#others && this.examples.length > 0;
  }
}

/** Collects evidence of a column's format from its values. */
export class ColumnEvidence {
  readonly #numbers = new Votes<DecimalSign>();
  readonly #dates = new Map(SEPARATORS.map((sign) => [sign, new Votes<DateOrder>()]));
  readonly #serials = new SerialDates();
  /**
   * For each decimal separator, whether any value is a percentage: it contains % or is greater than 1 when read with
   * that separator.
   */
  readonly #isAboveOne = { ".": false, ",": false };

  add(cell: unknown, needs: ColumnNeeds): void {
    if (needs.dates) this.#serials.add(cell);
    if (needs.shares) this.#addShare(cell);
    if (typeof cell !== "string" || cell === "" || cell.length > STYLED_CHARACTERS) return;
    if (needs.numbers) {
      const sign = signOf(cell);
      if (sign !== undefined) this.#numbers.add(sign, cell.trim());
    }
    if (needs.dates) {
      const said = orderOf(cell);
      if (said !== undefined) this.#dates.get(said.separator)?.add(said.order, cell.trim());
    }
  }

  #addShare(cell: unknown): void {
    for (const sign of SIGNS) {
      this.#isAboveOne[sign] ||= typeof cell === "number" ? cell > 1 : isPercentage(cell, sign);
    }
  }

  decide(heading: string, given: GivenStyle): readonly Decision[] {
    const decimal = this.#decimal(heading, given.decimal);
    const { decimal: sign } = styleOf(decimal, given);
    const byColumn = (
      about: Decision["about"],
      value: Decision["value"],
      examples: readonly string[],
    ): Decision => ({ heading, about, value, decided_by: "column", examples });
    return [
      ...decimal,
      ...SEPARATORS.flatMap((separator) => this.#order(heading, separator, given.dates)),
      ...(this.#serials.areAll ? [byColumn("dates", "serial", this.#serials.examples)] : []),
      ...(this.#isAboveOne[sign] || heading.includes("%")
        ? [byColumn("percent", "percent", [])]
        : []),
    ];
  }

  #decimal(heading: string, given: DecimalSign | undefined): readonly Decision[] {
    const decided = decide(this.#numbers, [".", ","], given ?? ".", given !== undefined);
    return decided === undefined ? [] : [{ heading, about: "decimal", ...decided }];
  }

  #order(
    heading: string,
    separator: keyof DateOrders,
    given: DateOrder | undefined,
  ): readonly Decision[] {
    const votes = this.#dates.get(separator) as Votes<DateOrder>;
    const otherwise = given ?? DEFAULT_ORDERS[separator];
    const decided = decide(votes, ["dmy", "mdy"], otherwise, given !== undefined);
    return decided === undefined ? [] : [{ heading, about: "dates", separator, ...decided }];
  }
}

/** Decides between two options. Returns undefined if both give the same result for all of the column's values. */
function decide<T extends DecimalSign | DateOrder>(
  votes: Votes<T>,
  [one, other]: readonly [T, T],
  otherwise: T,
  isGiven: boolean,
): Pick<Decision, "value" | "decided_by" | "examples"> | undefined {
  if (votes.counts.size === 0) return undefined;
  const examplesOf = (vote: T | "either") => votes.examples.get(vote) ?? [];
  const winner = isGiven ? undefined : votes.winner(one, other);
  if (winner !== undefined) {
    return { value: winner, decided_by: "column", examples: examplesOf(winner) };
  }
  const examples = [...examplesOf("either"), ...examplesOf(one), ...examplesOf(other)];
  const decided_by = isGiven ? "option" : "default";
  return { value: otherwise, decided_by, examples: examples.slice(0, EXAMPLES) };
}

/** Returns the format that results from the decisions about a column. */
export function styleOf(
  decisions: readonly Decision[],
  { dates, decimal }: GivenStyle,
): ColumnStyle {
  const orders =
    dates === undefined ? { ...DEFAULT_ORDERS } : { "/": dates, "-": dates, ".": dates };
  let sign = decimal ?? ".";
  for (const { about, separator, value } of decisions) {
    if (about === "decimal") sign = value as DecimalSign;
    if (separator !== undefined) orders[separator] = value as DateOrder;
  }
  const serialDates = decisions.some(({ value }) => value === "serial");
  const percent = decisions.some(({ about }) => about === "percent");
  return { dates: orders, serialDates, decimal: sign, percent };
}

/** Whether a default was used because the column contains no evidence. */
export const isUndecided = ({ decided_by }: Decision): boolean => decided_by === "default";

/** Returns a notice that a default was used without evidence. Names the option that changes it. */
export function undecidedNotice({ heading, about, value, examples }: Decision): string {
  const shown = examples.map((text) => JSON.stringify(text)).join(", ");
  const how =
    about === "dates"
      ? `the ${value === "dmy" ? "day" : "month"} first (option dates)`
      : `"${value}" as the decimal separator (option decimal)`;
  return `The column ${JSON.stringify(heading)} is ambiguous (${shown}) and was read with ${how}`;
}

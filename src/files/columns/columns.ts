/** Finds the columns that contain numbers or dates, and decides how to read each of them. */

import type { Field, RecordType } from "../../records/index.ts";
import {
  ColumnEvidence,
  type ColumnNeeds,
  type Decision,
  type GivenStyle,
} from "./column-decisions.ts";
import { type Cells, COLUMNS_MAX, type Row } from "../read/index.ts";
import type { Template } from "./template.ts";

/** Column → the decisions that it requires. */
export type AllNeeds = ReadonlyMap<string, ColumnNeeds>;
/** Column → the decisions made about it. */
export type AllDecisions = ReadonlyMap<string, readonly Decision[]>;

const EVERYTHING: ColumnNeeds = { numbers: true, dates: true, shares: true };
/**
 * If a field's maximum is at most this, as for years, months and priorities, its values never have a thousands
 * separator.
 */
const SHORT_MAX = 9999;

/** Returns the columns that are read into number or date fields, and the decisions that each of them requires. */
export function needsOf(
  { fields }: RecordType,
  sources: ReadonlyMap<string, readonly string[]>,
  templates: ReadonlyMap<string, Template>,
): AllNeeds {
  const needs = new Map<string, ColumnNeeds>();
  for (const target of new Set([...sources.keys(), ...templates.keys()])) {
    const own = needsOfField(fields[target] ?? { kind: "epoch" });
    if (own === undefined) continue;
    for (const heading of [
      ...(sources.get(target) ?? []),
      ...(templates.get(target)?.parts ?? []),
    ]) {
      const { numbers, dates, shares } = needs.get(heading) ?? own;
      needs.set(heading, {
        numbers: numbers || own.numbers,
        dates: dates || own.dates,
        shares: shares || own.shares,
      });
    }
  }
  return needs;
}

function needsOfField(field: Field): ColumnNeeds | undefined {
  switch (field.kind) {
    case "money":
      return { numbers: true, dates: false, shares: false };
    case "number":
      return { numbers: true, dates: false, shares: true };
    case "whole":
    case "digits": {
      const isShort = field.max === "this year" || (field.max ?? Infinity) <= SHORT_MAX;
      return isShort ? undefined : { numbers: true, dates: false, shares: false };
    }
    case "epoch":
      return { numbers: false, dates: true, shares: false };
    default:
      return undefined;
  }
}

/** Collects evidence for all columns, row by row. */
export class AllEvidence {
  readonly #needs: AllNeeds;
  /**
   * Columns that require no decisions. Any name that is neither here nor in `#needs` is an NDJSON member that first
   * occurs in a later row.
   */
  readonly #others: ReadonlySet<string>;
  readonly #evidence = new Map<string, ColumnEvidence>();

  constructor(needs: AllNeeds, headings: readonly string[]) {
    this.#needs = needs;
    this.#others = new Set(headings.filter((heading) => !needs.has(heading)));
    for (const heading of needs.keys()) this.#evidence.set(heading, new ColumnEvidence());
  }

  addCsv({ cells }: Row): void {
    for (const [heading, needs] of this.#needs) {
      this.#evidence.get(heading)?.add(cells.get(heading), needs);
    }
  }

  addNdjson({ cells }: { readonly cells: Cells }): void {
    for (const [name, cell] of cells) {
      if (this.#others.has(name)) continue;
      const evidence = this.#evidence.get(name) ?? new ColumnEvidence();
      evidence.add(cell, this.#needs.get(name) ?? EVERYTHING);
      if (this.#evidence.size < COLUMNS_MAX) this.#evidence.set(name, evidence);
    }
  }

  decide(given: GivenStyle): AllDecisions {
    return new Map(
      [...this.#evidence].map(([heading, evidence]) => [heading, evidence.decide(heading, given)]),
    );
  }
}

/** Decides how to read columns, based on a sample of rows. */
export function decideBy(rows: readonly Row[], needs: AllNeeds, given: GivenStyle): AllDecisions {
  const evidence = new AllEvidence(needs, []);
  for (const row of rows) evidence.addCsv(row);
  return evidence.decide(given);
}

/** Groups the stored decisions of an import by column. */
export function groupDecisions(decisions: readonly Decision[]): AllDecisions {
  return Map.groupBy(decisions, ({ heading }) => heading);
}

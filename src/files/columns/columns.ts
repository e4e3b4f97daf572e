/** Finds the columns that contain numbers or dates, and decides how to read each of them. */

import { kindOf } from "../../records/kinds/index.ts";
import type { RecordType } from "../../records/types/index.ts";
import {
  ColumnEvidence,
  type ColumnNeeds,
  type Decision,
  type GivenStyle,
} from "../formats/index.ts";
import { type Cells, COLUMNS_MAX, type Row } from "../read/index.ts";
import type { Template } from "./template.ts";

/** Column → the decisions that it requires. */
export type AllNeeds = ReadonlyMap<string, ColumnNeeds>;
/** Column → the decisions made about it. */
export type AllDecisions = ReadonlyMap<string, readonly Decision[]>;

const EVERYTHING: ColumnNeeds = { numbers: true, dates: true, shares: true };
/** Returns the columns that are read into number or date fields, and the decisions that each of them requires. */
export function needsOf(
  { fields }: RecordType,
  sources: ReadonlyMap<string, readonly string[]>,
  templates: ReadonlyMap<string, Template>,
): AllNeeds {
  const needs = new Map<string, ColumnNeeds>();
  for (const target of new Set([...sources.keys(), ...templates.keys()])) {
    const field = fields[target] ?? { kind: "epoch" };
    const formats = kindOf(field).formats(field);
    if (formats.length === 0) continue;
    for (const heading of [
      ...(sources.get(target) ?? []),
      ...(templates.get(target)?.parts ?? []),
    ]) {
      const known = needs.get(heading);
      const needsFormat = (format: keyof ColumnNeeds): boolean =>
        known?.[format] === true || formats.includes(format);
      needs.set(heading, {
        numbers: needsFormat("numbers"),
        dates: needsFormat("dates"),
        shares: needsFormat("shares"),
      });
    }
  }
  return needs;
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

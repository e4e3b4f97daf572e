/** Handles the lines of deals, invoices and orders: columns and totals. */

import { t } from "../../text/index.ts";
import { memberLabel } from "../../ui/format/index.ts";
import type { Field, RecordType } from "../definitions.ts";

export type Members = NonNullable<Field["members"]>;

/** An object with known members. Other members are preserved. */
export type Line = Readonly<Record<string, unknown>>;

export interface LineColumn {
  readonly label: string;
  /** The name of a member, or the names of a member and a nested member. */
  readonly path: readonly [string] | readonly [string, string];
  readonly isNumber: boolean;
  /** Whether Leadport defines the member. Other members are stored as sent. */
  readonly isKnown: boolean;
}

const DETAIL = ["qty", "unit_price"] as const;

/**
 * Returns the columns for lines: the name first, the amount last, then any other members of
 * `lines`.
 */
export function lineColumns(members: Members, lines: readonly Line[] = []): readonly LineColumn[] {
  const columnsOf = (kind: Members[number]["kind"]): readonly LineColumn[] =>
    members
      .filter((member) => member.kind === kind)
      .flatMap(({ name }): readonly LineColumn[] =>
        kind === "line_detail"
          ? DETAIL.map((part) => ({
              label: t.record.columns[part] ?? part,
              path: [name, part] as const,
              isNumber: true,
              isKnown: true,
            }))
          : [
              {
                label: t.record.columns[name] ?? name,
                path: [name] as const,
                isNumber: kind === "money",
                isKnown: true,
              },
            ],
      );
  const known = [...columnsOf("text"), ...columnsOf("line_detail"), ...columnsOf("money")];
  return [...known, ...otherColumns(members, lines)];
}

function otherColumns(members: Members, lines: readonly Line[]): readonly LineColumn[] {
  const paths = lines.flatMap((line): readonly LineColumn["path"][] =>
    Object.keys(line).flatMap((name): readonly LineColumn["path"][] => {
      const kind = members.find((member) => member.name === name)?.kind;
      if (kind === undefined) return [[name]];
      if (kind !== "line_detail") return [];
      return Object.keys(detailOf(line, name))
        .filter((part) => !(DETAIL as readonly string[]).includes(part))
        .map((part) => [name, part] as const);
    }),
  );
  const byPath = new Map(paths.map((path) => [path.join("."), path]));
  return [...byPath.values()].map((path) => ({
    label: memberLabel(path.at(-1) ?? ""),
    path,
    isNumber: false,
    isKnown: false,
  }));
}

const detailOf = (line: Line, name: string): Line => (line[name] ?? {}) as Line;

/** Returns the value in a column of a line; null if there is none. */
export function cellOf(line: Line, { path: [name, part] }: LineColumn): unknown {
  return (part === undefined ? line[name] : detailOf(line, name)[part]) ?? null;
}

/**
 * Returns the line with a different value in a column. Changing a quantity or price updates the
 * amount.
 */
export function withCell(line: Line, { path: [name, part] }: LineColumn, value: unknown): Line {
  if (part === undefined) return { ...line, [name]: value };
  const detail = { ...detailOf(line, name), [part]: value };
  const { qty, unit_price } = detail as Line;
  const isPriced = typeof qty === "number" && typeof unit_price === "number";
  return { ...line, [name]: detail, ...(isPriced && { amount: rounded(qty * unit_price) }) };
}

/** Returns how to compute the total if each line has an amount and a count; otherwise undefined. */
export const lineSum = (type: RecordType, name: string) =>
  Object.values(type.fields).find(({ sum_of }) => sum_of?.lines === name)?.sum_of;

/** Computes the total of the lines in the same way as the service. */
export function sumOfLines(type: RecordType, name: string, lines: readonly Line[]): number {
  const sum = lineSum(type, name);
  const comesTo = (line: Line): number =>
    sum === undefined
      ? amountOf(line["amount"])
      : amountOf(line[sum.amount]) * amountOf(line[sum.count]);
  return rounded(lines.reduce((total, line) => total + comesTo(line), 0));
}

const amountOf = (value: unknown): number => (typeof value === "number" ? value : 0);

/** Removes floating-point errors; amounts have at most six decimals. */
const rounded = (amount: number): number => Number(amount.toFixed(6));

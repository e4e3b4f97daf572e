/** Describes a row's problems and warnings. */

import { portalFileTexts } from "../../text/portal.ts";
import { number } from "../../ui/format/index.ts";
import { type FileRow, isDoubtful, type RowProblem } from "./rows.ts";

const texts = portalFileTexts;

const textOf = (problem: RowProblem): string =>
  problem.kind === "source" ? texts.problems.source(problem.source) : texts.problems[problem.kind];

/** Returns why a row cannot be submitted; empty if it can. */
export const problemsText = ({ problems }: FileRow): string => problems.map(textOf).join(" ");

/** Returns the warnings for a row that can be submitted; empty if there are none. */
export const warningsText = (row: FileRow): string =>
  [
    ...(row.sameAs === undefined ? [] : [texts.sameAs(number(row.sameAs))]),
    ...(isDoubtful(row) ? [texts.emailDoubtful] : []),
  ].join(" ");

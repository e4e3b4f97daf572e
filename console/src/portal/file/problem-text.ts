/** A row's problem in words. */

import { portalFileTexts } from "../../text/portal.ts";
import type { RowProblem } from "./rows.ts";

const { problems } = portalFileTexts;

export const problemText = (problem: RowProblem): string =>
  problem.kind === "source" ? problems.source(problem.source) : problems[problem.kind];

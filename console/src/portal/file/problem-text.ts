/** A row's problem in words. */

import { t } from "../../text/index.ts";
import type { RowProblem } from "./rows.ts";

const { problems } = t.portalFile;

export const problemText = (problem: RowProblem): string =>
  problem.kind === "source" ? problems.source(problem.source) : problems[problem.kind];

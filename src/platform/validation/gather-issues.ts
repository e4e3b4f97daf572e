/** Gathers what is wrong in several places of a request, so that one answer tells all of it. */

import { ValidationError, type Issue } from "../errors/index.ts";

export interface IssueGathering {
  /** What `read` answers; `otherwise` where it throws a ValidationError, whose issues are kept. */
  readonly attempt: <T>(read: () => T, otherwise: T) => T;
  /** Throws a ValidationError with all that was wrong; nothing where nothing was. */
  readonly finish: () => void;
}

export function gatherIssues(): IssueGathering {
  const issues: Issue[] = [];
  return {
    attempt: (read, otherwise) => {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        issues.push(...error.issues);
        return otherwise;
      }
    },
    finish: () => {
      if (issues.length > 0) throw new ValidationError(issues);
    },
  };
}

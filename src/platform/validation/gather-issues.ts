/** Collects the issues from several parts of a request, so that one response contains all of them. */

import { ValidationError, type Issue } from "../errors/index.ts";

export interface IssueGathering {
  /** Returns the result of `read`. If `read` throws a ValidationError, collects its issues and returns `otherwise`. */
  readonly attempt: <T>(read: () => T, otherwise: T) => T;
  /** Throws a ValidationError with all collected issues if there are any. */
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

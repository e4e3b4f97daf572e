/** Sends requests for a form or button, one at a time, and tracks their progress and errors. */

import { useMutation } from "@tanstack/react-query";
import { issuesByField } from "./issues.ts";

export interface Sending<I> {
  readonly send: (input: I) => void;
  readonly isSending: boolean;
  readonly error: unknown;
  /** The service's messages by field name. */
  readonly issues: Readonly<Record<string, string>>;
  /** The error, unless it belongs to a field. */
  readonly unplaced: unknown;
  readonly reset: () => void;
}

export function useSending<I, O>(
  work: (input: I) => Promise<O>,
  onDone?: (output: O, input: I) => unknown,
): Sending<I> {
  const mutation = useMutation<O, Error, I>({
    mutationFn: work,
    ...(onDone !== undefined && { onSuccess: (output, input) => onDone(output, input) }),
  });
  const issues = issuesByField(mutation.error);
  return {
    send: mutation.mutate,
    isSending: mutation.isPending,
    error: mutation.error,
    issues,
    unplaced: Object.keys(issues).length === 0 ? mutation.error : null,
    reset: mutation.reset,
  };
}

/** Where the focus goes when a request fails because of one field. */

import { useEffect, useRef, type RefObject } from "react";

/**
 * A ref for the input of the field: it gets the focus, with its text selected, each time that a request
 * fails because of it.
 */
export function useFaultFocus(
  error: unknown,
  isBecauseOfField: boolean,
): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isBecauseOfField) return;
    input.current?.focus();
    input.current?.select();
  }, [error, isBecauseOfField]);
  return input;
}

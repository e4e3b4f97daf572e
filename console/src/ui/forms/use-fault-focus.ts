/** Moves the focus to the field that caused a request to fail. */

import { useEffect, useRef, type RefObject } from "react";

/**
 * Returns a ref for the field's input. Each time a request fails because of this field, the input
 * is focused and its text is selected.
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

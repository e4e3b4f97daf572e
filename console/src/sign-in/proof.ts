/**
 * Parses an authentication code. Six digits are a code from the app; anything else is a recovery
 * code.
 */
export function proofOf(
  typed: string,
): { readonly code: string } | { readonly recovery_code: string } {
  const text = typed.trim();
  return /^[\d\s]+$/.test(text) ? { code: text.replaceAll(/\s/g, "") } : { recovery_code: text };
}

/** A social security number. It is accepted in two formats, stored encrypted, and returned masked. */

import type { Json } from "../../platform/json/index.ts";
import { type Fault, valueError } from "../../platform/validation/index.ts";
import { fieldKind, NOTHING, type Purpose, UNREADABLE } from "./kind.ts";

export interface SsnField {
  readonly kind: "ssn";
}

const SPELLING = /^(\d{3}-\d{2}-\d{4}|\d{9})$/;
const MASKED = /^\*{3}-\*{2}-\d{4}$/;
const SSN_MASK = "***-**-";
const PRINTED_SSN = String.raw`^\d{3}-\d{2}-\d{4}$|^\d{9}$`;
const PRINTED_MASK = String.raw`^\*{3}-\*{2}-\d{4}$`;

export const isSsn = (text: string): boolean => SPELLING.test(text);
export const isMasked = (text: string): boolean => MASKED.test(text);

/** Masks a number: `123456789` → `***-**-6789`. */
const maskSsn = (ssn: string): string => SSN_MASK + ssn.slice(-4);

/**
 * Checks a social security number. Except on create, a masked number is also accepted and leaves the stored number
 * unchanged.
 */
function ssnFaults(value: Json, purpose: Purpose): readonly Fault[] {
  if (typeof value !== "string" || isSsn(value)) return [];
  if (purpose !== "create" && isMasked(value)) return [];
  return [valueError("an SSN must be XXX-XX-XXXX or nine digits")];
}

export const ssn = fieldKind<SsnField>({
  names: ["ssn"],
  request: (_, purpose) => ({
    type: ["string", "null"],
    description: "XXX-XX-XXXX or nine digits. Stored encrypted and returned masked.",
    "x-rule": ["ssn", purpose],
    "x-print": { pattern: purpose === "create" ? PRINTED_SSN : `${PRINTED_SSN}|${PRINTED_MASK}` },
  }),
  response: (_, schema) => ({
    ...schema,
    description: "Masked.",
    examples: [maskSsn("6789")],
  }),
  rules: () => ({ ssn: ssnFaults }),
  docs: () =>
    "`XXX-XX-XXXX` or nine digits: see [Social security numbers](#social-security-numbers)",
  example: (_, { text }) => text,
  stored: (_, value) => maskSsn(String(value)),
  isSecret: true,
  // A number masked by the other system cannot be imported.
  parse: (_, text) => {
    if (text.includes("*")) return NOTHING;
    const digits = text.replace(/[\s-]/g, "");
    return /^\d{9}$/.test(digits) ? { value: digits } : UNREADABLE;
  },
});

/**
 * The social security number: taken in two spellings, kept sealed, shown masked. Sealed with
 * AES-256-GCM under a key of the tenant; the seal names tenant and record, so a ciphertext that is
 * copied to another row does not open.
 */

import type { Sealer } from "../../platform/secrets/index.ts";

const SPELLING = /^(\d{3}-\d{2}-\d{4}|\d{9})$/;
const MASKED = /^\*{3}-\*{2}-\d{4}$/;
export const SSN_MASK = "***-**-";

export const isSsn = (text: string): boolean => SPELLING.test(text);
export const isMasked = (text: string): boolean => MASKED.test(text);

/** `123456789` → `***-**-6789`. */
export const maskSsn = (ssn: string): string => SSN_MASK + ssn.slice(-4);

/** `123456789` → `123-45-6789`, the spelling in which it is kept and revealed. */
export const spellSsn = (ssn: string): string => {
  const digits = ssn.replaceAll("-", "");
  return `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}`;
};

const place = (recordId: string): string => `ssn of ${recordId}`;

export const sealSsn = (sealer: Sealer, tenantId: string, recordId: string, ssn: string): string =>
  sealer.seal(tenantId, place(recordId), spellSsn(ssn));

export const openSsn = (
  sealer: Sealer,
  tenantId: string,
  recordId: string,
  sealed: string,
): string => sealer.open(tenantId, place(recordId), sealed);

/**
 * Social security numbers are accepted in two formats, stored encrypted, and returned masked. They are encrypted with
 * AES-256-GCM and the tenant's key. The tenant and record are authenticated, so a ciphertext that is copied to another
 * row cannot be decrypted.
 */

import type { Sealer } from "../../platform/secrets/index.ts";

const SPELLING = /^(\d{3}-\d{2}-\d{4}|\d{9})$/;
const MASKED = /^\*{3}-\*{2}-\d{4}$/;
export const SSN_MASK = "***-**-";

export const isSsn = (text: string): boolean => SPELLING.test(text);
export const isMasked = (text: string): boolean => MASKED.test(text);

/** Masks a number: `123456789` → `***-**-6789`. */
export const maskSsn = (ssn: string): string => SSN_MASK + ssn.slice(-4);

/** Formats a number for storage and for revealing it: `123456789` → `123-45-6789`. */
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

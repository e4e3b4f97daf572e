/** Checks whether an email address deserves a warning. */

import { EMAIL_FORM } from "../../../../src/records/types/email-form.ts";

/**
 * Whether an address looks deliverable, by the service's own rule. The service stores any
 * address, so this is only a warning.
 */
export const looksDeliverable = (email: string): boolean => EMAIL_FORM.test(email.trim());

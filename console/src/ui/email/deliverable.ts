/** Decides whether to warn about an email address. */

import { EMAIL_FORM } from "../../../../src/records/types/email-form.ts";

/**
 * Whether an address looks deliverable, by the same rule as in the service. The service stores any
 * address, so this is only used for a warning.
 */
export const looksDeliverable = (email: string): boolean => EMAIL_FORM.test(email.trim());

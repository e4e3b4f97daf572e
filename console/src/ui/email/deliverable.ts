/** Whether an email address is worth a warning. */

import { EMAIL_FORM } from "../../../../src/records/types/email-form.ts";

/**
 * Whether an address looks deliverable, as the service sees it. The service stores any address, so this is
 * worth a warning and no more.
 */
export const looksDeliverable = (email: string): boolean => EMAIL_FORM.test(email.trim());

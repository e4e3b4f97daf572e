/** The reasons for a rejection that a reviewer has at hand, and whether single keys decide. */

import { usePreference } from "../../api/index.ts";
import { t } from "../../text/index.ts";

export const REASONS_MAX = 9;
export const REASON_LENGTH_MAX = 5000;

export const useReasons = (onSaved?: () => unknown) =>
  usePreference<readonly string[]>("rejection_reasons", t.review.reasons, onSaved);

/** Who types by voice may not want letters to decide (WCAG 2.1.4). */
export const useKeysWanted = () => usePreference("review_keys", true);

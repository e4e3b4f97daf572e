/** The reviewer's preferences: rejection reasons, and whether single-key shortcuts are enabled. */

import { usePreference } from "../../api/index.ts";
import { t } from "../../text/index.ts";

export const REASONS_MAX = 9;
export const REASON_LENGTH_MAX = 5000;

export const useReasons = (onSaved?: () => unknown) =>
  usePreference<readonly string[]>("rejection_reasons", t.review.reasons, onSaved);

/** Users of speech input must be able to turn off single-key shortcuts (WCAG 2.1.4). */
export const useKeysWanted = () => usePreference("review_keys", true);

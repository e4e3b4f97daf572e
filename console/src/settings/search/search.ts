/** The search parameters of the settings pages. */

import { readDay } from "../../ui/days/index.ts";

export const TABS = ["tokens", "import_webhook", "duplicate_check"] as const;
export type Tab = (typeof TABS)[number];

export interface IntegrationsSearch {
  readonly tab?: Tab;
}

export function readTab({ tab }: Readonly<Record<string, unknown>>): IntegrationsSearch {
  const known = TABS.find((one) => one === tab);
  return known === undefined ? {} : { tab: known };
}

export const SHOWN = ["failed", "slow"] as const;

export interface SystemSearch {
  /** The ID of a credential. */
  readonly credential?: string;
  readonly only?: (typeof SHOWN)[number];
}

export function readSystemSearch(search: Readonly<Record<string, unknown>>): SystemSearch {
  const { credential, only } = search;
  const shown = SHOWN.find((one) => one === only);
  return {
    ...(typeof credential === "string" && credential !== "" && { credential }),
    ...(shown !== undefined && { only: shown }),
  };
}

export interface AuditSearch {
  readonly subject_type?: string;
  readonly subject_id?: string;
  readonly action?: string;
  readonly actor_id?: string;
  /** Days in the user's time zone, `YYYY-MM-DD`, both inclusive. */
  readonly from?: string;
  readonly to?: string;
}

const AUDIT_FILTERS = ["subject_type", "subject_id", "action", "actor_id"] as const;

export function readAuditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  const texts = AUDIT_FILTERS.map((name) => [name, search[name]] as const);
  const days = (["from", "to"] as const).map((name) => [name, readDay(search[name])] as const);
  const given = [...texts, ...days].filter(
    // The router parses a value that consists of digits as a number.
    ([, value]) => (typeof value === "string" && value !== "") || typeof value === "number",
  );
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** A lead of the plan: who asks, and for what. */

import type { Invented } from "../invent/index.ts";
import type { MemberName } from "./team.ts";
import type { KnownCompany, Year } from "./year.ts";

/** A lead on its way through the year. The ids are known once the records exist. */
export interface Lead {
  readonly invented: Invented;
  /** Where they ask for their company and not for their home. */
  readonly company: KnownCompany | undefined;
  readonly source: string;
  readonly seller: MemberName;
  id?: string;
  contact_id?: string;
  account_id?: string;
  deal_id?: string;
}

/** Leads that ask for a company. */
const COMPANY_SHARE = 0.35;
export const leadOf = (
  year: Year,
  invented: Invented,
  of: Pick<Lead, "source" | "seller">,
): Lead => ({
  invented,
  company: year.dice.happens(COMPANY_SHARE) ? year.company() : undefined,
  ...of,
});

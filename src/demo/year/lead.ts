/** A planned lead. */

import type { Invented } from "../invent/index.ts";
import type { MemberName } from "./team.ts";
import type { KnownCompany, Year } from "./year.ts";

/** A planned lead and its properties. The ids are set once the records exist. */
export interface Lead {
  readonly invented: Invented;
  /** The company that the lead belongs to. Undefined if the lead is about a private home. */
  readonly company: KnownCompany | undefined;
  readonly source: string;
  readonly seller: MemberName;
  id?: string;
  contact_id?: string;
  account_id?: string;
  deal_id?: string;
}

/** The share of leads that belong to companies. */
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

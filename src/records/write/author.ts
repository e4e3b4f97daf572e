/** On whose behalf a record is written. */

import type { CountryCode } from "../shape/index.ts";

/** On whose behalf: the tenant's country, and the person who owns what is created. */
export interface Author {
  readonly country: CountryCode;
  readonly person: { readonly id: string; readonly name: string };
}

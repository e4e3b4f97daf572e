/** All mutations. */

import { ACCESS } from "./access.ts";
import { EXCHANGE } from "./exchange.ts";
import { ISOLATION } from "./isolation.ts";
import type { Mutation } from "./mutation.ts";
import { PLATFORM } from "./platform.ts";
import { RECORDS } from "./records.ts";

export const MUTATIONS: readonly Mutation[] = [
  ...ACCESS,
  ...ISOLATION,
  ...RECORDS,
  ...EXCHANGE,
  ...PLATFORM,
];

/**
 * English strings. There is one file for each part of the pages. Strings that depend on values are
 * functions.
 */

import { addresses } from "./records/addresses.ts";
import { audit } from "./settings/audit.ts";
import { board } from "./records/board.ts";
import { business } from "./settings/business.ts";
import { common } from "./common.ts";
import { demoData } from "./demo-data.ts";
import { deliveries } from "./settings/deliveries.ts";
import { errors } from "./errors.ts";
import { fields } from "./records/fields.ts";
import { files } from "./records/files.ts";
import { home } from "./home.ts";
import { integrations } from "./settings/integrations.ts";
import { options } from "./records/options.ts";
import { people, profile } from "./settings/people.ts";
import { record } from "./records/record.ts";
import { review } from "./review.ts";
import { shell } from "./shell.ts";
import { system } from "./settings/system.ts";
import { table } from "./records/table.ts";
import { webhooks } from "./settings/webhooks.ts";

export const en = {
  addresses,
  audit,
  board,
  business,
  common,
  deliveries,
  demoData,
  errors,
  fields,
  files,
  home,
  integrations,
  options,
  /** Other strings about partners are loaded with the partner pages. */
  partners: { more: common.more },
  people,
  profile,
  record,
  review,
  shell,
  system,
  table,
  webhooks,
};

export type Texts = typeof en;

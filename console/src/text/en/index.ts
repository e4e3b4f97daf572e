/** English. One file for each part of the pages; what depends on a value is a function of it. */

import { addresses } from "./addresses.ts";
import { audit } from "./audit.ts";
import { board } from "./board.ts";
import { business } from "./business.ts";
import { common } from "./common.ts";
import { deliveries } from "./deliveries.ts";
import { errors } from "./errors.ts";
import { fields } from "./fields.ts";
import { files } from "./files.ts";
import { home } from "./home.ts";
import { integrations } from "./integrations.ts";
import { partners } from "./partners.ts";
import { people, profile } from "./people.ts";
import { record } from "./record.ts";
import { review } from "./review.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";
import { system } from "./system.ts";
import { table } from "./table.ts";
import { webhooks } from "./webhooks.ts";

export const en = {
  addresses,
  audit,
  board,
  business,
  common,
  deliveries,
  errors,
  fields,
  files,
  home,
  integrations,
  partners,
  people,
  profile,
  record,
  review,
  shell,
  signIn,
  system,
  table,
  webhooks,
};

export type Texts = typeof en;

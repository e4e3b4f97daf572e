/** English. One file for each part of the pages; what depends on a value is a function of it. */

import { common } from "./common.ts";
import { deliveries } from "./deliveries.ts";
import { errors } from "./errors.ts";
import { fields } from "./fields.ts";
import { home } from "./home.ts";
import { people, profile } from "./people.ts";
import { portal } from "./portal.ts";
import { review } from "./review.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";

export const en = {
  common,
  deliveries,
  errors,
  fields,
  home,
  people,
  portal,
  profile,
  review,
  shell,
  signIn,
};

export type Texts = typeof en;

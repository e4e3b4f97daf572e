/** English. One file for each part of the pages; what depends on a value is a function of it. */

import { common } from "./common.ts";
import { errors } from "./errors.ts";
import { fields } from "./fields.ts";
import { portal } from "./portal.ts";
import { portalFile } from "./portal-file.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";

export const en = { common, errors, fields, portal, portalFile, shell, signIn };

export type Texts = typeof en;

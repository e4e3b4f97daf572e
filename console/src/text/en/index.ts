/** English. One file for each part of the pages; what depends on a value is a function of it. */

import { board } from "./board.ts";
import { common } from "./common.ts";
import { errors } from "./errors.ts";
import { fields } from "./fields.ts";
import { files } from "./files.ts";
import { portal } from "./portal.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";

export const en = { board, common, errors, fields, files, portal, shell, signIn };

export type Texts = typeof en;

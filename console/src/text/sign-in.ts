/** Strings for the sign-in pages, loaded with them. */

import { signIn } from "./en/sign-in.ts";
import { lookupTable } from "./lookup-table.ts";

export const signInTexts: typeof signIn = lookupTable(signIn);

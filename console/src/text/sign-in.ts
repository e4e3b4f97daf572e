/** Strings for the sign-in pages, loaded with them. */

import { signIn } from "./en/sign-in.ts";

export const signInTexts: typeof signIn = signIn;

/** The texts of the sign-in, which are loaded with it. */

import { signIn } from "./en/sign-in.ts";

export const signInTexts: typeof signIn = signIn;

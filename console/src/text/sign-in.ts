/** Texts of the sign-in, loaded with it. */

import { signIn } from "./en/sign-in.ts";

export const signInTexts: typeof signIn = signIn;

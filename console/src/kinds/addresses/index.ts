/** The kinds of addresses and numbers by which people are reached. */

import type { Kind } from "../kind/index.ts";
import { email } from "./email.tsx";
import { emails } from "./emails.tsx";
import { phone } from "./phone.tsx";
import { phones } from "./phones.tsx";
import { social_profiles } from "./social-profiles.tsx";
import { url } from "./url.tsx";

export const ADDRESSES: Readonly<Record<string, Kind>> = {
  email,
  emails,
  phone,
  phones,
  social_profiles,
  url,
};

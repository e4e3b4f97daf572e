/** What the form of a push holds, and the body that it makes. */

import type { PartnerPushRequest } from "@leadport/client";
import type { HistoryState } from "@tanstack/react-router";
import { portalTexts } from "../../text/portal.ts";
import { endOfDay } from "../../ui/format/index.ts";
import { newPreference, preferencesOf, type Preference } from "../sending/index.ts";

/** Somebody who was looked up and is to be pushed; not in the address, which others may see. */
export interface Person {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    readonly person?: Person;
  }
}

export interface PushValues {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  /** Empty where the partner has no sources. */
  readonly source: string;
  readonly comments: string;
  readonly description: string;
  readonly preferences: readonly Preference[];
  /** A day, at whose end the lead expires. */
  readonly expires: string | null;
}

export const initialValues = (
  sources: readonly string[],
  { person }: HistoryState,
): PushValues => ({
  name: person?.name ?? "",
  email: person?.email ?? "",
  phone: person?.phone ?? "",
  source: sources[0] ?? "",
  comments: "",
  description: "",
  preferences: [newPreference()],
  expires: null,
});

/** What can be said before anything is sent, by the names of the form's fields. */
export function validate(values: PushValues): Record<string, string> {
  const errors: Record<string, string> = {};
  if (values.name.trim() === "") errors["name"] = portalTexts.push.nameNeeded;
  if (values.email.trim() === "" && values.phone.trim() === "") {
    errors["email"] = portalTexts.push.oneNeeded;
  }
  const seen = new Set<string>();
  values.preferences.forEach(({ key, value }, at) => {
    const name = key.trim();
    if (name === "" && value.trim() !== "") {
      errors[`preferences.${at}.key`] = portalTexts.push.keyNeeded;
    }
    if (name !== "" && seen.has(name)) errors[`preferences.${at}.key`] = portalTexts.push.sameKey;
    seen.add(name);
  });
  return errors;
}

const orNull = (text: string): string | null => text.trim() || null;

/** The body of a push; what is empty is not there. */
export function bodyOf(values: PushValues): PartnerPushRequest {
  return {
    name: values.name.trim(),
    email: orNull(values.email),
    phone: orNull(values.phone),
    ...(values.source !== "" && { source: values.source as PartnerPushRequest["source"] & string }),
    comments: orNull(values.comments),
    description: orNull(values.description),
    match_preferences: preferencesOf(values.preferences),
    expiration_date: values.expires === null ? null : endOfDay(values.expires),
  };
}

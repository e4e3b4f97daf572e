/** The values in the form that submits a lead, their validation, and the request body. */

import type { PartnerPushRequest } from "@leadport/client";
import type { HistoryState } from "@tanstack/react-router";
import { portalTexts } from "../../text/portal.ts";
import { looksDeliverable } from "../../ui/email/index.ts";
import { endOfDay } from "../../ui/days/index.ts";
import { newPreference, preferencesOf, type Preference } from "../sending/index.ts";

/**
 * A person who was looked up and is about to be submitted. Passed in the navigation state, because
 * others may see the URL.
 */
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
  /** The email address that the partner chose to submit although it looks invalid. */
  readonly confirmedEmail: string;
  readonly phone: string;
  /** Empty if the partner has no sources. */
  readonly source: string;
  readonly comments: string;
  readonly description: string;
  readonly preferences: readonly Preference[];
  /** The lead expires at the end of this day; null if it does not expire. */
  readonly expires: string | null;
}

export const initialValues = (
  sources: readonly string[],
  { person }: HistoryState,
): PushValues => ({
  name: person?.name ?? "",
  email: person?.email ?? "",
  confirmedEmail: "",
  phone: person?.phone ?? "",
  source: sources[0] ?? "",
  comments: "",
  description: "",
  preferences: [newPreference()],
  expires: null,
});

/** Whether the email address looks invalid. The service would store it anyway. */
export const isDoubtful = ({ email }: Pick<PushValues, "email">): boolean =>
  email.trim() !== "" && !looksDeliverable(email);

export const isConfirmed = ({ email, confirmedEmail }: PushValues): boolean =>
  confirmedEmail === email;

/** Returns validation errors by field name, before anything is sent. */
export function validate(values: PushValues): Record<string, string> {
  const errors: Record<string, string> = {};
  if (values.name.trim() === "") errors["name"] = portalTexts.push.nameNeeded;
  if (values.email.trim() === "" && values.phone.trim() === "") {
    errors["email"] = portalTexts.push.oneNeeded;
  } else if (isDoubtful(values) && !isConfirmed(values)) {
    errors["email"] = portalTexts.push.emailDoubtful;
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

/** Returns the request body. Empty fields are null. */
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

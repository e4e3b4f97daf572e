/**
 * Saves a form of settings. Sends only the fields that the user changed, because other users may have changed the other
 * fields since the form was opened.
 */

import type { UseFormReturnType } from "@mantine/form";
import { type Sending, useSending } from "../../api/index.ts";
import { changedFields } from "./changed-fields.ts";

export interface Saving<Values, Body, Stored> {
  /** Converts the stored settings to the form's values. */
  readonly valuesOf: (stored: Stored) => Values;
  /** Converts the form's values to a request body. */
  readonly bodyOf: (values: Values) => Body;
  readonly read: () => Promise<Stored>;
  /** Writes the changed fields. Not called if nothing has changed. */
  readonly write: (changes: Partial<Body>) => Promise<Stored>;
  readonly onSaved: (stored: Stored) => unknown;
}

export function useSaving<Values extends object, Body extends object, Stored>(
  form: UseFormReturnType<Values>,
  { valuesOf, bodyOf, read, write, onSaved }: Saving<Values, Body, Stored>,
): Sending<Values> {
  return useSending(
    async (values: Values) => {
      const changes = changedFields(bodyOf(form.getInitialValues()), bodyOf(values));
      return Object.keys(changes).length === 0 ? read() : write(changes);
    },
    (stored, sent) => {
      // Keep what the user entered while the request was in progress.
      form.setValues({ ...valuesOf(stored), ...changedFields(sent, form.getValues()) });
      form.resetDirty(valuesOf(stored));
      return onSaved(stored);
    },
  );
}

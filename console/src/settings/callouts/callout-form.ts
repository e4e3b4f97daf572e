/** The form state that the import webhook and the duplicate check share. */

import { useForm, type UseFormReturnType } from "@mantine/form";
import { headersOf, rowsOf, type HeaderRow } from "./header-rows.ts";

/** The settings that both have in common, as the service returns them. */
export interface Callout {
  readonly enabled: boolean;
  readonly url: string | null;
  readonly method: "POST" | "PUT";
  readonly headers: Readonly<Record<string, string>>;
  readonly body_template: string;
  readonly raw_template: boolean | null;
  readonly timeout_s: number;
}

export interface CalloutValues {
  readonly enabled: boolean;
  readonly url: string;
  readonly method: "POST" | "PUT";
  readonly headers: readonly HeaderRow[];
  readonly body_template: string;
  readonly raw_template: boolean;
  readonly timeout_s: number | string;
}

export type CalloutForm = UseFormReturnType<CalloutValues>;

/** Converts the settings to the form's values. */
export const calloutValues = (callout: Callout): CalloutValues => ({
  enabled: callout.enabled,
  url: callout.url ?? "",
  method: callout.method,
  headers: rowsOf(callout.headers),
  body_template: callout.body_template,
  raw_template: callout.raw_template === true,
  timeout_s: callout.timeout_s,
});

/** Returns the request body for saving or previewing the settings. */
export const calloutBody = ({ url, headers, timeout_s, ...values }: CalloutValues) => ({
  ...values,
  url: url.trim() === "" ? null : url.trim(),
  headers: headersOf(headers),
  timeout_s: timeout_s === "" ? null : Number(timeout_s),
});

export function useCalloutForm(callout: Callout) {
  const form = useForm<CalloutValues>({ initialValues: calloutValues(callout) });
  /**
   * Resets the form to the saved settings. Secrets that were entered are now stored and no longer
   * shown.
   */
  const restart = (saved: Callout) => {
    const values = calloutValues(saved);
    form.setInitialValues(values);
    form.setValues(values);
    form.resetDirty(values);
  };
  return { form, restart };
}

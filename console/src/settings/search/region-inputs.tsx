/** Inputs for a business's country, time zone and currency. */

import type { SelectProps } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useState } from "react";
import { t } from "../../text/index.ts";
import { SearchSelect } from "../../ui/forms/index.ts";
import { countries, currencies, timezones, withPresent } from "./choices.ts";

export interface Region {
  readonly default_country: string;
  readonly timezone: string;
  readonly currency: string;
}

export interface RegionInputsProps<T extends Region> extends Pick<SelectProps, "mt"> {
  readonly form: UseFormReturnType<T>;
  /** Validation errors by field. */
  readonly issues: Readonly<Record<string, string>>;
}

export function RegionInputs<T extends Region>({ form, issues, mt = 0 }: RegionInputsProps<T>) {
  const [choices] = useState(() => {
    const present = form.getInitialValues();
    return {
      default_country: withPresent(countries(), present.default_country),
      timezone: withPresent(timezones(), present.timezone),
      currency: withPresent(currencies(), present.currency),
    };
  });
  const listed = (field: keyof Region) => ({
    data: choices[field],
    mt,
    ...form.getInputProps(field),
    error: issues[field],
  });
  return (
    <>
      <SearchSelect
        label={t.business.country}
        description={t.business.countryHint}
        {...listed("default_country")}
      />
      <SearchSelect
        label={t.business.timezone}
        description={t.business.timezoneHint}
        {...listed("timezone")}
      />
      <SearchSelect
        label={t.business.currency}
        description={t.business.currencyHint}
        {...listed("currency")}
      />
    </>
  );
}

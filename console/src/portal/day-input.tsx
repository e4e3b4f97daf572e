/** A day, typed as `YYYY-MM-DD` or chosen in a calendar. */

import "@mantine/dates/styles.layer.css";
import { DateInput, type DateInputProps } from "@mantine/dates";
import { t } from "../text/index.ts";

export const DayInput = (props: DateInputProps) => (
  <DateInput
    valueFormat="YYYY-MM-DD"
    placeholder={t.portal.dayFormat}
    clearable
    clearButtonProps={{ "aria-label": t.portal.push.clearDate }}
    popoverProps={{ withinPortal: true }}
    {...props}
  />
);

/** A day, typed as `YYYY-MM-DD` or chosen in a calendar. */

import "@mantine/dates/styles.layer.css";
import { DateInput, type DateInputProps } from "@mantine/dates";
import { portalTexts } from "../../text/portal.ts";

export const DayInput = (props: DateInputProps) => (
  <DateInput
    valueFormat="YYYY-MM-DD"
    placeholder={portalTexts.dayFormat}
    clearable
    clearButtonProps={{ "aria-label": portalTexts.push.clearDate }}
    popoverProps={{ withinPortal: true }}
    {...props}
  />
);

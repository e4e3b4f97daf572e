/** When a lead expires, as text and an icon. A color marks leads that expire soon. */

import { Text } from "@mantine/core";
import { IconHourglassHigh, IconHourglassLow } from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import { dateTime, relative } from "../../ui/format/index.ts";
import classes from "./review.module.css";
import { useNow } from "../../ui/lists/index.ts";

const SOON_s = 24 * 3600;
const TICK_ms = 15_000;

export function Expiry({ at }: { readonly at: number }) {
  const now_ms = useNow(TICK_ms);
  const left_s = at - now_ms / 1000;
  const isSoon = left_s < SOON_s;
  const Pictured = isSoon ? IconHourglassLow : IconHourglassHigh;
  const when = relative(at, now_ms);
  return (
    <Text
      component="span"
      size="xs"
      {...(isSoon ? { className: classes["soon"] } : { c: "dimmed" })}
      title={dateTime(at)}
    >
      <Pictured size={14} aria-hidden className={classes["inlineIcon"]} />{" "}
      {left_s > 0 ? t.review.expires(when) : t.review.expired(when)}
    </Text>
  );
}

/** A relative time with the exact time in a tooltip. */

import { t } from "../../text/index.ts";
import { relative } from "../format/index.ts";
import { Moment } from "./moment.tsx";

export interface TimeProps {
  /** The time, in epoch seconds. */
  readonly at: number | null | undefined;
}

export const Time = ({ at }: TimeProps) =>
  at === null || at === undefined ? t.common.none : <Moment at={at} text={relative(at)} />;

/** Days as in URLs and date inputs. */

export {
  dayOf,
  type Days,
  endOfDay,
  isOver,
  readDay,
  type Span,
  spanOf,
  startOfDay,
  today,
} from "./days.ts";

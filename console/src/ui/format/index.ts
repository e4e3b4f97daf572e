/** Numbers, times and addresses as text. */

export {
  bytes,
  date,
  dateTime,
  duration,
  money,
  number,
  orNone,
  percent,
  relative,
  words,
} from "./format.ts";
export { mailHref, phoneHref } from "./hrefs.ts";
export { Time } from "./time.tsx";
export { useNow } from "./use-now.ts";

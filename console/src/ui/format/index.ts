/** Formats numbers, times and addresses. */

export { mailHref, phoneHref } from "./hrefs.ts";
export {
  bytes,
  date,
  dateTime,
  duration,
  exactTime,
  money,
  month,
  number,
  orNone,
  percent,
  rate,
  relative,
  shortDate,
  shortMoney,
  wordOptions,
  words,
} from "./format.ts";
export { isNothing, memberLabel, memberText, plainText } from "./members.ts";
export { canDial, extensionOf, phoneAddress, type PhoneNumber, phoneText } from "./phones.ts";
export { isAddress, isAddressRange, rangeOf } from "./cidr.ts";
export { typedNumber } from "./typed-number.ts";
export { containing, escapePattern } from "./pattern.ts";

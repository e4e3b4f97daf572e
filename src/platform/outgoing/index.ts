/** Requests and mail that leave the machine, and where they may go. */

export { createMailer, type Mail, type Mailer, NO_MAIL } from "./mail.ts";
export { isAllowEntry } from "./outgoing-gate.ts";
export {
  createOutgoing,
  type Outgoing,
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingFault,
  type OutgoingRequest,
  urlFault,
  type UrlRule,
} from "./outgoing.ts";
export { Turns } from "./turns.ts";

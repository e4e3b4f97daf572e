/** Outgoing requests and emails, and the addresses they may be sent to. */

export { createMailer, type Mail, type Mailer, NO_MAIL } from "./mail.ts";
export { isAllowEntry } from "./outgoing-gate.ts";
export {
  createOutgoing,
  type Outgoing,
  OutgoingError,
  type OutgoingFault,
  type OutgoingRequest,
  type OutgoingResponse,
  urlFault,
  type UrlRule,
} from "./outgoing.ts";

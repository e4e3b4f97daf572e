/** @leadport/client: a typed client of Leadport for Node 20 and newer, browsers and workers. */

export type * from "./api.ts";
export type { Answer } from "./call.ts";
export type { StreamOptions } from "./change-stream.ts";
export type { ChangesOptions, FeedOptions } from "./changes.ts";
export {
  createClient,
  createPartnerClient,
  createSessionClient,
  type Client,
  type ClientSettings,
  type CrmClient,
  type PartnerClient,
  type PartnerClientSettings,
  type WindowPath,
  type SessionClient,
} from "./client.ts";
export type { ChangesOf, EditOptions, RecordName, RecordOf } from "./edit.ts";
export {
  ConnectionFailed,
  CursorExpired,
  hasStatus,
  isConflict,
  isInvalid,
  isNotFound,
  isPreconditionFailed,
  LeadportError,
  type Issue,
} from "./errors.ts";
export type { CrmPath, DataOf, Filter, PartnerPath, SortOrder } from "./operations.ts";
export { listIn, nextQuery } from "./pages.ts";
export type { PollOptions } from "./poll.ts";
export type { RetryPolicy } from "./retry.ts";
export type { CallOptions, Message, Method, RawBody } from "./transport.ts";
export {
  verifyWebhook,
  WebhookVerificationError,
  type Delivered,
  type VerifiedWebhook,
} from "./webhook.ts";

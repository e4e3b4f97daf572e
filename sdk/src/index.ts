/**
 * @leadport/client: a typed client for Leadport that runs in Node.js 20 and later, browsers and
 * workers.
 */

export type * from "./api.ts";
export type { Answer } from "./http/call.ts";
export type { ChangedField, ChangedFields } from "./changed-fields.ts";
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
  type SessionClientSettings,
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
export type { StreamOptions } from "./feed/change-stream.ts";
export type { ChangesOptions, FeedOptions } from "./feed/changes.ts";
export type { PollOptions } from "./feed/poll.ts";
export type { Chosen, Fields } from "./fields.ts";
export type { Hooks, ReceivedResponse, SentRequest } from "./http/hooks.ts";
export type { CrmPath, DataOf, Filter, PartnerPath, SortOrder } from "./operations.ts";
export { listIn, nextQuery, type List } from "./pages.ts";
export type { RetryPolicy } from "./http/retry.ts";
export type { CallOptions, Message, Method, RawBody } from "./http/request.ts";
export { VERSION } from "./version.ts";
export {
  verifyPartnerWebhook,
  verifyWebhook,
  WebhookVerificationError,
  type Delivered,
  type OtherWebhook,
  type PartnerWebhookEvent,
  type VerifiedPartnerWebhook,
  type VerifiedWebhook,
  type WebhookEvent,
} from "./webhook.ts";

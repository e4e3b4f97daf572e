/** API access for the pages: client, session, preferences, and error messages. */

export { api, ask, isForbidden, isSignedOut, sendAs, userHeaders } from "./client.ts";
export { messageOf } from "./issue-text.ts";
export { issuesByField, issuesByPlace, sentenceOf } from "./issues.ts";
export { type List, type Page, readPage, useList } from "./pages.ts";
export { changePreference, preferencesQuery, usePreference } from "./preferences.ts";
export { hasOwner } from "./installation.ts";
export {
  may,
  type Permission,
  readSession,
  type Role,
  sessionQuery,
  useMay,
  useSession,
} from "./session.ts";
export { type Summary, summaryQuery } from "./summaries.ts";
export { TENANT, tenantQuery } from "./tenant.ts";
export { type Sending, useSending } from "./use-sending.ts";
export { type EarlierPush, earlierPushOf } from "./earlier-push.ts";

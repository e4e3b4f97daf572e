/** The API as the pages call it: client, session, preferences, and its errors as texts. */

export { api, ask, isForbidden, isSignedOut } from "./client.ts";
export { issuesByField, issuesByPlace, plain, sentenceOf } from "./issues.ts";
export { type List, type Page, readPage, useList } from "./pages.ts";
export { changePreference, preferencesQuery, usePreference } from "./preferences.ts";
export { hasOwner } from "./installation.ts";
export { may, type Permission, type Role, sessionQuery, useMay, useSession } from "./session.ts";
export { type Summary, summaryQuery } from "./summaries.ts";
export { TENANT, tenantQuery } from "./tenant.ts";
export { type Sending, useSending } from "./use-sending.ts";
export { type EarlierPush, earlierPushOf } from "./earlier-push.ts";

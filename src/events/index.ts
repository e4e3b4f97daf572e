/** What happened to a tenant's records, told in one order: the change feed and its stream. */

export { readFeed, type FeedEntry, type FeedPage } from "./feed.ts";
export { createChangeFeed, eventSchemas } from "./feed-routes.ts";

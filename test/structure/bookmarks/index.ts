/** A module that new-module.more.ts adds to a copy of the project: bookmarks, which are kept for a day. */

import { type Clock, epochSeconds } from "../../../src/platform/clock/index.ts";
import { type Db, run } from "../../../src/platform/database/index.ts";
import type { Module } from "../../../src/platform/modules/index.ts";
import { type BookmarkDeps, bookmarkOperations, bookmarkSchemas } from "./routes.ts";

const DAY_s = 86_400;

export const bookmarksModule = {
  name: "bookmarks",
  imports: ["access"],
  operations: (services: BookmarkDeps) => ({ tenants: bookmarkOperations(services) }),
  works: ({ sql, clock }: { readonly sql: Db; readonly clock: Clock }) => ({
    purge_bookmarks: async () => {
      const before_s = epochSeconds(clock) - DAY_s;
      const { count } = await run(sql)`delete from bookmarks where created_ts < ${before_s}`;
      return count > 0;
    },
  }),
  schemas: bookmarkSchemas,
  tags: { bookmarks: "Addresses of pages." },
  personal: {
    bookmarks: { user: "url", no: "tenant_id id created_ts" },
    bookmark_visits: { no: "tenant_id bookmark_id visits" },
  },
  excludedFromExport: { bookmark_visits: "counted again" },
} satisfies Module;

/** A module that new-module.more.ts adds to a copy of the project: bookmarks, which are kept for a day. */

import { epochSeconds } from "../../../src/platform/clock/index.ts";
import { run } from "../../../src/platform/database/index.ts";
import type { BasicServices, Module } from "../../../src/platform/modules/index.ts";
import { type BookmarkDeps, bookmarkOperations, bookmarkSchemas } from "./routes.ts";

const DAY_s = 86_400;

export const bookmarksModule = {
  name: "bookmarks",
  imports: ["access"],
  operations: (services: BookmarkDeps) => ({ tenants: bookmarkOperations(services) }),
  works: ({ sql, clock }: BasicServices) => ({
    purge_bookmarks: async () => {
      const before_s = epochSeconds(clock) - DAY_s;
      const { count } = await run(sql)`delete from bookmarks where created_ts < ${before_s}`;
      return count > 0;
    },
  }),
  schemas: () => bookmarkSchemas,
  tags: { bookmarks: "Addresses of pages." },
  samples: { create_bookmark: { body: { url: "https://example.com/" } } },
  personal: {
    bookmarks: { user: "url", no: "tenant_id id created_ts" },
    bookmark_visits: { no: "tenant_id bookmark_id visits" },
  },
  excludedFromExport: { bookmark_visits: "counted again" },
} satisfies Module;

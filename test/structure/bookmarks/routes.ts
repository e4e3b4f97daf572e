/** The operations on bookmarks. */

import type { Caller } from "../../../src/access/index.ts";
import { type Clock, epochSeconds } from "../../../src/platform/clock/index.ts";
import type { MakeId } from "../../../src/platform/ids/ids.ts";
import { type Database, inserted, run } from "../../../src/platform/database/index.ts";
import { AppError } from "../../../src/platform/errors/index.ts";
import { bodyShape, operation, type Operation } from "../../../src/platform/operations/index.ts";
import { checker } from "../../../src/platform/validation/index.ts";
import {
  bodySchema,
  objectSchema,
  type Schemas,
  string,
} from "../../../src/platform/schemas/typed.ts";

export interface BookmarkDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly makeId: MakeId;
}

const REQUEST = bodySchema("BookmarkRequest", { url: string("The address of the page.") }, ["url"]);

export const bookmarkSchemas: Schemas = {
  BookmarkRequest: REQUEST,
  Bookmark: objectSchema({ id: string("The id."), url: string("The address of the page.") }),
};

const COMMON = { url: "/crm/bookmarks", tag: "bookmarks", answer: { $ref: "Bookmark#" } } as const;

export const bookmarkOperations = ({
  db,
  clock,
  makeId,
}: BookmarkDeps): readonly Operation<Caller>[] => [
  operation({
    ...COMMON,
    method: "POST",
    id: "create_bookmark",
    summary: "Create a bookmark",
    permission: "records:write",
    body: bodyShape(REQUEST, checker({})),
    run: async ({ caller, body, write }) => {
      const bookmark = { id: makeId(), url: body.url };
      const row = { ...bookmark, tenant_id: caller.tenant.id, created_ts: epochSeconds(clock) };
      await write((sql) => run(sql)`insert into bookmarks ${inserted(row)}`);
      return bookmark;
    },
  }),
  operation({
    ...COMMON,
    method: "GET",
    url: "/crm/bookmarks/:bookmark_id",
    id: "get_bookmark",
    summary: "Get a bookmark",
    permission: "records:read",
    path: { bookmark_id: { kind: "text", max: 100, description: "The id of the bookmark." } },
    run: async ({ caller, path }) => {
      const [row] = await run(db.sql)`
        select id, url from bookmarks where tenant_id = ${caller.tenant.id} and id = ${path.bookmark_id}`;
      if (row === undefined) throw new AppError("not_found");
      return row;
    },
  }),
];

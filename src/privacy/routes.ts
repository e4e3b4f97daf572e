/** Operations for reports about a person, erasures, and retention settings. */

import { scopeOf, type Caller } from "../access/index.ts";
import { becomeBulk } from "../platform/admission/index.ts";
import { idIn } from "../platform/ids/index.ts";
import type { Database } from "../platform/database/index.ts";
import { operation, type Operation } from "../platform/operations/index.ts";
import { linkNext, PAGE_PARAMETERS, pageOf, sliceOf } from "../platform/paging/index.ts";
import { withDates } from "../platform/schemas/index.ts";
import { BODIES } from "./bodies.ts";
import { type ErasureDeps, erasePerson, tryErasure } from "./erasures.ts";
import { type Erasure, listErasures, readErasure } from "./stored-erasures.ts";
import { putPrivacy, shownPrivacy } from "./privacy-settings.ts";
import { reportPerson } from "./report.ts";

export interface PrivacyRoutesDeps extends ErasureDeps {
  readonly db: Database;
}

/** How long a request works on an erasure. The worker performs the remaining steps. */
const REQUEST_ms = 20_000;

const COMMON = { tag: "privacy", permission: "admin" } as const;
/** Responses contain personal data or differ each time, so they are not stored for retries. */
const PERSONS = { ...COMMON, method: "POST", keyless: true, noStore: true } as const;

const shown = (erasure: Omit<Erasure, "state"> & { readonly state: string }) => withDates(erasure);

export const privacyOperations = (deps: PrivacyRoutesDeps): readonly Operation<Caller>[] => [
  operation({
    ...PERSONS,
    url: "/crm/admin/persons/report",
    id: "report_person",
    summary: "Collect everything stored about a person",
    body: BODIES.report,
    answer: { $ref: "PersonReport#" },
    failures: { 409: "More than 1,000 records have this address or number." },
    run: async ({ caller, body }) => {
      becomeBulk();
      const { default_country } = caller.tenant;
      return reportPerson(scopeOf(deps.db.sql, caller), deps, body, default_country);
    },
  }),
  operation({
    ...PERSONS,
    url: "/crm/admin/persons/erase",
    id: "erase_person",
    summary: "Erase a person",
    body: BODIES.erase,
    answer: { $ref: "PersonErasure#" },
    failures: {
      409: "Records have changed since the report (their ids are in `changed_ids`), or the installation has no ERASURE_LOG.",
      410: "The report is older than 24 hours.",
    },
    run: async ({ caller, body }) => {
      const { report_id, record_ids, review_ids = [], dry_run = false } = body;
      const scope = scopeOf(deps.db.sql, caller);
      const chosen = { report_id, record_ids, review_ids };
      becomeBulk();
      if (dry_run) return shown({ ...(await tryErasure(scope, deps, chosen)), state: "dry_run" });
      return shown(await erasePerson(scope, deps, chosen, deps.clock.now_ms() + REQUEST_ms));
    },
  }),
  operation({
    ...COMMON,
    method: "GET",
    url: "/crm/admin/persons/erasures",
    id: "list_person_erasures",
    summary: "List erasures",
    query: PAGE_PARAMETERS,
    answer: { type: "array", items: { $ref: "PersonErasure#" } },
    run: async ({ caller, query, request, reply }) => {
      const slice = sliceOf(query);
      const rows = await listErasures(scopeOf(deps.db.sql, caller), slice);
      const { entries, next } = pageOf(rows, slice);
      linkNext(request, reply, next);
      return entries.map(shown);
    },
  }),
  operation({
    ...COMMON,
    method: "GET",
    url: "/crm/admin/persons/erasures/:erasure_id",
    id: "get_person_erasure",
    summary: "Get an erasure",
    path: { erasure_id: { kind: "text", max: 100, description: "The erasure's id." } },
    answer: { $ref: "PersonErasure#" },
    run: async ({ caller, path }) =>
      shown(await readErasure(scopeOf(deps.db.sql, caller), idIn(path, "erasure_id"))),
  }),
  operation({
    ...COMMON,
    method: "GET",
    url: "/crm/admin/privacy",
    id: "get_privacy",
    summary: "Get the retention settings",
    answer: { $ref: "PrivacySettings#" },
    run: async ({ caller }) => shownPrivacy(scopeOf(deps.db.sql, caller)),
  }),
  operation({
    ...COMMON,
    method: "PUT",
    url: "/crm/admin/privacy",
    id: "put_privacy",
    summary: "Replace the retention settings",
    body: BODIES.privacy,
    answer: { $ref: "PrivacySettings#" },
    run: async ({ caller, body, write }) =>
      write((sql) => putPrivacy(scopeOf(sql, caller), deps, body)),
  }),
];

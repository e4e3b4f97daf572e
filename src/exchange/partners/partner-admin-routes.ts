/** Operations that a tenant uses to manage its partners. */

import { scopeOf, type Caller } from "../../access/index.ts";
import type { Database } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { idIn } from "../../platform/ids/index.ts";
import { type Operation, operation } from "../../platform/operations/index.ts";
import type { Parameters, Schema } from "../../platform/validation/index.ts";
import { linkNext, PAGE_PARAMETERS } from "../../platform/paging/index.ts";
import { PARTNER_STATUSES, type PartnerShapes } from "./partner-bodies.ts";
import {
  createPartner,
  findPartner,
  listPartners,
  patchPartner,
  reissueCode,
  shownPartner,
  type PartnerDeps,
} from "./partners.ts";

export interface PartnerAdminDeps extends PartnerDeps {
  readonly db: Database;
  readonly shapes: PartnerShapes;
}

const COMMON = { tag: "partners", permission: "admin" } as const;
const PARTNERS = "/crm/admin/partners";
const ONE: Schema = { $ref: "Partner#" };
const WITH_CODE: Schema = { $ref: "PartnerWithAccessCode#" };

const PARTNER_PATH = {
  partner_id: { kind: "text", max: 100, description: "The id of the partner." },
} as const satisfies Parameters;

const LIST = {
  status: { kind: "choice", of: PARTNER_STATUSES, description: "The status of the partners." },
  ...PAGE_PARAMETERS,
} as const satisfies Parameters;

export const partnerAdminOperations = (deps: PartnerAdminDeps): readonly Operation<Caller>[] => {
  const { db, shapes } = deps;
  const one = { ...COMMON, url: `${PARTNERS}/:partner_id`, path: PARTNER_PATH } as const;
  return [
    operation({
      ...COMMON,
      method: "GET",
      url: PARTNERS,
      id: "list_partners",
      summary: "List partners",
      description: "Lists the partners of the tenant, newest first.",
      query: LIST,
      answer: { type: "array", items: ONE },
      run: async ({ caller, query, request, reply }) => {
        const { entries, next } = await listPartners(scopeOf(db.sql, caller), query);
        linkNext(request, reply, next);
        return entries.map(shownPartner);
      },
    }),
    operation({
      ...COMMON,
      method: "POST",
      url: PARTNERS,
      id: "create_partner",
      summary: "Create a partner",
      description: "Returns the access code of the partner. It is not shown again.",
      body: shapes.partner,
      answer: WITH_CODE,
      secretResponse: true,
      run: async ({ caller, body, write }) =>
        write((sql) => createPartner(scopeOf(sql, caller), deps, body)),
    }),
    operation({
      ...one,
      method: "GET",
      id: "get_partner",
      summary: "Get a partner",
      answer: ONE,
      run: async ({ caller, path }) => {
        const partner = await findPartner(scopeOf(db.sql, caller), idIn(path, "partner_id"));
        if (partner === undefined) throw new AppError("not_found");
        return shownPartner(partner);
      },
    }),
    operation({
      ...one,
      method: "PATCH",
      id: "update_partner",
      summary: "Update a partner",
      description:
        "Fields that you do not send keep their values. Suspending a partner revokes its tokens immediately.",
      body: shapes.partnerUpdate,
      answer: ONE,
      run: async ({ caller, path, body, write }) => {
        const id = idIn(path, "partner_id");
        return write(async (sql) =>
          shownPartner(await patchPartner(scopeOf(sql, caller), deps, id, body)),
        );
      },
    }),
    operation({
      ...one,
      method: "POST",
      url: `${one.url}/access_code`,
      id: "reissue_access_code",
      summary: "Create an access code",
      description:
        "Replaces the access code of a partner and revokes its tokens immediately. The code is " +
        "not shown again.",
      body: shapes.nothing,
      bodyOptional: true,
      answer: WITH_CODE,
      secretResponse: true,
      run: async ({ caller, path, write }) => {
        const id = idIn(path, "partner_id");
        return write((sql) => reissueCode(scopeOf(sql, caller), deps, id));
      },
    }),
  ];
};

/** Creates one object for each path parameter, so that every kind of operation can be tried. */

import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { partnerOf } from "../exchange/partner-kit.ts";
import type { Client } from "../kit/api.ts";
import { leastOf, operationsOf, type Document } from "./operations.ts";
import { fullBody, makeReferable, ok } from "./samples.ts";

export interface OneOfEach {
  /** Object ids by path parameter name. */
  readonly owned: Readonly<Record<string, string>>;
  /** Record keys by path parameter name. */
  readonly keys: Readonly<Record<string, string>>;
  /** The partner that owns the objects in the partner API. */
  readonly partner: Awaited<ReturnType<typeof partnerOf>>;
}

/** Creates one object of each kind in a tenant, based on openapi.json. */
export async function oneOfEach(acme: Client, document: Document): Promise<OneOfEach> {
  const owned: Record<string, string> = {};
  const refs = await makeReferable(acme);
  const keys: Record<string, string> = {};
  for (const type of Object.values(BUILT_IN_TYPES)) {
    const sent = fullBody(type, 3, refs);
    owned[type.idName] = ok(await acme.post(type.writePath, sent)).body._id;
    for (const name of ["email", "phone", "external_id"]) {
      if (name in sent) keys[name] = String(sent[name]);
    }
  }
  const twin = ok(await acme.post("/crm/leads", { name: "Twin" })).body._id;
  const merging = await acme.post(`/crm/leads/${owned["lead_id"]}/merge`, { ids: [twin] });
  owned["merge_id"] = ok(merging).headers.get("x-merge-id") ?? "";
  const partner = await partnerOf(acme, { allowed_marketing_sources: ["Google"] });
  owned["partner_id"] = partner.partner_id;
  const person = { name: "Pushed", email: "pushed@example.com" };
  owned["pushed_lead_id"] = ok(await partner.post("/crm/partner/push", person)).body.id;
  const hook = { enabled: true, url: "http://127.0.0.1:1/", timeout_s: 1 };
  ok(await acme.put("/crm/admin/import_webhook", hook));
  const sold = { name: "Sold", email: "sold@example.com" };
  const { id: sold_id } = ok(await partner.post("/crm/partner/push", sold)).body;
  for (const action of ["accept", "import"]) {
    ok(await acme.post("/crm/admin/pushed_leads/batch", { ids: [sold_id], action }));
  }
  owned["delivery_id"] = ok(await acme.get("/crm/admin/deliveries")).body[0].id;
  const told = { url: "https://hooks.example.com/", events: ["lead.created"] };
  owned["webhook_id"] = ok(await acme.post("/crm/webhooks", told)).body.id;
  const toldOwn = { ...told, events: ["pushed_lead.*"] };
  owned["partner_webhook_id"] = ok(await partner.post("/crm/partner/webhooks", toldOwn)).body.id;
  const invited = { name: "Invited", email: "invited@example.com", role: "viewer" };
  owned["person_id"] = ok(await acme.post("/crm/admin/people", invited)).body.id;
  owned["erasure_id"] = await erasureIn(acme);
  owned["export_id"] = ok(await acme.post("/crm/admin/tenant/exports")).body.id;
  await addOthers(acme, document, owned);
  return { owned, keys, partner };
}

/** Creates a person with one lead and erases the person. Returns the erasure's id. */
async function erasureIn(acme: Client): Promise<string> {
  const email = "erased@example.com";
  const { _id } = ok(await acme.post("/crm/leads", { name: "Erased", email })).body;
  const { report_id } = ok(await acme.post("/crm/admin/persons/report", { email })).body;
  const erased = await acme.post("/crm/admin/persons/erase", { report_id, record_ids: [_id] });
  return ok(erased).body.id;
}

/** Creates the remaining objects with the POST operations in openapi.json that have no path parameters. */
async function addOthers(
  acme: Client,
  document: Document,
  owned: Record<string, string>,
): Promise<void> {
  const operations = operationsOf(document);
  for (const { method, path, names, body } of operations) {
    if (method !== "POST" || names.length > 0 || body === undefined) continue;
    const below = operations.find((other) => other.path.startsWith(`${path}/{`));
    const [name] = below?.names ?? [];
    if (name === undefined || name in owned) continue;
    owned[name] = ok(await acme.post(path, leastOf(document, body.schema))).body.id;
  }
}

/** Sample requests for the operations that accept an Idempotency-Key. Each request can succeed only once. */

import assert from "node:assert/strict";
import { accepted, json, setCheck, setWebhook } from "../../exchange/callouts/callout-kit.ts";
import { partnerOf, REVIEW, somebody, type TestPartner } from "../../exchange/exchange-kit.ts";
import { makePartner, PARTNERS } from "../../exchange/partner-kit.ts";
import { startReceiver } from "../../delivery/receiver.ts";
import type { Answer, Client, RawRequest } from "../../kit/api.ts";
import { BUILT_IN_TYPES, type RecordType } from "../../../src/records/types/index.ts";
import { keyKinds } from "../../../src/records/keys/find-by-key.ts";
import { file } from "../../kit/file-api.ts";
import { fullBody, makeReferable, ok, type Body, type Referable } from "../samples.ts";

export interface Sender {
  readonly request: (request: RawRequest) => Promise<Answer>;
}

export interface Ready {
  readonly path: string;
  readonly body: unknown;
  /** The client that sends the request. Default: the tenant's owner. */
  readonly as?: Sender;
}

/** A tenant with records, a partner, and a receiver for its import webhook and duplicate check. */
export interface World {
  readonly acme: Client;
  readonly refs: Referable;
  readonly partner: TestPartner;
  readonly seed: () => number;
}

export async function keyedWorld(acme: Client): Promise<World> {
  const receiver = await startReceiver(file);
  receiver.respond = json({ exists: false });
  await setWebhook(acme, { url: receiver.url, enabled: false });
  await setCheck(acme, { url: receiver.url });
  let seeds = 0;
  return {
    acme,
    refs: await makeReferable(acme),
    partner: await partnerOf(acme),
    seed: () => ++seeds,
  };
}

/** Functions that prepare a request, by operation id. */
export const READY: Readonly<Record<string, (world: World) => Promise<Ready>>> = {
  ...Object.fromEntries(
    Object.values(BUILT_IN_TYPES).flatMap((type) => {
      const word = wordOf(type.writePath);
      const create = async ({ refs, seed }: World) => ({
        path: type.writePath,
        body: fullBody(type, seed(), refs),
      });
      const update = async (world: World) => {
        const { path, body } = await create(world);
        const { _id } = ok(await world.acme.post(path, body)).body;
        return { path: `${path}/${_id}`, body: { external_id: `changed ${world.seed()}` } };
      };
      const batch = async ({ refs, seed }: World) => ({
        path: `${type.writePath}/batch`,
        body: { items: [fullBody(type, seed(), refs), { name: 5 }] },
      });
      return [
        [`create_${word}`, create],
        [`update_${word}`, update],
        [`create_${wordsOf(type.writePath)}`, batch],
        ...putsOf(type, word),
        ...(type.sameBy === undefined ? [] : mergesOf(type, word)),
      ];
    }),
  ),
  convert_lead: async ({ acme }) => {
    const { _id } = ok(await acme.post("/crm/leads", { name: "Ada" })).body;
    return { path: `/crm/leads/${_id}/convert`, body: { deal: { name: "A deal" } } };
  },
  create_import: async () => ({ path: "/crm/imports", body: { type: "leads" } }),
  put_import_webhook: ({ acme }) => settingOf(acme, "/crm/admin/import_webhook"),
  put_privacy: async () => ({ path: "/crm/admin/privacy", body: { history_days: 400 } }),
  put_duplicate_check: ({ acme }) => settingOf(acme, "/crm/admin/duplicate_check"),
  update_tenant: async () => ({ path: "/crm/admin/tenant", body: { currency: "EUR" } }),
  create_access_token: async () => ({
    path: "/crm/admin/access_tokens",
    body: { name: "Keyed", permissions: ["records:read"], owner: "A new person" },
  }),
  update_access_token: async ({ acme }) => {
    const made = { name: "Keyed", permissions: ["records:read"] };
    const { id } = ok(await acme.post("/crm/admin/access_tokens", made)).body;
    return { path: `/crm/admin/access_tokens/${id}`, body: { rate_limit: 100 } };
  },
  ...webhooksOf("event", "/crm/webhooks", ({ acme }) => acme),
  create_person: async () => ({ path: PEOPLE, body: someone() }),
  create_person_link: async ({ acme }) => {
    const { id } = ok(await acme.post(PEOPLE, someone())).body;
    return { path: `${PEOPLE}/${id}/link`, body: {} };
  },
  update_person: async ({ acme }) => {
    const { id } = ok(await acme.post(PEOPLE, someone())).body;
    return { path: `${PEOPLE}/${id}`, body: { role: "agent" } };
  },
  ...webhooksOf("partner", "/crm/partner/webhooks", ({ partner }) => partner),
  create_partner: async () => ({ path: PARTNERS, body: { name: "Keyed" } }),
  update_partner: async ({ acme }) => {
    const { id } = await makePartner(acme);
    return { path: `${PARTNERS}/${id}`, body: { name: "Another" } };
  },
  reissue_access_code: async ({ acme }) => {
    const { id } = await makePartner(acme);
    return { path: `${PARTNERS}/${id}/access_code`, body: {} };
  },
  partner_lookup: async ({ partner }) => ({
    path: "/crm/partner/lookup",
    body: { email: "nobody@example.com" },
    as: partner,
  }),
  partner_push: async ({ partner }) => ({
    path: "/crm/partner/push",
    body: somebody(),
    as: partner,
  }),
  accept_pushed_lead: async ({ partner }) => {
    const { id } = await partner.push();
    return { path: `${REVIEW}/${id}/accept`, body: {} };
  },
  reject_pushed_lead: async ({ partner }) => {
    const { id } = await partner.push();
    return { path: `${REVIEW}/${id}/reject`, body: { reason: "No budget" } };
  },
  import_pushed_lead: async ({ acme, partner }) => ({
    path: `${REVIEW}/${await accepted(acme, partner)}/import`,
    body: {},
  }),
  decide_pushed_leads: async ({ partner }) => {
    const ids = [(await partner.push()).id, "0".repeat(24), (await partner.push()).id];
    return { path: `${REVIEW}/batch`, body: { ids, action: "accept" } };
  },
  issue_webhook_secret: async () => ({ path: "/crm/admin/import_webhook/secret", body: {} }),
  preview_import_webhook: async () => ({
    path: "/crm/admin/import_webhook/preview",
    body: { enabled: false },
  }),
  preview_duplicate_check: async () => ({
    path: "/crm/admin/duplicate_check/preview",
    body: { enabled: false },
  }),
  test_import_webhook: async () => ({ path: "/crm/admin/import_webhook/test", body: {} }),
  test_duplicate_check: async () => ({ path: "/crm/admin/duplicate_check/test", body: {} }),
  resend_delivery: async (world) => ({
    path: `/crm/admin/deliveries/${await importDelivery(world)}/resend`,
    body: {},
  }),
  resend_deliveries: async (world) => ({
    path: "/crm/admin/deliveries/resend",
    body: { ids: [await importDelivery(world), "0".repeat(24)] },
  }),
};

/** Imports a lead through the import webhook, disables the webhook, and returns the delivery's id. */
async function importDelivery({ acme, partner }: World): Promise<string> {
  const receiver = await startReceiver(file);
  await setWebhook(acme, { url: receiver.url });
  const { id } = await partner.push();
  for (const action of ["accept", "import"]) {
    ok(await acme.post(`${REVIEW}/batch`, { ids: [id], action }));
  }
  await setWebhook(acme, { url: receiver.url, enabled: false });
  const [delivery] = ok(await acme.get("/crm/admin/deliveries")).body;
  assert.equal(delivery.subject_id, id);
  return delivery.id;
}

/** Returns `opportunities` from "/crm/opportunities". */
function wordsOf(path: string): string {
  return path.split("/")[2] ?? "";
}

/** Returns `opportunity` from "/crm/opportunities", as used in operation ids. */
function wordOf(path: string): string {
  const word = wordsOf(path);
  return word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

const iso = (at_s: number): string => `${new Date(at_s * 1000).toISOString().slice(0, 19)}Z`;

/** Requests for the event webhooks of a tenant or a partner. */
function webhooksOf(
  kind: "event" | "partner",
  url: string,
  senderOf: (world: World) => Client | TestPartner,
): Readonly<Record<string, (world: World) => Promise<Ready>>> {
  const create = async (world: World) => {
    const receiver = await startReceiver(file);
    const body = { url: receiver.url, events: ["pushed_lead.received"] };
    return { path: url, body, as: senderOf(world) };
  };
  /** Returns a function that prepares a request for an existing webhook. */
  const ofOne = (path: string, body: (now_s: number) => Body) => async (world: World) => {
    const { body: made, as } = await create(world);
    const { id } = ok(await as.post(url, made)).body;
    return { path: `${url}/${id}${path}`, body: body(Math.floor(Date.now() / 1000)), as };
  };
  return {
    [`create_${kind}_webhook`]: create,
    [`update_${kind}_webhook`]: ofOne("", () => ({ description: "Changed" })),
    [`test_${kind}_webhook`]: ofOne("/test", () => ({})),
    [`issue_${kind}_webhook_secret`]: ofOne("/secret", () => ({})),
    [`replay_${kind}_webhook`]: ofOne("/replay", (now_s) => ({
      start_date: iso(now_s - 60),
      end_date: iso(now_s),
    })),
  };
}

/** Returns a request that changes the timeout of an endpoint. */
async function settingOf(acme: Client, path: string): Promise<Ready> {
  const { url, timeout_s } = ok(await acme.get(path)).body;
  return { path, body: { url, enabled: false, timeout_s: timeout_s - 1 } };
}

/** Fields that would contradict the key in the path. */
const KEY_FIELDS: ReadonlySet<string> = new Set([
  "external_id",
  "email",
  "phone",
  "email_list",
  "phone_list",
]);

/** Prepares PUT requests that create a record, one for each key of the record type. */
function putsOf(type: RecordType, word: string) {
  return keyKinds(type).map((kind) => {
    const put = async ({ refs, seed }: World) => {
      const text = `put-${word}-${kind}-${seed()}`;
      const keys = {
        email: `${text}@example.com`,
        phone: `+4791${seed() + 200_000}`,
        external_id: text,
      };
      const fields = Object.entries(fullBody(type, seed(), refs));
      const body = Object.fromEntries(fields.filter(([name]) => !KEY_FIELDS.has(name)));
      return { path: `${type.writePath}/by/${kind}/${encodeURIComponent(keys[kind])}`, body };
    };
    return [`put_${word}_by_${kind}`, put] as const;
  });
}

/** Prepares two requests: one to merge two records, and one to undo such a merge. */
function mergesOf({ writePath }: RecordType, word: string) {
  const prepare = async ({ acme }: World) => {
    const create = async () => ok(await acme.post(writePath, { name: "Ada" })).body._id as string;
    return { path: `${writePath}/${await create()}/merge`, body: { ids: [await create()] } };
  };
  const undo = async (world: World) => {
    const { path, body } = await prepare(world);
    const mergeId = (await world.acme.post(path, body)).headers.get("x-merge-id");
    return { path: `${path}s/${mergeId}/undo`, body: {} };
  };
  return [
    [`merge_${wordsOf(writePath)}`, prepare],
    [`undo_${word}_merge`, undo],
  ] as const;
}

const PEOPLE = "/crm/admin/people";
let people = 0;
/** Returns a user who can be invited. */
const someone = () => ({ name: "Some", email: `some${++people}@example.com`, role: "viewer" });

let keys = 0;
/** Returns a new idempotency key. */
export const newKey = (): string => `key-${++keys}`;

/** Sends a POST, PUT or PATCH with an idempotency key. */
export const sendKeyed = (
  sender: Sender,
  method: string,
  key: string,
  { path, body }: { readonly path: string; readonly body: unknown },
): Promise<Answer> =>
  sender.request({
    method,
    path,
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

export const isReplay = ({ headers }: Answer): boolean =>
  headers.get("idempotency-replayed") === "true";

/** Returns the parts of a response that must be the same when a request is repeated. */
export const answerOf = ({ status, text, headers }: Answer): Body => ({
  status,
  text,
  ...Object.fromEntries(
    ["content-type", "etag", "x-result", "link", "location"].map((name) => [
      name,
      headers.get(name),
    ]),
  ),
});

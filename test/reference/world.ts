/** The objects that samples refer to, created in a tenant when a sample needs them. */

import { randomUUID } from "node:crypto";
import { TOTP } from "otpauth";
import { SECRETS } from "../../src/reference/examples/bodies.ts";
import { IDS, type ExampleName } from "../../src/reference/examples/ids.ts";
import { ok } from "../api/samples.ts";
import { partnerOf, type PartnerClient } from "../exchange/partner-kit.ts";
import type { Api, Client } from "../kit/api.ts";
import { eventually } from "../kit/eventually.ts";
import {
  cookieOf,
  ownerOf,
  type Page,
  pageOf,
  PASSWORD,
  signIn,
  tokenIn,
} from "../people/people-kit.ts";
import type { Sample } from "./curl.ts";

const HOOK = { enabled: true, url: "http://127.0.0.1:1/", timeout_s: 1 };
const OWNER = "ada@example.com";
const DEMO = "/crm/admin/demo";

/** Operations that need a user with the email in their sample. All other users get random emails. */
const OF_OWNER: readonly string[] = ["sign_in", "forgot_password"];

/** Operations on a second factor that exists, or is about to be confirmed. */
const WITH_SECOND_FACTOR: readonly string[] = [
  "confirm_second_factor",
  "renew_recovery_codes",
  "remove_second_factor",
  "remove_person_second_factor",
];

/** A separate tenant for one sample. */
export class World {
  readonly #api: Api;
  readonly #client: Client;
  readonly #sample: Sample;
  readonly #ids = new Map<string, Promise<string>>();
  #partner: Promise<PartnerClient> | undefined;
  #owner: Promise<Page> | undefined;

  constructor(api: Api, client: Client, sample: Sample) {
    this.#api = api;
    this.#client = client;
    this.#sample = sample;
  }

  /** Returns the sample's command with real ids and secrets. */
  async command(): Promise<string> {
    await this.#prepare();
    let { curl } = this.#sample;
    for (const [name, id] of Object.entries(IDS)) {
      if (curl.includes(id)) curl = curl.replaceAll(id, await this.#id(name as ExampleName));
    }
    if (curl.includes(SECRETS.access_code)) {
      curl = curl.replaceAll(SECRETS.access_code, (await this.partner()).access_code);
    }
    if (curl.includes(SECRETS.link)) curl = curl.replaceAll(SECRETS.link, await this.#link());
    if (curl.includes(`"${SECRETS.code}"`)) {
      curl = curl.replaceAll(SECRETS.code, await this.#code());
    }
    return this.#withCredential(curl);
  }

  partner(): Promise<PartnerClient> {
    const sources = { allowed_marketing_sources: ["Referral", "Linkedin"] };
    return (this.#partner ??= partnerOf(this.#client, sources));
  }

  #owned(): Promise<Page> {
    const email = OF_OWNER.includes(this.#sample.id) ? OWNER : `${randomUUID()}@example.com`;
    return (this.#owner ??= ownerOf(this.#api, this.#client, email));
  }

  async #withCredential(curl: string): Promise<string> {
    switch (this.#sample.scheme) {
      case "APIKeyHeader":
        return curl.replaceAll("<token>", this.#client.bearer);
      case "PartnerToken":
        return curl.replaceAll("<token>", (await this.partner()).token);
      case "SessionCookie": {
        const [, value = ""] = /=(.*)$/.exec((await this.#owned()).cookie ?? "") ?? [];
        return curl.replaceAll("YOUR_SECRET_TOKEN", value);
      }
      case "PartnerCookie": {
        const { partner_id, access_code } = await this.partner();
        const signedIn = await pageOf(this.#client).post("/auth/partner/sign_in", {
          partner_id,
          access_code,
        });
        const [, value = ""] = /=(.*)$/.exec(cookieOf(ok(signedIn))) ?? [];
        return curl.replaceAll("YOUR_SECRET_TOKEN", value);
      }
      case undefined:
        return curl;
    }
  }

  #id(name: ExampleName): Promise<string> {
    const known = this.#ids.get(name) ?? this.#create(name);
    this.#ids.set(name, known);
    return known;
  }

  async #create(name: ExampleName): Promise<string> {
    const client = this.#client;
    const create = async (path: string, body: object): Promise<string> => {
      const { _id, id = _id } = ok(await client.post(path, body)).body;
      return id;
    };
    switch (name) {
      case "lead":
      case "duplicate_lead":
        return create("/crm/leads", { name: "Mara Lind" });
      case "contact":
      case "duplicate_contact":
        return create("/crm/contacts", { name: "Mara Lind" });
      case "account":
      case "duplicate_account":
        return create("/crm/accounts", { name: "Lind & Sons" });
      case "deal":
        return create("/crm/opportunities", { name: "Two", account_id: await this.#id("account") });
      case "invoice": {
        const account_id = await this.#id("account");
        const lines = { total_amount: 1, invoice_line_list: [] };
        return create("/crm/invoices", { invoice_num: "1", account_id, ...lines });
      }
      case "order":
        return create("/crm/orders", { account_id: await this.#id("account") });
      case "task":
        return create("/crm/tasks", { name: "Call" });
      case "merge":
        return this.#merge();
      case "import":
        return create("/crm/imports", { type: "leads", file_name: "leads.csv" });
      case "partner":
        return (await this.partner()).partner_id;
      case "pushed_lead":
        return this.#push("one@example.com");
      case "accepted_lead": {
        const id = await this.#push("two@example.com");
        ok(await client.post(`/crm/admin/pushed_leads/${id}/accept`, {}));
        return id;
      }
      case "delivery": {
        ok(await client.put("/crm/admin/import_webhook", HOOK));
        const id = await this.#id("accepted_lead");
        ok(await client.post(`/crm/admin/pushed_leads/${id}/import`, {}));
        return ok(await client.get("/crm/admin/deliveries")).body[0].id;
      }
      case "webhook":
        return create("/crm/webhooks", { url: "https://hooks.example.com/", events: ["lead.*"] });
      case "partner_webhook": {
        const hook = { url: "https://hooks.example.com/", events: ["pushed_lead.*"] };
        return ok(await (await this.partner()).post("/crm/partner/webhooks", hook)).body.id;
      }
      case "token":
        return create("/crm/admin/access_tokens", { name: "T", permissions: ["records:read"] });
      case "tenant":
        return client.tenantId;
      case "user":
        return (await this.#invite()).id;
      case "report":
        return (await this.#report([await this.#id("lead"), await this.#id("contact")])).report_id;
      case "erasure": {
        const record_ids = [await this.#id("lead")];
        const { report_id } = await this.#report(record_ids);
        return create("/crm/admin/persons/erase", { report_id, record_ids });
      }
      case "export":
        return create("/crm/admin/tenant/exports", {});
      case "session":
        return this.#otherSession();
      default:
        throw new Error(`No sample should name ${name}`);
    }
  }

  /** Returns a report that finds the given lead and, if given, the contact. */
  async #report([lead, contact]: readonly string[]): Promise<{ readonly report_id: string }> {
    const email = "ines.falk@example.com";
    ok(await this.#client.patch(`/crm/leads/${lead}`, { email }));
    if (contact !== undefined) ok(await this.#client.patch(`/crm/contacts/${contact}`, { email }));
    return ok(await this.#client.post("/crm/admin/persons/report", { email })).body;
  }

  async #merge(): Promise<string> {
    const [, , word = ""] = this.#sample.path.split("/");
    const type = word.replace(/s$/, "") as "lead";
    const survivor = await this.#id(type);
    const other = await this.#id(`duplicate_${type}`);
    const merged = await this.#client.post(`/crm/${word}/${survivor}/merge`, { ids: [other] });
    return ok(merged).headers.get("x-merge-id") ?? "";
  }

  async #push(email: string): Promise<string> {
    const sent = { name: "Ines Falk", email };
    return ok(await (await this.partner()).post("/crm/partner/push", sent)).body.id;
  }

  async #invite(): Promise<{ readonly id: string; readonly link: string }> {
    const email = `${randomUUID()}@example.com`;
    const invited = { name: "Bo Example", email, role: "viewer" };
    return ok(await this.#client.post("/crm/admin/people", invited)).body;
  }

  #link = async (): Promise<string> => tokenIn((await this.#invite()).link);

  async #otherSession(): Promise<string> {
    const owner = await this.#owned();
    const { email } = ok(await owner.get("/auth/session")).body.person;
    cookieOf(ok(await signIn(this.#client, { email })));
    const sessions: { id: string; is_current: boolean }[] = ok(
      await owner.get("/auth/sessions"),
    ).body;
    return sessions.find(({ is_current }) => !is_current)?.id ?? "";
  }

  #secret = "";

  /** Returns an authenticator code that the operation accepts. */
  async #code(): Promise<string> {
    // A code can be used only once. Confirming the second factor used up the current code, so this is the next code.
    const isSpent = this.#sample.id !== "confirm_second_factor";
    const timestamp = Date.now() + (isSpent ? 30_000 : 0);
    return new TOTP({ secret: this.#secret }).generate({ timestamp });
  }

  /** Creates objects that must exist although the sample does not refer to them. */
  async #prepare(): Promise<void> {
    const { id } = this.#sample;
    if (id.endsWith("_import_webhook") || id === "issue_webhook_secret") {
      ok(await this.#client.put("/crm/admin/import_webhook", HOOK));
    }
    if (id.endsWith("_duplicate_check")) {
      ok(await this.#client.put("/crm/admin/duplicate_check", HOOK));
    }
    if (id.endsWith("_demo") || id === "create_demo_link") await this.#prepareDemo();
    if (OF_OWNER.includes(id)) await this.#owned();
    if (WITH_SECOND_FACTOR.includes(id)) await this.#secondFactor(id);
  }

  /** Makes the tenant the installation's first one, and loads demo data unless the sample does. */
  async #prepareDemo(): Promise<void> {
    const { sql } = this.#api;
    const client = this.#client;
    await sql`delete from first_tenant`;
    await sql`insert into first_tenant (tenant_id) values (${client.tenantId})`;
    const settled = () =>
      eventually(
        async () => ok(await client.get(DEMO)).body.state as string,
        (state) => state === "absent" || state === "ready",
        280_000,
      );
    const state = await settled();
    if (this.#sample.id === "load_demo") {
      if (state === "ready") ok(await client.delete(DEMO));
    } else if (state === "absent") {
      ok(await client.post(DEMO, { leads: 50 }));
      await settled();
    }
  }

  async #secondFactor(id: string): Promise<void> {
    const owner = await this.#owned();
    const { secret } = ok(await owner.post("/auth/second_factor", { password: PASSWORD })).body;
    this.#secret = secret as string;
    if (id === "confirm_second_factor") return;
    const code = new TOTP({ secret: this.#secret }).generate();
    ok(await owner.post("/auth/second_factor/confirm", { code }));
    const { person } = ok(await owner.get("/auth/session")).body;
    this.#ids.set("user", Promise.resolve(person.id as string));
  }
}

/** The records that the examples in the docs refer to, and real values for their ids and secrets. */

import { ok } from "../api/samples.ts";
import { makePartner, tokenOf, withToken } from "../exchange/partner-kit.ts";
import type { Client } from "../kit/api.ts";

/** Variables that a page's examples use, and the real values that replace the sample values on the page. */
export interface Ground {
  readonly env?: Readonly<Record<string, string>>;
  readonly replaced?: Readonly<Record<string, string>>;
}

const lead = async (client: Client, sent: object): Promise<string> =>
  ok(await client.post("/crm/leads", sent)).body._id;

const webhook = { url: "https://hooks.example.com/all", events: ["lead.created"] };

export const GROUNDS: Readonly<Record<string, (client: Client) => Promise<Ground>>> = {
  "docs/duplicates.md": async (client) => ({
    env: { ID: await lead(client, { name: "Mara Lind", email: "mara@example.com" }) },
    replaced: {
      "6b00a6c16bd5e0002bde0520": await lead(client, {
        name: "M. Lind",
        email: "Mara@example.com",
      }),
      "6b00a6d01f2e300051b7c9aa": "$(crm $LEADPORT/crm/leads/$ID/merges | pick id)",
    },
  }),
  "docs/event-webhooks.md": async (client) => ({
    env: { ID: ok(await client.post("/crm/webhooks", webhook)).body.id },
  }),
  "docs/partner-exchange.md": async (client) => {
    const made = await makePartner(client, { allowed_marketing_sources: ["Referral", "Yelp"] });
    const token = await tokenOf(client, made);
    const pushed = async (email: string): Promise<string> =>
      ok(await withToken(client, token).post("/crm/partner/push", { name: email, email })).body.id;
    return {
      replaced: {
        "http://127.0.0.1:8080": "$LEADPORT",
        "$(cat data/owner-token)": "$TOKEN",
        "6b014d2609640000abc112ed": made.partner_id,
        iyZrCindRGshpaAX7HuCRrvOjFrcI1o4P4oGUh8u: made.access_code,
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0ZW5hbnQi…": token,
        "6b014d26302e70008fa35827": await pushed("anna@example.com"),
        "6b014d2640cce000027677d2": await pushed("bert@example.com"),
        "6b014d26d896f000fc1b5302": await pushed("cora@example.com"),
      },
    };
  },
  "docs/rate-limits.md": async (client) => {
    const tokens = ok(await client.get("/crm/admin/access_tokens")).body;
    const { partner_id } = await makePartner(client);
    return {
      replaced: {
        "/access_tokens/<id>": `/access_tokens/${tokens[0].id}`,
        "/partners/<id>": `/partners/${partner_id}`,
      },
    };
  },
  "docs/tokens.md": async (client) => {
    const sent = { name: "To be revoked", permissions: ["records:read"] };
    const { id } = ok(await client.post("/crm/admin/access_tokens", sent)).body;
    return { replaced: { "<id>": id } };
  },
  "docs/tour.md": async () => ({
    replaced: { "http://127.0.0.1:8080": "$LEADPORT", "data/owner-token": "$DATA_DIR/owner-token" },
  }),
};

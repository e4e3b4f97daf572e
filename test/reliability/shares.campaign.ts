/**
 * One tenant, partner or unauthenticated caller sends as many permitted requests as possible. Meanwhile, another
 * tenant's reads stay fast, and that tenant's export continues.
 */

import { test } from "node:test";
import { ATTACK_s, attackWith, SELECTED } from "./attacking.ts";
import { SHARE_ATTACKS } from "./attacks/shares.ts";
import { startService, type ServiceUnderTest } from "./service.ts";
import { exportTime_ms, fillLeads, ordinaryToken, post } from "./tenants.ts";
import { startVictim } from "./victim.ts";

const VICTIM_LEADS = 20_000;
const ATTACKER_LEADS = 50_000;
const ATTACKER_CHARACTERS = 190;

test("another tenant keeps its share, whatever one tenant, partner or stranger asks for", async (t) => {
  // The attacker's webhook and requests are on this machine.
  const settings = {
    OUTGOING_ALLOW: "127.0.0.1",
    RATE_LIMIT: "off",
    ANONYMOUS_RATE_LIMIT: "off",
  };
  const service = await startService(t, settings);
  const owner = await service.addTenant("Attacker");
  const partner = await partnerToken(service, owner);
  const tokens = { token: await ordinaryToken(service, owner), owner, partner };
  await fillLeads(service, service.token, VICTIM_LEADS);
  await fillLeads(service, owner, ATTACKER_LEADS, ATTACKER_CHARACTERS);
  const victim = startVictim(t, { url: service.url, token: service.token });
  // The first export compiles code and fills caches.
  await exportTime_ms(service);
  await victim.untilReads(40);
  const started_ms = Date.now();
  const export_ms = await exportTime_ms(service);
  const calm = await victim.between(started_ms, started_ms + Math.max(5, ATTACK_s) * 1000);
  for (const attack of SHARE_ATTACKS.filter(({ name }) => SELECTED.test(name))) {
    await t.test(attack.name, async (t) => {
      if (!service.isAlive()) await service.startAgain();
      await attackWith(t, attack, { service, victim, calm, tokens, export_ms }, "Shares");
    });
  }
});

/** Returns the token of a new partner that may look people up and read its leads. */
async function partnerToken({ url }: ServiceUnderTest, owner: string): Promise<string> {
  interface Made {
    readonly partner_id: string;
    readonly access_code: string;
  }
  const { partner_id, access_code } = await post<Made>(`${url}/crm/admin/partners`, owner, {
    name: "Referrals Ltd",
  });
  const given = { partner_id, access_code };
  const { access_token } = await post<{ access_token: string }>(
    `${url}/crm/partner/token`,
    undefined,
    given,
  );
  return access_token;
}

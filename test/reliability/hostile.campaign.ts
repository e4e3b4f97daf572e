/**
 * Hostile requests, bodies, files and connections, sent by one tenant or without a credential to a
 * running service: another tenant's reads stay fast, its writes succeed, and the process survives
 * with bounded memory. ATTACK_S is the duration of each attack; ATTACKS is a regular expression
 * that selects attacks by name.
 */

import { test } from "node:test";
import { ATTACK_s, attackWith, SELECTED } from "./attacking.ts";
import { ATTACKS } from "./attacks.ts";
import { startService } from "./service.ts";
import { fillLeads, ordinaryToken } from "./tenants.ts";
import { startVictim } from "./victim.ts";

const VICTIM_LEADS = 20_000;

test("another tenant's requests stay fast under every attack", async (t) => {
  const service = await startService(t);
  const owner = await service.addTenant("Attacker");
  const tokens = { token: await ordinaryToken(service, owner), owner };
  await fillLeads(service, service.token, VICTIM_LEADS);
  const victim = startVictim(t, { url: service.url, token: service.token });
  await victim.untilReads(60);
  const started_ms = Date.now();
  const calm = await victim.between(started_ms, started_ms + Math.max(5, ATTACK_s) * 1000);
  for (const attack of ATTACKS.filter(({ name }) => SELECTED.test(name))) {
    await t.test(attack.name, async (t) => {
      if (!service.isAlive()) await service.startAgain();
      await attackWith(t, attack, { service, victim, calm, tokens });
    });
  }
});

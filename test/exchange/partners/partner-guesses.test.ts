/** Wrong access codes from many networks within one /48, and for ids that no partner has. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../../kit/file-api.ts";
import { askToken, makePartner } from "../partner-kit.ts";

const api = await fileApi({ trustedProxies: ["127.0.0.1"] });
const acme = await api.tenant();

const ask = async (partner_id: string, from: string, access_code = "x"): Promise<number> =>
  (await askToken(acme, { partner_id, access_code }, from)).status;

/** Returns an id that no partner has. */
const unknownId = (at: number): string => `6b00a22b870ca000${at.toString(16).padStart(8, "0")}`;

const rows = async (): Promise<number> => {
  const [row] = await api.sql`
    select (select count(*) from wrong_attempts)::integer
           + (select count(*) from attempts_of_address)::integer as rows`;
  return row?.["rows"] as number;
};

test("wrong codes for unknown ids take one row for their address, up to a limit", async () => {
  const before = await rows();
  const from = "192.0.2.1";
  for (let at = 0; at < 50; at++) assert.equal(await ask(unknownId(at), from), 401, String(at));
  assert.equal((await rows()) - before, 1);
  const { partner_id, access_code } = await makePartner(acme);
  for (const id of [unknownId(0), unknownId(99), partner_id])
    assert.equal(await ask(id, from), 429);
  assert.equal(await ask(partner_id, from, access_code), 429);
  assert.equal(await ask(partner_id, "192.0.2.2", access_code), 200);
  assert.equal((await rows()) - before, 1);
});

for (const [who, isKnown] of [
  ["a partner", true],
  ["an unknown id", false],
] as const) {
  test(`of ${who} one /48 guesses 20 codes, whatever its networks, and one /56 ten`, async () => {
    const made = await makePartner(acme);
    const { access_code } = made;
    const id = isKnown ? made.partner_id : unknownId(1000);
    const net = isKnown ? "2001:db8:a" : "2001:db8:b";
    const answers: number[] = [];
    for (let at = 0; at < 14; at++) answers.push(await ask(id, `${net}:${at.toString(16)}::1`));
    assert.equal(answers.filter((status) => status === 401).length, 10);
    for (let at = 0; at < 14; at++) {
      answers.push(await ask(id, `${net}:${(0x100 * (at + 1)).toString(16)}::1`));
    }
    assert.equal(answers.filter((status) => status === 401).length, 20);
    assert.equal(answers.filter((status) => status === 429).length, 8);
    assert.equal(await ask(id, `${net}:ffff::1`, access_code), 429);
    assert.equal(await ask(id, "2001:db8:c::1", access_code), isKnown ? 200 : 401);
  });
}

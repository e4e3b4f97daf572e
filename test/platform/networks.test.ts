/** The networks by which addresses are counted: IPv4 by address, IPv6 by /64, /56 and /48. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { networksOf } from "../../src/platform/addresses/networks.ts";

const shown = (from: string): string[] =>
  networksOf(from).map(({ first, last, allowance }) => `${first} to ${last} x${allowance}`);

test("IPv4 is counted by address, however it is written", () => {
  for (const from of ["192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:201"]) {
    assert.deepEqual(shown(from), ["192.0.2.1/32 to 192.0.2.1 x1"], from);
  }
});

for (const [from, networks] of [
  [
    "2001:db8:1:2fe:aaaa::9",
    [
      "2001:db8:1:2fe::/64 to 2001:db8:1:2fe:ffff:ffff:ffff:ffff x1",
      "2001:db8:1:200::/56 to 2001:db8:1:2ff:ffff:ffff:ffff:ffff x2",
      "2001:db8:1:0::/48 to 2001:db8:1:ffff:ffff:ffff:ffff:ffff x4",
    ],
  ],
  [
    "2001:db8::1",
    [
      "2001:db8:0:0::/64 to 2001:db8:0:0:ffff:ffff:ffff:ffff x1",
      "2001:db8:0:0::/56 to 2001:db8:0:ff:ffff:ffff:ffff:ffff x2",
      "2001:db8:0:0::/48 to 2001:db8:0:ffff:ffff:ffff:ffff:ffff x4",
    ],
  ],
] as const) {
  test(`${from} is counted in a /64, a /56 and a /48`, () =>
    assert.deepEqual(shown(from), networks));
}

test("IPv6 addresses of one network are counted as one, with a zone or without", () => {
  assert.deepEqual(shown("fe80::1%eth0"), shown("fe80:0:0:0:ffff::2"));
  assert.deepEqual(shown("1:2:3:4:5:6:7:8"), shown("1:2:3:4::"));
  assert.notDeepEqual(shown("1:2:3:4::"), shown("1:2:3:5::"));
});

test("what is no address is counted as one", () => {
  for (const from of ["unknown", "_hidden", ""]) assert.deepEqual(shown(from), shown("::"), from);
});

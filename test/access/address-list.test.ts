/** IP address lists: which addresses they match, in every notation. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { addressRange } from "../../src/limits/address-list.ts";
import { createAddressList, plainAddress } from "../../src/platform/addresses/addresses.ts";

const LISTS: readonly (readonly [
  list: readonly string[],
  on: readonly string[],
  off: readonly string[],
])[] = [
  [
    ["192.0.2.7"],
    [
      "192.0.2.7",
      "::ffff:192.0.2.7",
      "::FFFF:192.0.2.7",
      "::ffff:c000:207",
      "0:0:0:0:0:ffff:c000:0207",
    ],
    ["192.0.2.8", "::ffff:c000:208", "::192.0.2.7", "2001:db8::c000:207", "", "unknown"],
  ],
  [
    ["192.0.2.0/24", "10.0.0.0/8"],
    ["192.0.2.0", "192.0.2.255", "10.255.255.255", "::ffff:10.1.2.3"],
    ["192.0.1.255", "192.0.3.0", "11.0.0.0"],
  ],
  [["192.0.2.64/26"], ["192.0.2.64", "192.0.2.127"], ["192.0.2.63", "192.0.2.128"]],
  [["2001:db8::/32"], ["2001:db8::1", "2001:0DB8:ffff::"], ["2001:db9::", "32.1.13.184"]],
  [["2001:db8::1"], ["2001:db8:0:0:0:0:0:1"], ["2001:db8::2"]],
  [["::ffff:192.0.2.0/120"], ["192.0.2.77", "::ffff:192.0.2.77"], ["192.0.3.1", "::1"]],
  [["::ffff:c000:207"], ["192.0.2.7"], ["192.0.2.8"]],
  [["0.0.0.0/0"], ["203.0.113.9", "::ffff:203.0.113.9"], ["2001:db8::1", "::1", "::", "unknown"]],
  [
    ["::/0"],
    ["2001:db8::1", "::1"],
    ["192.0.2.1", "127.0.0.1", "::ffff:192.0.2.1", "::ffff:c000:201", "unknown", ""],
  ],
  [["::/64"], ["::1"], ["192.0.2.1", "::ffff:192.0.2.1"]],
  [["::ffff:0:0/90"], ["::fffe:0:1"], ["192.0.2.1", "::ffff:192.0.2.1"]],
  [["::ffff:0:0/96"], ["192.0.2.1", "::ffff:192.0.2.1"], ["::1", "2001:db8::1"]],
  [["::/0", "0.0.0.0/0"], ["192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1"], ["unknown"]],
];

for (const [list, on, off] of LISTS) {
  test(`${list.join(", ")} contains its addresses and no others`, () => {
    const isListed = createAddressList(list);
    for (const address of on) assert.equal(isListed?.(address), true, address);
    for (const address of off) assert.equal(isListed?.(address), false, address);
  });
}

test("an empty list is no list", () => assert.equal(createAddressList([]), undefined));

test("an address has one spelling", () => {
  const cases = {
    "192.0.2.1": ["192.0.2.1", "::ffff:192.0.2.1", "::FFFF:C000:201", "0:0:0:0:0:ffff:c000:0201"],
    "0.1.0.0": ["0:0:0:0:0:ffff:1::"],
    "2001:db8::1": ["2001:db8::1", "2001:0DB8:0:0:0:0:0:1"],
    "fe80::1": ["fe80::1", "fe80::1%eth0"],
    unknown: ["unknown"],
  };
  for (const [plain, spellings] of Object.entries(cases)) {
    for (const address of spellings) assert.equal(plainAddress(address), plain, address);
  }
});

test("a value that is neither an address nor a range is rejected", () => {
  const right = [
    "192.0.2.1",
    "192.0.2.0/0",
    "192.0.2.0/32",
    "::",
    "2001:db8::/128",
    "::ffff:1.2.3.4",
  ];
  const wrong = [
    "",
    "192.0.2.0/33",
    "1.2.3",
    "::/129",
    "::1/-1",
    "10.0.0.0/8/8",
    "a.example",
    "fe80::1%eth0",
    "10.0.0.0/",
    "010.0.0.1",
  ];
  for (const text of right) assert.deepEqual(addressRange(text, null as never), [], text);
  for (const text of wrong) assert.equal(addressRange(text, null as never).length, 1, text);
});

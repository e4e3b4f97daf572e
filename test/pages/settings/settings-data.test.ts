/** Logic in the pages that must give the same results as the service. */

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import {
  allOf,
  eventGroups,
  EVERYTHING,
  filteredType,
  withEvent,
} from "../../../console/src/deliveries/event-groups.ts";
import "../console-types.ts";
import { emptyRow, headersOf, rowsOf } from "../../../console/src/settings/callouts/header-rows.ts";
import {
  insertPlaceholder,
  unknownPlaceholders,
} from "../../../console/src/settings/callouts/placeholders.ts";
import {
  readAuditSearch,
  readSystemSearch,
  readTab,
} from "../../../console/src/settings/search/search.ts";
import { isAddress, isAddressRange, rangeOf } from "../../../console/src/ui/format/cidr.ts";
import { addressRange } from "../../../src/limits/address-list.ts";
import { createAddressList } from "../../../src/platform/addresses/addresses.ts";
import { soleTypeOf, SUBSCRIPTIONS } from "../../../src/events/event-types.ts";
import { runsOf } from "../../kit/long.ts";

const isRangeToService = (text: string): boolean =>
  addressRange(text, undefined as never).length === 0;

test("the page and the service accept the same addresses and ranges", () => {
  const given = [
    "192.0.2.1",
    "192.0.2.0/24",
    "0.0.0.0/0",
    "2001:db8::/32",
    "::",
    "::1",
    "::/0",
    "::ffff:192.0.2.1",
    "::ffff:192.0.2.0/120",
    "1:2:3:4:5:6:7:8",
    "1::8",
    "1:2:3:4:5:6:7::",
    "192.0.2",
    "192.0.2.256",
    "192.0.2.01",
    "192.0.2.1/33",
    "192.0.2.1/",
    "/24",
    "",
    "a",
    "1:2:3:4:5:6:7",
    "1::2::3",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::",
    "12345::",
    ":::",
    "fe80::1%eth0",
    "::/129",
    "::1/24/3",
    "192.0.2.1/2x",
    "::192.0.2.256",
    "1.2.3.4::",
    ":1::2",
    "1:2:3:4:5:6:192.0.2.1",
    "1:2:3:4:5:6:7:192.0.2.1",
    "192.0.2.1:80",
  ];
  for (const text of given) assert.equal(isAddressRange(text), isRangeToService(text), text);
  const texts = fc.string({ unit: fc.constantFrom(..."0129af:./%"), maxLength: 20 });
  fc.assert(
    fc.property(texts, (text) => assert.equal(isAddressRange(text), isRangeToService(text))),
  );
});

test("the page's address test matches the service", () => {
  const ipv4 = fc.ipV4();
  // Uses only a few values, so that addresses often fall within the ranges.
  const near = fc
    .tuple(fc.constantFrom("192.0.2.", "192.0.3."), fc.nat({ max: 255 }))
    .map(([net, host]) => net + host);
  const near6 = fc
    .tuple(fc.constantFrom("2001:db8::", "2001:db8:1::", "::ffff:c000:2"), fc.nat({ max: 9999 }))
    .map(([net, host]) => (net.endsWith("2") ? `::ffff:c000:${host}` : net + host));
  const address = fc.oneof(near, near6, ipv4, fc.ipV6());
  const range = fc.oneof(
    address,
    fc.tuple(fc.oneof(near, ipv4), fc.nat({ max: 32 })).map(([net, bits]) => `${net}/${bits}`),
    fc.tuple(near6, fc.nat({ max: 128 })).map(([net, bits]) => `${net}/${bits}`),
  );
  fc.assert(
    fc.property(address, fc.array(range, { minLength: 1, maxLength: 4 }), (from, ranges) => {
      assert.ok(isAddress(from));
      const isAdmitted = createAddressList(ranges)?.(from);
      assert.equal(rangeOf(from, ranges) !== undefined, isAdmitted, `${from} by ${ranges.join()}`);
    }),
    { numRuns: runsOf(2000) },
  );
});

test("the page offers exactly the existing events", () => {
  const offered = eventGroups().flatMap(({ type, words }) => [
    ...words.map((word) => `${type}.${word}`),
    allOf(type),
  ]);
  assert.deepEqual([...offered, EVERYTHING].toSorted(), [...SUBSCRIPTIONS].toSorted());
});

test("a filter is offered exactly if the service accepts one", () => {
  const some = fc.subarray([...SUBSCRIPTIONS], { maxLength: 3 });
  fc.assert(
    fc.property(some, (events) => assert.equal(filteredType(events)?.name, soleTypeOf(events))),
  );
});

test("a subscription replaces others that it covers", () => {
  const chosen = ["lead.created", "deal.created"];
  assert.deepEqual(withEvent(chosen, "lead.*", true), ["deal.created", "lead.*"]);
  assert.deepEqual(withEvent(chosen, "*", true), ["*"]);
  assert.deepEqual(withEvent(chosen, "lead.created", false), ["deal.created"]);
  assert.deepEqual(withEvent([], "lead.created", true), ["lead.created"]);
});

test("a stored header is kept if its value is left empty, and others are sent as entered", () => {
  const stored = rowsOf({ "X-Key": "***", "Content-Type": "text/plain" });
  assert.deepEqual(headersOf(stored), { "X-Key": "***", "Content-Type": "text/plain" });
  const [first, second] = stored;
  assert.ok(first !== undefined && second !== undefined);
  const added = emptyRow(stored);
  assert.ok(stored.every(({ key }) => key !== added.key));
  const rows = [{ ...first, value: "new" }, second, added];
  assert.deepEqual(headersOf(rows), { "X-Key": "new", "Content-Type": "text/plain" });
});

test("a placeholder replaces the selection, and unknown ones are reported once", () => {
  assert.deepEqual(insertPlaceholder('"ab"', "name", [1, 3]), { text: '"{{name}}"', cursor: 9 });
  assert.deepEqual(unknownPlaceholders("{{ name }} {{x}} {{x}} {{}}", ["name"]), ["x", ""]);
});

test("unknown URL parameters are ignored", () => {
  assert.deepEqual(readTab({ tab: "tokens", x: 1 }), { tab: "tokens" });
  assert.deepEqual(readTab({ tab: "other" }), {});
  assert.deepEqual(readSystemSearch({ credential: "a1", only: "slow", x: 1 }), {
    credential: "a1",
    only: "slow",
  });
  assert.deepEqual(readSystemSearch({ credential: "", only: "fast" }), {});
  assert.deepEqual(
    readAuditSearch({
      subject_type: "lead",
      subject_id: 12,
      action: "",
      from: "2026-11-01",
      to: "2026-99-99",
    }),
    { subject_type: "lead", subject_id: "12", from: "2026-11-01" },
  );
});

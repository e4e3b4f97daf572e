/** The pages warn about the same email addresses as the service. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { looksDeliverable as onPages } from "../../../console/src/ui/email/deliverable.ts";
import { looksDeliverable } from "../../../src/records/contact-details/index.ts";

test("an email looks deliverable on the pages if and only if it does to the service", () => {
  const cases = [
    "ann@example.com",
    "ann+tag@mail.example.co.uk",
    "bjørn@bokmål.no",
    "ann@xn--bokml-gra.no",
    "ann@example",
    "ann@example..com",
    "ann@-example.com",
    "ann@example.1com",
    "ann.@example.com",
    "ann b@example.com",
    '"ann b"@example.com',
    `${"a".repeat(64)}@example.com`,
    `${"a".repeat(65)}@example.com`,
    `ann@${"a".repeat(63)}.com`,
    `ann@${"a".repeat(64)}.com`,
    `ann@${"abcdefghi.".repeat(25)}com`,
    "@example.com",
    "",
  ];
  const found = cases.map((email) => onPages(email));
  assert.deepEqual(found, cases.map(looksDeliverable));
  assert.ok(found.includes(true) && found.includes(false));
});

/** Links for email addresses and phone numbers that come from partners and imports. */

import assert from "node:assert/strict";
import test from "node:test";
import { mailHref, phoneHref } from "../../../console/src/ui/format/hrefs.ts";

test("an email link has one recipient, whatever the address contains", () => {
  const cases: Readonly<Record<string, string>> = {
    "ann@example.com": "mailto:ann@example.com",
    "ann+x@example.com": "mailto:ann%2Bx@example.com",
    "a@b.example?bcc=c@d.example&body=hi": "mailto:a@b.example%3Fbcc%3Dc@d.example%26body%3Dhi",
    "a@b.example,c@d.example": "mailto:a@b.example%2Cc@d.example",
    "a%0Abcc:c@d.example": "mailto:a%250Abcc%3Ac@d.example",
  };
  for (const [address, href] of Object.entries(cases)) {
    assert.equal(mailHref(address), href);
    const { search, hash, pathname } = new URL(href);
    assert.deepEqual([search, hash, decodeURIComponent(pathname)], ["", "", address]);
  }
});

test("a phone link has one number, whatever it contains", () => {
  assert.equal(phoneHref("+12025550101"), "tel:+12025550101");
  assert.equal(phoneHref("+1 202;ext=9?x#y"), "tel:+1%20202%3Bext%3D9%3Fx%23y");
});

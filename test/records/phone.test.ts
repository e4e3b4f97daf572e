import assert from "node:assert/strict";
import { test } from "node:test";
import { emailEntry, emailKey } from "../../src/records/contact-details/email.ts";
import {
  isPhoneCountry,
  phoneEntry,
  phoneKey,
  type CountryCode,
} from "../../src/records/contact-details/phone.ts";

/** [typed number, country, [phone, country, formatted_phone] of the resulting entry]. */
const NUMBERS: readonly (readonly [
  string,
  CountryCode,
  readonly [string, string | null, string | null],
])[] = [
  ["+1 555 555 5555", "US", ["15555555555", "US", "(555) 555-5555"]],
  ["5555555555", "US", ["15555555555", "US", "(555) 555-5555"]],
  ["15555555555", "US", ["15555555555", "US", "(555) 555-5555"]],
  ["1 (555) 555.5555", "US", ["15555555555", "US", "(555) 555-5555"]],
  [" 555-555-5555 ", "US", ["15555555555", "US", "(555) 555-5555"]],
  ["+1 555 555 5555", "CA", ["15555555555", "CA", "(555) 555-5555"]],
  ["+1 555 555 5555", "DE", ["15555555555", "US", "(555) 555-5555"]],
  ["416-810-9897x752", "US", ["14168109897", "CA", "(416) 810-9897 ext. 752"]],
  ["416-810-9897 ext. 5", "US", ["14168109897", "CA", "(416) 810-9897 ext. 5"]],
  ["001-416-810-9897x12", "US", ["14168109897", "CA", "(416) 810-9897 ext. 12"]],
  ["011 44 20 7946 0958", "US", ["442079460958", "GB", "020 7946 0958"]],
  ["00442079460958", "US", ["442079460958", "GB", "020 7946 0958"]],
  ["442079460958", "US", ["442079460958", "GB", "020 7946 0958"]],
  ["020 7946 0958", "GB", ["442079460958", "GB", "020 7946 0958"]],
  ["+44 7700 900123", "US", ["447700900123", "GB", "07700 900123"]],
  ["0458-665-290", "AU", ["61458665290", "AU", "0458 665 290"]],
  ["+800 1234 5678", "US", ["80012345678", null, "1234 5678"]],
  ["03-8174-9123", "US", ["03-8174-9123", null, null]],
  ["0458-665-290", "US", ["0458-665-290", null, null]],
  ["1-018-509-3382", "US", ["1-018-509-3382", null, null]],
  ["01835-703597", "US", ["01835-703597", null, null]],
  ["61234 56789", "GB", ["61234 56789", null, null]],
  ["call me", "US", ["call me", null, null]],
  ["555-5555", "US", ["555-5555", null, null]],
  ["911", "US", ["911", null, null]],
  ["4168109897 or 5145551234", "US", ["4168109897 or 5145551234", null, null]],
  ["", "US", ["", null, null]],
];

for (const [text, tenantCountry, [phone, country, formatted_phone]] of NUMBERS) {
  test(`${JSON.stringify(text)} typed in ${tenantCountry} is ${phone} of ${country}`, () => {
    const entry = { type: "Main", phone, country, formatted_phone };
    assert.deepEqual(phoneEntry(text, tenantCountry), entry);
    assert.equal(phoneKey(text, tenantCountry), phone);
  });
}

test("a country is one that has a numbering plan", () => {
  assert.equal(isPhoneCountry("US"), true);
  assert.equal(isPhoneCountry("ZZ"), false);
});

const DELIVERABLE = [
  "ann@example.com",
  "Ann.O'Neil+crm@mail.example.co.uk",
  "jürgen@müller.example",
  "a@xn--mller-kva.example",
];
const NOT_DELIVERABLE = [
  "",
  "ann",
  "ann@",
  "@example.com",
  "ann@localhost",
  "ann@example..com",
  "ann.@example.com",
  ".ann@example.com",
  "ann b@example.com",
  "ann@-example.com",
  "ann@example.c",
  "ann@example.123",
  "ann@b@example.com",
  `${"a".repeat(65)}@example.com`,
  " ann@example.com",
];

for (const [result, addresses] of [
  [1, DELIVERABLE],
  [2, NOT_DELIVERABLE],
] as const) {
  for (const email of addresses) {
    test(`${JSON.stringify(email)} has the validation result ${result} and stays as sent`, () =>
      assert.deepEqual(emailEntry(email), {
        type: "Main",
        email,
        email_validation_dict: { result },
      }));
  }
}

test("emails are compared without regard to case", () =>
  assert.equal(emailKey("Ann@Example.COM"), "ann@example.com"));

/**
 * Calls every operation with a token that has a single permission: each call is allowed or returns 403, as the
 * operation's description states.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { partnerOf } from "../../exchange/partner-kit.ts";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { everyOperation, filled, leastOf, operationsOf, readDocument } from "../operations.ts";
import { permissionLines } from "../permission-table.ts";

/** The permissions in docs/tokens.md#permissions, copied by hand to check the service's own table independently. */
const OPENS: Readonly<Record<string, readonly string[]>> = {
  "records:read": ["records:read"],
  "records:write": ["records:read", "records:write"],
  "exchange:review": ["exchange:review"],
  admin: ["records:read", "records:write", "exchange:review", "admin"],
  "ssn:read": ["ssn:read"],
};

const api = await sharedApi();
const owner = await api.tenant();
const document = await readDocument(owner);
const operations = operationsOf(document);
const NOBODY = "0".repeat(24);

/** The path prefixes of record operations, such as `/crm/leads`. */
const RECORD_PATHS = new Set<string>(
  Object.values(BUILT_IN_TYPES).flatMap(({ writePath, lists }) => [
    writePath,
    lists.all?.path ?? writePath,
  ]),
);

/** All record types share the same entries: `/crm/leads/{lead_id}` is listed as `/crm/<records>/{id}`. */
const tablePath = (path: string): string => {
  const [whole = "", first = "", id = ""] = /^(\/crm\/\w+)(\/\{\w+_id\})?/.exec(path) ?? [];
  if (!RECORD_PATHS.has(first)) return path;
  return `/crm/<records>${id && "/{id}"}${path.slice(whole.length)}`;
};

test("every operation is opened by what the table lists for it, and by nothing else", async () => {
  const listed = await permissionLines();
  const found = everyOperation(document).map(
    ({ method, path, opener }) => `${method} ${tablePath(path)} ${opener}`,
  );
  assert.deepEqual([...new Set(found)].toSorted(), listed.toSorted());
});

test("every operation names a permission that exists, or is open to every credential", () => {
  assert.ok(operations.length > 40);
  const unknown = operations.filter(
    ({ permission }) => permission !== "own" && !(permission in OPENS),
  );
  assert.deepEqual(unknown, []);
});

for (const [held, opened] of Object.entries(OPENS)) {
  test(`${held} opens exactly the operations that name it`, async () => {
    const client = await owner.token([held]);
    for (const { method, path, permission, body } of operations) {
      const answer = await client.request({
        method,
        path: filled(path, () => NOBODY),
        ...(body !== undefined && {
          headers: { "content-type": body.type },
          body: JSON.stringify(leastOf(document, body.schema)),
        }),
      });
      const what = `${method} ${path} with ${held}: ${answer.status} ${answer.text.slice(0, 200)}`;
      const isOpen = permission === "own" || opened.includes(permission);
      assert.equal(answer.status === 403, !isOpen, what);
      assert.ok(answer.status < 500, what);
      if (answer.status === 403) assert.ok(answer.body.detail.includes(permission), what);
    }
  });
}

test("without a token every operation returns 401 and names the scheme to use", async () => {
  const { token } = await partnerOf(owner);
  const wrong = {
    Bearer: [`Partner ${owner.bearer}`, `Partner ${token}`, `Bearer ${token}`],
    Partner: [`Bearer ${owner.bearer}`, `Partner ${owner.bearer}`, `Bearer ${token}`],
  };
  const tried = [
    ...operations.map((operation) => ["Bearer", operation] as const),
    ...operationsOf(document, "PartnerToken").map((operation) => ["Partner", operation] as const),
  ];
  for (const [scheme, { method, path }] of tried) {
    const none = [null, scheme, `${scheme} lp_x`, "Basic eA=="];
    for (const authorization of [...none, ...wrong[scheme]]) {
      const answer = await owner.request({
        method,
        path: filled(path, () => NOBODY),
        headers: { authorization },
      });
      assert.equal(answer.status, 401, `${method} ${path} ${authorization}`);
      assert.ok(answer.headers.get("www-authenticate")?.startsWith(`${scheme} `));
      assert.deepEqual(Object.keys(answer.body), ["detail"]);
    }
  }
});

test("revealing a social security number needs ssn:read and the permission to read", async () => {
  const made = await owner.post("/crm/leads", { name: "A", ssn: "123-45-6789" });
  const path = `/crm/leads/${made.body._id}?reveal=ssn`;
  const attempts = [
    [["records:read"], 403],
    [["admin"], 403],
    [["ssn:read"], 403],
    [["records:read", "ssn:read"], 200],
  ] as const;
  for (const [permissions, status] of attempts) {
    const answer = await (await owner.token(permissions)).get(path);
    assert.equal(answer.status, status, permissions.join(" "));
    assert.equal(answer.text.includes("123-45-6789"), status === 200);
  }
});

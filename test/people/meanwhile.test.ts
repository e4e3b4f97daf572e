/** Users who change while a request about them is in progress: docs/people.md. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../api/samples.ts";
import type { Answer, Client } from "../kit/api.ts";
import { eventually } from "../kit/eventually.ts";
import { fileApi } from "../kit/file-api.ts";
import {
  createInbox,
  follow,
  ownerOf,
  pageOf,
  type Page,
  PASSWORD,
  SAME_ORIGIN,
  signIn,
  tokenIn,
} from "./people-kit.ts";
import type { TestTx } from "../kit/sql.ts";

const { inbox, mailer } = createInbox();
const api = await fileApi({ mailer, publicUrl: "https://crm.example.com" });
const PEOPLE = "/crm/admin/people";
const NEW = "battery staple horse";

interface User {
  readonly acme: Client;
  readonly owner: Page;
  readonly id: string;
  readonly email: string;
  readonly page: Page;
}

let users = 0;
/** Returns a signed-in administrator of a new tenant. */
async function userOf(): Promise<User> {
  const acme = await api.tenant();
  const owner = await ownerOf(api, acme, `owner${++users}@example.com`);
  const email = `bob${users}@example.com`;
  const { id, link } = ok(await owner.post(PEOPLE, { name: "Bob", email, role: "admin" })).body;
  return { acme, owner, id, email, page: await follow(acme, tokenIn(link)) };
}

/**
 * Whether a request is waiting. Every 5 s, the service stores the times of last use. This may also wait for the user's
 * row, but does not count.
 */
const isWaiting = async (): Promise<boolean> => {
  const { count } = await api.sql`
    select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'
       and query not like '%set last_used_ts = u.at_s%'`;
  return count > 0;
};

/** Makes a change that is committed while the request is waiting for it. Returns the response to the request. */
async function during(
  send: () => Promise<Answer>,
  change: (tx: TestTx) => Promise<unknown>,
): Promise<Answer> {
  let sent: Promise<Answer> | undefined;
  await api.sql.begin(async (tx) => {
    await change(tx);
    sent = send();
    await eventually(isWaiting);
  });
  return sent as Promise<Answer>;
}

const resetLink = async ({ owner, id }: User): Promise<string> =>
  tokenIn(ok(await owner.post(`${PEOPLE}/${id}/link`)).body.link);

const shown = async ({ owner, id }: User) => {
  const all = ok(await owner.get(PEOPLE)).body as { id: string; name: string; role: string }[];
  return all.find((one) => one.id === id);
};

test("a link does not undo a change of the user's name and role", async () => {
  const user = await userOf();
  const { acme, id } = user;
  const token = await resetLink(user);
  const use = () => pageOf(acme).post("/auth/links/use", { token, password: NEW });
  const used = ok(
    await during(
      use,
      (tx) => tx`update people set role = 'viewer', name = 'Robert' where id = ${id}`,
    ),
  );
  assert.deepEqual([used.body.person.role, used.body.person.name], ["viewer", "Robert"]);
  const after = await shown(user);
  assert.deepEqual([after?.role, after?.name], ["viewer", "Robert"]);
  const [entry] = ok(await acme.get("/crm/admin/audit?action=password_set")).body;
  assert.deepEqual(Object.keys(entry.fields), ["password"]);
  assert.equal(entry.actor.name, "Robert");
});

test("a link of a user whose second factor changes in the meantime sets no password", async () => {
  const user = await userOf();
  const { acme, email, id } = user;
  const token = await resetLink(user);
  const use = () => pageOf(acme).post("/auth/links/use", { token, password: NEW });
  const used = await during(use, (tx) => tx`update people set totp = 'other' where id = ${id}`);
  assert.equal(used.status, 409);
  await api.sql`update people set totp = null where id = ${id}`;
  assert.equal((await signIn(acme, { email, password: NEW })).status, 401);
  ok(await use());
});

/** What a user can do with their password. */
const OWN: Readonly<Record<string, (page: Page) => Promise<Answer>>> = {
  "a new password": (page) =>
    page.post("/auth/password", { current_password: PASSWORD, new_password: NEW }),
  "a new second factor": (page) => page.post("/auth/second_factor", { password: PASSWORD }),
  "a new set of recovery codes": (page) =>
    page.post("/auth/second_factor/recovery_codes", { password: PASSWORD }),
};

const stored = async ({ id }: User) => {
  const [row] = await api.sql`
    select password_hash, totp_pending, recovery_code_hashes from people where id = ${id}`;
  return row;
};

for (const [name, send] of Object.entries(OWN)) {
  test(`${name} is not stored if the password changes in the meantime`, async () => {
    const user = await userOf();
    if (name === "a new set of recovery codes") {
      await api.sql`update people set totp = 'sealed' where id = ${user.id}`;
    }
    const answer = await during(
      () => send(user.page),
      (tx) => tx`update people set password_hash = 'reset' where id = ${user.id}`,
    );
    assert.equal(answer.status, 409, answer.text);
    assert.match(answer.body.detail, /changed in the meantime/);
    const none = { password_hash: "reset", totp_pending: null, recovery_code_hashes: [] };
    assert.deepEqual({ ...(await stored(user)) }, none);
  });
}

test("recovery codes are not stored if the second factor is removed in the meantime", async () => {
  const user = await userOf();
  await api.sql`update people set totp = 'sealed' where id = ${user.id}`;
  const send = () => user.page.post("/auth/second_factor/recovery_codes", { password: PASSWORD });
  const answer = await during(
    send,
    (tx) => tx`update people set totp = null where id = ${user.id}`,
  );
  assert.equal(answer.status, 409, answer.text);
});

const CHANGES: Readonly<Record<string, (page: Page) => Promise<Answer>>> = {
  "a password": (page) =>
    page.post("/auth/password", { current_password: PASSWORD, new_password: NEW }),
  "a name": (page) => page.patch("/auth/profile", { name: "Eve" }),
};

for (const [name, send] of Object.entries(CHANGES)) {
  test(`a session that ends in the meantime does not change ${name}`, async () => {
    const user = await userOf();
    const answer = await during(
      () => send(user.page),
      async (tx) => {
        await tx`select from people where id = ${user.id} for update`;
        await tx`delete from sessions where person_id = ${user.id}`;
      },
    );
    assert.equal(answer.status, 401, answer.text);
    assert.equal((await shown(user))?.name, "Bob");
    ok(await signIn(user.acme, { email: user.email }));
  });
}

test("a change by an administrator keeps a name that the user changes in the meantime", async () => {
  const user = await userOf();
  const changed = await during(
    () => user.owner.patch(`${PEOPLE}/${user.id}`, { role: "viewer" }),
    (tx) => tx`update people set name = 'Robert' where id = ${user.id}`,
  );
  assert.deepEqual([ok(changed).body.role, changed.body.name], ["viewer", "Robert"]);
});

test("an administrator gets no link for a user who becomes an owner in the meantime", async () => {
  const user = await userOf();
  const other = { name: "Carl", email: `carl${users}@example.com`, role: "viewer" };
  const { id } = ok(await user.owner.post(PEOPLE, other)).body;
  const answer = await during(
    () => user.page.post(`${PEOPLE}/${id}/link`),
    (tx) => tx`update people set role = 'owner' where id = ${id}`,
  );
  assert.equal(answer.status, 403, answer.text);
});

test("no link is emailed to an address that the user loses in the meantime", async () => {
  const { acme, id, email } = await userOf();
  inbox.length = 0;
  const send = () => pageOf(acme).post("/auth/forgotten", { email }, SAME_ORIGIN);
  ok(await during(send, (tx) => tx`update people set email = ${`new.${email}`} where id = ${id}`));
  await eventually(async () => !(await isWaiting()));
  // An email to the old address would be sent before this one.
  ok(await pageOf(acme).post("/auth/forgotten", { email: `new.${email}` }));
  await eventually(() => inbox.length > 0);
  assert.deepEqual(
    inbox.map(({ to }) => to),
    [`new.${email}`],
  );
});

test("no link is emailed for a tenant that is suspended in the meantime", async () => {
  const { acme, id, email } = await userOf();
  const other = await userOf();
  inbox.length = 0;
  const send = (to: string) => pageOf(acme).post("/auth/forgotten", { email: to }, SAME_ORIGIN);
  const suspend = async (tx: TestTx) => {
    await tx`select from people where id = ${id} for update`;
    await tx`update tenants set suspended_ts = 1 where id = ${acme.tenantId}`;
  };
  ok(await during(() => send(email), suspend));
  await eventually(async () => !(await isWaiting()));
  // An email to a user of the suspended tenant would be sent before this one.
  ok(await send(other.email));
  await eventually(() => inbox.length > 0);
  assert.deepEqual(
    inbox.map(({ to }) => to),
    [other.email],
  );
});

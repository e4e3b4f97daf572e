/** Emails as received by a real SMTP server: invitations, resets, and what happens if no server accepts them. */

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import pino from "pino";
import { suspendTenant } from "../../src/tenants/state.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { createMailer } from "../../src/platform/outgoing/mail.ts";
import { fileApi } from "../kit/file-api.ts";
import { ok } from "../api/samples.ts";
import { follow, ownerOf, pageOf, signIn, tokenIn } from "./people-kit.ts";
import { eventually } from "../kit/eventually.ts";
import { startSmtp, type ReceivedMail } from "../kit/smtp.ts";
import { atEnd, file, listening } from "../kit/started.ts";

const { url: smtpUrl, inbox } = await startSmtp(file);

const logged: string[] = [];
const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
const mailFrom = "Leadport <crm@example.com>";
const mailer = createMailer({ smtpUrl, mailFrom }, log);
atEnd(file, () => mailer.close());
const publicUrl = "https://crm.example.com";
const api = await fileApi({ mailer, publicUrl, trustedProxies: ["127.0.0.1"] });
const acme = await api.tenant();
const owner = await ownerOf(api, acme, "ada@example.com");

let drawn = 0;
const freshAddress = (): string => `198.51.100.${++drawn}`;

/** Waits for emails that are sent after the response. */
async function received(count: number): Promise<readonly ReceivedMail[]> {
  await eventually(() => inbox.length >= count);
  assert.equal(inbox.length, count);
  return inbox.splice(0);
}

const LINK = /https:\/\/crm\.example\.com\/link#(\w{40})/;

const forgot = (email: string, from = freshAddress()) =>
  pageOf(acme).post("/auth/forgotten", { email }, { "x-forwarded-for": from });

test("an invitation is mailed with a link that works, and the response says so", async () => {
  const bob = { name: "Bob <b>Example</b>", email: "Bob@example.com", role: "agent" };
  const made = ok(await owner.post("/crm/admin/people", bob)).body;
  assert.equal(made.emailed, true);
  const [mail] = await received(1);
  assert.deepEqual([mail?.from, mail?.to], ["crm@example.com", ["bob@example.com"]]);
  const text = mail?.text ?? "";
  assert.match(text, /^From: Leadport <crm@example\.com>/m);
  assert.match(text, /Bob &lt;b&gt;Example&lt;\/b&gt;/);
  const [link = "", token = ""] = LINK.exec(text) ?? [];
  assert.equal(link, made.link);
  await follow(acme, token);
  assert.equal((await signIn(acme, { email: "bob@example.com" })).status, 200);
});

test("a forgotten password sends a link; for an unknown email the response is the same", async () => {
  const answers = [await forgot("ADA@example.com "), await forgot("nobody@example.com")];
  for (const answer of answers) assert.deepEqual(ok(answer).body, { sent: true });
  const [mail] = await received(1);
  const [, token = ""] = LINK.exec(mail?.text ?? "") ?? [];
  const told = ok(await pageOf(acme).post("/auth/links/look", { token })).body;
  assert.deepEqual([told.kind, told.email], ["reset", "ada@example.com"]);
  await follow(acme, token, { password: "another good password" });
  assert.equal((await owner.get("/auth/session")).status, 401);
  assert.equal((await signIn(acme, { email: "ada@example.com" })).status, 401);
  const answer = await signIn(acme, {
    email: "ada@example.com",
    password: "another good password",
  });
  assert.equal(answer.status, 200);
});

test("the Host of a request names no link while there is a setting", async () => {
  await pageOf(acme).post(
    "/auth/forgotten",
    { email: "ada@example.com" },
    { "x-forwarded-for": freshAddress(), "x-forwarded-host": "evil.example.com" },
  );
  const [mail] = await received(1);
  assert.match(mail?.text ?? "", LINK);
  assert.ok(!mail?.text.includes("evil"));
});

test("emails can be requested a few times an hour from one address", async () => {
  const from = freshAddress();
  for (let at = 0; at < 3; at++) assert.equal((await forgot("who@example.com", from)).status, 200);
  const blocked = await forgot("who@example.com", from);
  assert.equal(blocked.status, 429);
  assert.ok(Number(blocked.headers.get("retry-after")) > 3500);
  assert.equal((await forgot("else@example.com", from)).status, 200);
  assert.equal((await forgot("who@example.com")).status, 200);
  for (let at = 0; at < 16; at++) await forgot(`person${at}@example.com`, from);
  assert.equal((await forgot("last@example.com", from)).status, 429);
});

test("with several tenants of one name each email gives the handle, otherwise only the name", async () => {
  const rivals = [await api.tenant(), await api.tenant()];
  const handles: string[] = [];
  for (const rival of rivals) {
    const page = await ownerOf(api, rival, "two@example.com");
    handles.push(ok(await page.patch("/crm/admin/tenant", { name: "Harbour" })).body.handle);
  }
  await forgot("two@example.com");
  const mails = await received(2);
  for (const handle of handles) {
    const named = mails.filter(({ text }) => text.includes(`password for Harbour (${handle}) on`));
    assert.equal(named.length, 1, handle);
  }
  await forgot("ada@example.com");
  const [single] = await received(1);
  assert.match(single?.text ?? "", /password for Tenant 1 on Leadport/);
});

test("a suspended user, or one without a tenant, gets no email", async () => {
  const eve = { name: "Eve", email: "eve@example.com", role: "viewer" };
  const { id } = ok(await acme.post("/crm/admin/people", eve)).body;
  await received(1);
  ok(await acme.patch(`/crm/admin/people/${id}`, { status: "suspended" }));
  await forgot("eve@example.com");
  await new Promise((resolve) => setTimeout(resolve, 200));
  await received(0);
});

test("a user of a suspended tenant gets no email from that tenant", async () => {
  const suspended = await api.tenant();
  const other = await api.tenant();
  const email = "kim@example.com";
  for (const client of [suspended, other]) await ownerOf(api, client, email);
  const deps = { clock: systemClock(), makeId: idSource(systemClock()) };
  await suspendTenant(api.sql, deps, suspended.tenantId as never);
  await forgot(email);
  const [mail] = await received(1);
  const { name } = ok(await other.get("/crm/admin/tenant")).body;
  // An email for one of several tenants would give the handle, too.
  assert.ok(mail?.text.includes(`password for ${name} on Leadport`), mail?.text);
});

test("a server that accepts nothing is logged, and the link exists all the same", async (t) => {
  const deaf = createServer((socket) => socket.end("554 No\r\n"));
  const url = `smtp://127.0.0.1:${await listening(t, deaf)}`;
  const refused = createMailer({ smtpUrl: url, mailFrom }, log);
  atEnd(t, () => refused.close());
  const mail = { to: "ada@example.com", subject: "s", text: "a secret link", html: "" };
  assert.equal(await refused.send(mail), false);
  assert.match(logged.join(""), /Sending an email failed/);
  assert.ok(!logged.join("").includes("a secret link"));
});

test("without a server no email is sent, and both responses say so", async (t) => {
  const { startApi } = await import("../kit/api.ts");
  const bare = await startApi(t);
  const rival = await bare.tenant();
  const answer = await pageOf(rival).post("/auth/forgotten", { email: "ada@example.com" });
  assert.deepEqual(ok(answer).body, { sent: false });
  const eve = { name: "Eve", email: "eve@example.com", role: "admin" };
  const made = ok(await rival.post("/crm/admin/people", eve)).body;
  assert.equal(made.emailed, false);
  assert.ok(made.link.startsWith(`${bare.url}/link#`));
  await follow(rival, tokenIn(made.link));
});

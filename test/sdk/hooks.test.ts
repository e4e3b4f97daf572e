/** Hooks see every request and response, but no credentials, and their errors are not lost. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ConnectionFailed,
  createPartnerClient,
  LeadportError,
  type ReceivedResponse,
  type SentRequest,
} from "../../sdk/src/index.ts";
import { makePartner } from "../exchange/partner-kit.ts";
import { QUICK, sdkWorld } from "./sdk-kit.ts";
import { eventually } from "../kit/eventually.ts";

/** Hooks that record their arguments. */
function recorder() {
  const requests: SentRequest[] = [];
  const responses: ReceivedResponse[] = [];
  const onRequest = (request: SentRequest) => void requests.push(request);
  const onResponse = (response: ReceivedResponse) => void responses.push(response);
  return { requests, responses, onRequest, onResponse };
}

test("each attempt is seen with its number, status, time and request id", async (t) => {
  const seen = recorder();
  const { leadport, proxy } = await sdkWorld(t, seen);
  const { _id } = await leadport.leads.create({ name: "Mara Lind" });
  const [created] = seen.responses;
  assert.ok(created?.requestId, "the service's id of the request");
  assert.ok(created.duration_ms > 0);
  assert.deepEqual([created.method, created.status, created.attempt], ["POST", 200, 1]);
  assert.equal(created.error, undefined);

  seen.requests.length = 0;
  seen.responses.length = 0;
  proxy.next({ kind: "refuse" }, { kind: "answer", status: 503 });
  await leadport.leads.get(_id);
  const url = `${proxy.url}/crm/leads/${_id}`;
  const template = "/crm/leads/{lead_id}";
  assert.deepEqual(
    seen.requests,
    [1, 2, 3].map((attempt) => ({ method: "GET", template, url, attempt })),
  );
  assert.deepEqual(
    seen.responses.map(({ attempt, status }) => [attempt, status]),
    [
      [1, undefined],
      [2, 503],
      [3, 200],
    ],
  );
  const [lost, refused, last] = seen.responses;
  assert.ok(lost?.error instanceof ConnectionFailed);
  assert.ok(refused?.error instanceof LeadportError);
  assert.equal(last?.error, undefined);
});

test("nothing that hooks receive contains a credential, or the values of a filter", async (t) => {
  const seen = recorder();
  const { leadport, plain, proxy } = await sdkWorld(t, seen);
  await leadport.leads.list({ match_filter_dict: { name: "Secret" } }).next();
  const { partner_id, access_code } = await makePartner(plain);
  const { onRequest, onResponse } = seen;
  const settings = { url: proxy.url, partner_id, access_code, onRequest, onResponse };
  const partner = createPartnerClient(settings);
  await partner.me();
  proxy.next({ kind: "answer", status: 401 });
  await partner.me();
  const shown = JSON.stringify([seen.requests, seen.responses]);
  const tokens = proxy.seen.map(({ headers }) => headers.authorization?.split(" ")[1] ?? "");
  const secrets = [plain.bearer, access_code, "Secret", ...tokens.filter(Boolean)];
  for (const secret of secrets) assert.ok(!shown.includes(secret));
  assert.deepEqual(
    seen.requests.slice(-3).map(({ template, attempt }) => `${attempt} ${template}`),
    ["1 /crm/partner/me", "1 /crm/partner/token", "2 /crm/partner/me"],
  );
});

test("an error of a hook fails the call, and is not retried", async (t) => {
  const broken = new Error("the log is full");
  const fail = (): never => {
    throw broken;
  };
  const before = await sdkWorld(t, { onRequest: fail });
  await assert.rejects(before.leadport.tenant.get(), broken);
  assert.equal(before.proxy.seen.length, 0);
  const after = await sdkWorld(t, { onResponse: fail });
  await assert.rejects(after.leadport.tenant.get(), broken);
  assert.equal(after.proxy.seen.length, 1);
});

test("an aborted call is seen with the reason", async (t) => {
  const seen = recorder();
  const { leadport, proxy } = await sdkWorld(t, { ...seen, retry: QUICK });
  proxy.next({ kind: "hang" });
  const stop = new AbortController();
  const reason = new Error("the user left");
  const call = leadport.tenant.get({ signal: stop.signal });
  await eventually(() => proxy.seen.length > 0);
  stop.abort(reason);
  await assert.rejects(call, reason);
  const [response] = seen.responses;
  assert.deepEqual([response?.status, response?.error], [undefined, reason]);
});

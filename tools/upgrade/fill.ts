/** Fills an installation with one request for every write operation, and repeats those with an Idempotency-Key. */

import assert from "node:assert/strict";
import { answerOf, isReplay, newKey, READY, sendKeyed } from "../../test/api/keys/keyed-samples.ts";
import type { Ready, Sender, World } from "../../test/api/keys/keyed-samples.ts";
import {
  operationsOf,
  readDocument,
  resolved,
  type ListedOperation,
} from "../../test/api/operations.ts";
import type { Body } from "../../test/api/samples.ts";
import type { Answer } from "../../test/kit/api.ts";

/** A request that was sent with an Idempotency-Key, and its response. */
export interface Kept {
  readonly id: string;
  readonly method: string;
  readonly key: string;
  readonly request: Ready;
  readonly response: Answer;
}

/** Returns a body without the members that the operation of the earlier commit does not accept. */
// oxlint-disable-next-line typescript/no-explicit-any -- a document of any depth
function known(document: any, { body: shape }: ListedOperation, body: unknown): unknown {
  const { properties } = resolved(document, shape?.schema ?? {});
  if (properties === undefined || typeof body !== "object" || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in properties));
}

/** Whether the operation of the earlier commit accepts an Idempotency-Key. */
// oxlint-disable-next-line typescript/no-explicit-any -- a document of any depth
const takesKey = (document: any, { path, method }: ListedOperation): boolean =>
  document.paths[path][method.toLowerCase()].parameters?.some(
    ({ name }: Body) => name === "Idempotency-Key",
  ) === true;

/**
 * Sends one request for every write operation. Returns the requests whose responses are stored under an
 * Idempotency-Key.
 */
export async function fill(world: World): Promise<readonly Kept[]> {
  const document = await readDocument(world.acme);
  const kept: Kept[] = [];
  const operations = [...operationsOf(document), ...operationsOf(document, "PartnerToken")];
  for (const operation of operations) {
    const { id, method } = operation;
    const ready = READY[id];
    if (ready === undefined || method === "GET") continue;
    const made = await ready(world);
    const request = { ...made, body: known(document, operation, made.body) };
    const key = newKey();
    const response = await sendKeyed(request.as ?? world.acme, method, key, request);
    assert.ok(response.status < 300, `${id}: ${response.text}`);
    if (takesKey(document, operation)) kept.push({ id, method, key, request, response });
  }
  return kept;
}

/** Sends the requests again. Each must return its first response. `senderOf` returns the client for a request. */
export async function repeat(
  kept: readonly Kept[],
  senderOf: (request: Ready) => Sender,
): Promise<void> {
  for (const { id, method, key, request, response } of kept) {
    const again = await sendKeyed(senderOf(request), method, key, request);
    assert.ok(isReplay(again), `${id}: ${again.text}`);
    assert.deepEqual(answerOf(again), answerOf(response), id);
  }
}

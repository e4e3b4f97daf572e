/** Operations that configure and test calls to a tenant's own endpoints. */

import { scopeOf, type Caller } from "../../access/index.ts";
import { isAccepted, trySending } from "../../delivery/index.ts";
import { webhookHeaders } from "../../delivery/signing/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import type { Database } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { type Json, namesOf } from "../../platform/json/index.ts";
import {
  type BodyShape,
  bodyShape,
  type Operation,
  operation,
} from "../../platform/operations/index.ts";
import type { Outgoing, OutgoingResponse, OutgoingRequest } from "../../platform/outgoing/index.ts";
import { checker, type Schema, valueError } from "../../platform/validation/index.ts";
import {
  calloutFaults,
  maskedHeaders,
  requestOf,
  type Callout,
  type SentCallout,
} from "./callout.ts";
import { CHECK_SCHEMA, WEBHOOK_SCHEMA } from "./callout-bodies.ts";
import {
  requestedCallout,
  type CalloutSetting,
  type Kept,
  putCallout,
  readCallout,
  shownCallout,
} from "./callout-setting.ts";
import { CHECK, CheckFailed, readResponse, type DuplicateCheck } from "./duplicate-check.ts";
import { issueSecret, shownWebhook, WEBHOOK } from "./import-webhook.ts";
import { isPointer } from "./json-pointer.ts";
import type { SettingDeps } from "./setting.ts";

export interface CalloutDeps extends SettingDeps {
  readonly db: Database;
  readonly outgoing: Outgoing;
  /** Private hosts, addresses and ranges to which the installation allows callouts. */
  readonly allow: readonly string[];
  readonly nothing: BodyShape;
}

const COMMON = { tag: "settings", permission: "admin" } as const;

export function calloutOperations(deps: CalloutDeps): readonly Operation<Caller>[] {
  const { allow } = deps;
  const rule =
    ({ defaults, sample }: CalloutSetting) =>
    (body: Json) =>
      calloutFaults(body, { names: namesOf(sample), allow, defaults });
  const compile = checker({
    webhook: rule(WEBHOOK),
    check: rule(CHECK),
    pointer: (text: Json) =>
      typeof text !== "string" || isPointer(text)
        ? []
        : [valueError("a JSON Pointer (RFC 6901), such as /data/0/name")],
  });
  const webhook = bodyShape(WEBHOOK_SCHEMA, compile);
  const check = bodyShape(CHECK_SCHEMA, compile);
  return [
    ...settingOperations(deps, {
      setting: WEBHOOK,
      body: webhook,
      answer: { $ref: "ImportWebhook#" },
      texts: {
        get: [
          "Get the import webhook",
          "Imported leads are sent to the import webhook instead of being stored in the CRM.",
        ],
        put: ["Set the import webhook", "Replaces all settings except the signing secrets."],
        test: [
          "Test the import webhook",
          "Sends a sample, marked as a test, and returns the outcome.",
        ],
        preview: [
          "Preview the import webhook",
          "Returns the request that these settings would produce for a sample. Nothing is stored or sent.",
        ],
      },
      shown: shownWebhook,
      signed: (request, { secrets }) => ({
        ...request.headers,
        ...webhookHeaders({
          id: `test_${deps.makeId()}`,
          now_s: epochSeconds(deps.clock),
          body: request.body ?? "",
          secrets: secrets.map(({ secret }) => secret),
        }),
      }),
      understood: (_, answer) => ({ ok: isAccepted(answer) }),
    }),
    operation({
      ...COMMON,
      method: "POST",
      url: `/crm/admin/${WEBHOOK.name}/secret`,
      id: "issue_webhook_secret",
      summary: "Create a signing secret",
      description:
        "Returns a new secret for the import webhook, which is not shown again. Requests are signed with the " +
        "two newest secrets.",
      body: deps.nothing,
      bodyOptional: true,
      answer: { $ref: "WebhookSecret#" },
      secretResponse: true,
      run: async ({ caller, write }) => write((sql) => issueSecret(scopeOf(sql, caller), deps)),
    }),
    ...settingOperations(deps, {
      setting: CHECK,
      body: check,
      answer: { $ref: "DuplicateCheck#" },
      texts: {
        get: [
          "Get the duplicate check",
          "The duplicate check uses your own system instead of the CRM to determine whether a person exists.",
        ],
        put: ["Set the duplicate check", "Replaces all settings."],
        test: [
          "Test the duplicate check",
          "Sends a sample, marked as a test, and returns the response and how it was interpreted.",
        ],
        preview: [
          "Preview the duplicate check",
          "Returns the request that these settings would produce for a sample. Nothing is stored or sent.",
        ],
      },
      shown: (kept) => shownCallout(kept, CHECK),
      signed: ({ headers }) => headers,
      understood,
    }),
  ];
}

/** The parts of the operations that differ between the duplicate check and the import webhook. */
interface SettingOperations<C extends Callout> {
  readonly setting: CalloutSetting<C>;
  readonly body: BodyShape<SentCallout>;
  readonly answer: Schema;
  /** The summary and description of each operation. */
  readonly texts: Readonly<
    Record<"get" | "put" | "test" | "preview", readonly [summary: string, description: string]>
  >;
  readonly shown: (kept: Kept<C>) => unknown;
  /** Returns the headers of a test request. */
  readonly signed: (request: OutgoingRequest, kept: Kept<C>) => OutgoingRequest["headers"];
  /** Describes how the response to a test request was interpreted. */
  readonly understood: (kept: Kept<C>, answer: OutgoingResponse | undefined) => object;
}

/** Returns the operations that read, change, test and preview a setting. */
function settingOperations<C extends Callout>(
  deps: CalloutDeps,
  described: SettingOperations<C>,
): readonly Operation<Caller>[] {
  const { setting, body, answer, texts, shown } = described;
  const { name, sample } = setting;
  const one = { ...COMMON, url: `/crm/admin/${name}` } as const;
  const read = (caller: Caller) => readCallout(scopeOf(deps.db.sql, caller), deps, setting);
  return [
    operation({
      ...one,
      method: "GET",
      id: `get_${name}`,
      summary: texts.get[0],
      description: texts.get[1],
      answer,
      run: async ({ caller }) => shown(await read(caller)),
    }),
    operation({
      ...one,
      method: "PUT",
      id: `put_${name}`,
      summary: texts.put[0],
      description: texts.put[1],
      body,
      answer,
      run: async ({ caller, body: sent, write }) =>
        write(async (sql) => shown(await putCallout(scopeOf(sql, caller), deps, setting, sent))),
    }),
    operation({
      ...one,
      method: "POST",
      url: `${one.url}/test`,
      id: `test_${name}`,
      readsOnly: true,
      summary: texts.test[0],
      description: texts.test[1],
      body: deps.nothing,
      bodyOptional: true,
      answer: { $ref: "CalloutTest#" },
      run: async ({ caller, request: { log }, write }) => {
        const kept = await read(caller);
        if (kept.url === null) {
          throw new AppError("conflict", { detail: "No URL is set; set one before you test it" });
        }
        const request = requestOf(kept, sample);
        const headers = described.signed(request, kept);
        const tried = await trySending({ ...deps, log }, { ...request, headers });
        const { answer: came, ...shownTrial } = tried;
        return write(async () => ({ ...shownTrial, ...described.understood(kept, came) }));
      },
    }),
    operation({
      ...one,
      method: "POST",
      url: `${one.url}/preview`,
      id: `preview_${name}`,
      summary: texts.preview[0],
      description: texts.preview[1],
      body,
      answer: { $ref: "CalloutPreview#" },
      run: async ({ caller, body: sent, write }) => {
        const asked = requestedCallout(await read(caller), sent, setting);
        const { body: rendered = null, headers } = requestOf(asked, sample);
        return write(async () => ({
          body: rendered,
          content_type: headers["content-type"],
          headers: maskedHeaders(asked.headers),
        }));
      },
    }),
  ];
}

/** Describes what the endpoint's response to a test request means. */
function understood(check: DuplicateCheck, answer: OutgoingResponse | undefined) {
  if (answer === undefined) return { ok: false };
  try {
    const found = readResponse(check, answer);
    const { name = null, active = false } = found ?? {};
    return { ok: true, understood: { exists: found !== undefined, name, active } };
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    return { ok: false, problem: error.message };
  }
}

/** How a tenant sets up its own endpoints, and tries them. */

import { scopeOf, type Caller } from "../../access/index.ts";
import { isTaken, trySending, webhookHeaders } from "../../delivery/index.ts";
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
import type { Outgoing, OutgoingAnswer, OutgoingRequest } from "../../platform/outgoing/index.ts";
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
  askedCallout,
  type CalloutSetting,
  type Kept,
  putCallout,
  readCallout,
  shownCallout,
} from "./callout-setting.ts";
import { CHECK, CheckFailed, readAnswer, type DuplicateCheck } from "./duplicate-check.ts";
import { issueSecret, shownWebhook, WEBHOOK } from "./import-webhook.ts";
import { isPointer } from "./json-pointer.ts";
import type { SettingDeps } from "./setting.ts";

export interface CalloutDeps extends SettingDeps {
  readonly db: Database;
  readonly outgoing: Outgoing;
  /** What an installation lets be reached although it is private. */
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
      summaries: {
        get: "Where imported leads go instead of the CRM",
        put: "Set the import webhook up anew; its secrets stay",
        test: "Send a marked sample to the import webhook, and tell what came back",
        preview:
          "Render an import webhook's template with the marked sample; nothing is stored or sent",
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
      understood: (_, answer) => ({ ok: isTaken(answer) }),
    }),
    operation({
      ...COMMON,
      method: "POST",
      url: `/crm/admin/${WEBHOOK.name}/secret`,
      id: "issue_webhook_secret",
      summary: "Issue a signing secret, shown this once; the newest two sign",
      body: deps.nothing,
      bodyOptional: true,
      answer: { $ref: "WebhookSecret#" },
      secretAnswer: true,
      run: async ({ caller, write }) => write((sql) => issueSecret(scopeOf(sql, caller), deps)),
    }),
    ...settingOperations(deps, {
      setting: CHECK,
      body: check,
      answer: { $ref: "DuplicateCheck#" },
      summaries: {
        get: "Which system is asked for duplicates instead of the records here",
        put: "Set the duplicate check up anew",
        test: "Ask after a marked sample, and tell what came back and how it was understood",
        preview:
          "Render a duplicate check's template with the marked sample; nothing is stored or sent",
      },
      shown: (kept) => shownCallout(kept, CHECK),
      signed: ({ headers }) => headers,
      understood,
    }),
  ];
}

/** A setting as its operations need it. */
interface SettingOperations<C extends Callout> {
  readonly setting: CalloutSetting<C>;
  readonly body: BodyShape<SentCallout>;
  readonly answer: Schema;
  readonly summaries: Readonly<Record<"get" | "put" | "test" | "preview", string>>;
  readonly shown: (kept: Kept<C>) => unknown;
  /** The headers of a trial. */
  readonly signed: (request: OutgoingRequest, kept: Kept<C>) => OutgoingRequest["headers"];
  /** What came of a trial. */
  readonly understood: (kept: Kept<C>, answer: OutgoingAnswer | undefined) => object;
}

/** Reading a setting, changing it, trying it, and previewing a change of it. */
function settingOperations<C extends Callout>(
  deps: CalloutDeps,
  described: SettingOperations<C>,
): readonly Operation<Caller>[] {
  const { setting, body, answer, summaries, shown } = described;
  const { name, sample } = setting;
  const one = { ...COMMON, url: `/crm/admin/${name}` } as const;
  const read = (caller: Caller) => readCallout(scopeOf(deps.db.sql, caller), deps, setting);
  return [
    operation({
      ...one,
      method: "GET",
      id: `get_${name}`,
      summary: summaries.get,
      answer,
      run: async ({ caller }) => shown(await read(caller)),
    }),
    operation({
      ...one,
      method: "PUT",
      id: `put_${name}`,
      summary: summaries.put,
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
      summary: summaries.test,
      body: deps.nothing,
      bodyOptional: true,
      answer: { $ref: "CalloutTest#" },
      run: async ({ caller, request: { log }, write }) => {
        const kept = await read(caller);
        if (kept.url === null) {
          throw new AppError("conflict", { detail: "There is no url to try: set it up first" });
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
      summary: summaries.preview,
      body,
      answer: { $ref: "CalloutPreview#" },
      run: async ({ caller, body: sent, write }) => {
        const asked = askedCallout(await read(caller), sent, setting);
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

/** What an answer says about the person it was asked after. */
function understood(check: DuplicateCheck, answer: OutgoingAnswer | undefined) {
  if (answer === undefined) return { ok: false };
  try {
    const found = readAnswer(check, answer);
    const { name = null, active = false } = found ?? {};
    return { ok: true, understood: { exists: found !== undefined, name, active } };
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    return { ok: false, problem: error.message };
  }
}

/** How a tenant sets up its own endpoints, and tries them (D9.3–D9.5). */

import { scopeOf, type Caller } from "../../access/index.ts";
import { isTaken, trySending, webhookHeaders } from "../../delivery/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import type { Database } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { Json } from "../../platform/json/index.ts";
import type { BodyShape, Operation } from "../../platform/operations/index.ts";
import type { Outgoing, OutgoingAnswer, OutgoingRequest } from "../../platform/outgoing/index.ts";
import { checker, valueError, type Schema } from "../../platform/validation/index.ts";
import { calloutFaults, requestOf, type Callout } from "./callout.ts";
import { CHECK_SCHEMA, WEBHOOK_SCHEMA } from "./callout-bodies.ts";
import { previewOf } from "./callout-preview.ts";
import {
  CHECK_DEFAULTS,
  CHECK_NAMES,
  CheckFailed,
  putCheck,
  readAnswer,
  readCheck,
  SAMPLE_PERSON,
  toldCheck,
  type DuplicateCheck,
} from "./duplicate-check.ts";
import {
  issueSecret,
  putWebhook,
  readWebhook,
  SAMPLE_VALUES,
  toldWebhook,
  WEBHOOK_DEFAULTS,
  WEBHOOK_NAMES,
} from "./import-webhook.ts";
import { isPointer } from "./json-pointer.ts";
import type { SettingDeps } from "./setting.ts";

export interface CalloutDeps extends SettingDeps {
  readonly db: Database;
  readonly outgoing: Outgoing;
  /** What an installation lets be reached although it is private (D9.6). */
  readonly allow: readonly string[];
  readonly nothing: BodyShape;
}

const COMMON = { tag: "settings", permission: "admin" } as const;
const WEBHOOK = "/crm/admin/import_webhook";
const CHECK = "/crm/admin/duplicate_check";

export function calloutOperations(deps: CalloutDeps): readonly Operation<Caller>[] {
  const { allow } = deps;
  const compile = checker({
    webhook: (body: Json) =>
      calloutFaults(body, { names: WEBHOOK_NAMES, allow, defaults: WEBHOOK_DEFAULTS }),
    check: (body: Json) =>
      calloutFaults(body, { names: CHECK_NAMES, allow, defaults: CHECK_DEFAULTS }),
    pointer: (text: Json) =>
      typeof text !== "string" || isPointer(text)
        ? []
        : [valueError("a JSON Pointer (RFC 6901), such as /data/0/name")],
  });
  const shape = (schema: Schema): BodyShape => ({
    name: String(schema["title"]),
    schema,
    check: compile(schema),
  });
  return [
    ...webhookOperations(deps, shape(WEBHOOK_SCHEMA)),
    ...checkOperations(deps, shape(CHECK_SCHEMA)),
  ];
}

const webhookOperations = (deps: CalloutDeps, body: BodyShape): readonly Operation<Caller>[] => [
  {
    ...COMMON,
    method: "GET",
    url: WEBHOOK,
    id: "get_import_webhook",
    summary: "Where imported leads go instead of the CRM",
    answer: { $ref: "ImportWebhook#" },
    run: async ({ caller }) => toldWebhook(await readWebhook(scopeOf(deps.db.sql, caller), deps)),
  },
  {
    ...COMMON,
    method: "PUT",
    url: WEBHOOK,
    id: "put_import_webhook",
    summary: "Set the import webhook up anew; its secrets stay",
    body,
    answer: { $ref: "ImportWebhook#" },
    run: async ({ caller, body: sent, write }) =>
      write(async (sql) => toldWebhook(await putWebhook(scopeOf(sql, caller), deps, sent))),
  },
  {
    ...COMMON,
    method: "POST",
    url: `${WEBHOOK}/secret`,
    id: "issue_webhook_secret",
    summary: "Issue a signing secret, shown this once; the newest two sign",
    body: deps.nothing,
    bodyOptional: true,
    answer: { $ref: "WebhookSecret#" },
    secretAnswer: true,
    run: async ({ caller, write }) => write((sql) => issueSecret(scopeOf(sql, caller), deps)),
  },
  {
    ...COMMON,
    method: "POST",
    url: `${WEBHOOK}/test`,
    id: "test_import_webhook",
    readsOnly: true,
    summary: "Send a marked sample to the import webhook, and tell what came back",
    body: deps.nothing,
    bodyOptional: true,
    answer: { $ref: "CalloutTest#" },
    run: async ({ caller, request: { log }, write }) => {
      const webhook = await readWebhook(scopeOf(deps.db.sql, caller), deps);
      const request = sampleOf(webhook, () => requestOf(webhook, SAMPLE_VALUES));
      const headers = webhookHeaders({
        id: `test_${deps.makeId()}`,
        now_s: epochSeconds(deps.clock),
        body: request.body ?? "",
        secrets: webhook.secrets.map(({ secret }) => secret),
      });
      const { answer, ...told } = await trySending(
        { ...deps, log },
        {
          ...request,
          headers: { ...request.headers, ...headers },
        },
      );
      return write(async () => ({ ...told, ok: isTaken(answer) }));
    },
  },
  previewOf(deps, {
    url: `${WEBHOOK}/preview`,
    id: "preview_import_webhook",
    summary:
      "Render an import webhook's template with the marked sample; nothing is stored or sent",
    body,
    defaults: WEBHOOK_DEFAULTS,
    read: (scope) => readWebhook(scope, deps),
    sample: SAMPLE_VALUES,
  }),
];

const checkOperations = (deps: CalloutDeps, body: BodyShape): readonly Operation<Caller>[] => [
  {
    ...COMMON,
    method: "GET",
    url: CHECK,
    id: "get_duplicate_check",
    summary: "Which system is asked for duplicates instead of the records here",
    answer: { $ref: "DuplicateCheck#" },
    run: async ({ caller }) => toldCheck(await readCheck(scopeOf(deps.db.sql, caller), deps)),
  },
  {
    ...COMMON,
    method: "PUT",
    url: CHECK,
    id: "put_duplicate_check",
    summary: "Set the duplicate check up anew",
    body,
    answer: { $ref: "DuplicateCheck#" },
    run: async ({ caller, body: sent, write }) =>
      write(async (sql) => toldCheck(await putCheck(scopeOf(sql, caller), deps, sent))),
  },
  {
    ...COMMON,
    method: "POST",
    url: `${CHECK}/test`,
    id: "test_duplicate_check",
    readsOnly: true,
    summary: "Ask after a marked sample, and tell what came back and how it was understood",
    body: deps.nothing,
    bodyOptional: true,
    answer: { $ref: "CalloutTest#" },
    run: async ({ caller, request: { log }, write }) => {
      const check = await readCheck(scopeOf(deps.db.sql, caller), deps);
      const request = sampleOf(check, () => requestOf(check, SAMPLE_PERSON));
      const { answer, ...told } = await trySending({ ...deps, log }, request);
      return write(async () => ({ ...told, ...understood(check, answer) }));
    },
  },
  previewOf(deps, {
    url: `${CHECK}/preview`,
    id: "preview_duplicate_check",
    summary:
      "Render a duplicate check's template with the marked sample; nothing is stored or sent",
    body,
    defaults: CHECK_DEFAULTS,
    read: (scope) => readCheck(scope, deps),
    sample: SAMPLE_PERSON,
  }),
];

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

/** Throws 409 where nothing is set up that could be tried. */
function sampleOf({ url }: Callout, make: () => OutgoingRequest): OutgoingRequest {
  if (url !== null) return make();
  throw new AppError("conflict", { detail: "There is no url to try: set it up first" });
}

/** Setting event webhooks up, trying them, and looking after what they were sent: tenants' and partners'. */

import {
  DELIVERY_PARAMETERS,
  isTaken,
  listDeliveries,
  trySending,
  webhookHeaders,
} from "../delivery/index.ts";
import { epochSeconds, idIn } from "../platform/clock/index.ts";
import { transaction } from "../platform/database/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import {
  linkNext,
  momentOf,
  PAGE_PARAMETERS,
  type Parameters,
} from "../platform/validation/index.ts";
import type { Call, Operation } from "../platform/operations/index.ts";
import { ValidationError } from "../platform/errors/index.ts";
import { EVENT } from "./event-types.ts";
import { sampleRequest } from "./event-topic.ts";
import { findReplay, refuseRange, startReplay } from "./replay.ts";
import { filterIssues, saidIn } from "./webhook-bodies.ts";
import { toldWebhook, type WebhookSettings } from "./webhook-row.ts";
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  type Held,
  issueWebhookSecret,
  listWebhooks,
  patchWebhook,
} from "./webhooks.ts";
import type { EventWebhookDeps, Side } from "./webhook-side.ts";

/** What a webhook has where its holder did not say. */
const DEFAULTS = { filter: null, description: null, enabled: true } as const;
const ONE = { $ref: "EventWebhook#" };
const BEGINS = { maxAge_ms: 0 } as const;

/** The operations of one side. */
export const eventWebhookOperations = <C>(
  deps: EventWebhookDeps,
  side: Side<C>,
): readonly Operation<C>[] => [
  ...settingOperations(deps, side),
  ...actOperations(deps, side),
  deliveriesOf(deps, side),
];

const pathOf = <C>({ idName }: Side<C>): Parameters => ({
  [idName]: { kind: "text", max: 100, description: "The webhook's id." },
});

/** The webhook of a path, among those of the caller's holder. */
const heldBy = <C>(side: Side<C>, caller: C, path: object): Held => ({
  holder: side.holder(caller),
  id: idOf(side, path),
});

const idOf = <C>({ idName }: Side<C>, path: object): string =>
  idIn(path as Record<string, unknown>, idName);

function settingOperations<C>(deps: EventWebhookDeps, side: Side<C>): readonly Operation<C>[] {
  const { db, horizon } = deps;
  const { common, url, word, whose } = side;
  const one = { ...common, url: `${url}/:${side.idName}`, path: pathOf(side) };
  const check = (caller: C) => (settings: WebhookSettings) => {
    const issues = filterIssues(settings, side.country(caller));
    if (issues.length > 0) throw new ValidationError(issues);
  };
  return [
    {
      ...common,
      method: "GET",
      url,
      id: `list_${word}s`,
      summary: `${whose} event webhooks, newest first`,
      query: PAGE_PARAMETERS,
      answer: { type: "array", items: ONE },
      run: async ({ caller, query, request, reply }) => {
        const scope = side.scope(db.sql, caller);
        const { entries, next } = await listWebhooks(scope, deps, side.holder(caller), query);
        linkNext(request, reply, next);
        return entries.map(toldWebhook);
      },
    },
    {
      ...common,
      method: "POST",
      url,
      id: `create_${word}`,
      summary: "Be told of events from now on; the signing secret is shown this once",
      body: side.create,
      bodyIssues: (caller, body) =>
        side.filters ? filterIssues(filterIn(body), side.country(caller)) : [],
      answer: { $ref: "EventWebhookCreated#" },
      secretAnswer: true,
      run: async ({ caller, body, write }) => {
        const settings = { ...DEFAULTS, ...saidIn(body) } as WebhookSettings;
        const { seq: position } = await horizon.settled(BEGINS);
        return write((on) =>
          createWebhook(side.scope(on, caller), deps, side.holder(caller), { settings, position }),
        );
      },
    },
    {
      ...one,
      method: "GET",
      id: `get_${word}`,
      summary: "One event webhook, with its newest replay",
      answer: ONE,
      run: async ({ caller, path }): Promise<JsonObject> => {
        const scope = side.scope(db.sql, caller);
        const webhook = await findWebhook(scope, deps, heldBy(side, caller, path));
        return { ...toldWebhook(webhook), replay: await findReplay(scope, webhook.id) };
      },
    },
    {
      ...one,
      method: "PATCH",
      id: `update_${word}`,
      summary: "Change an event webhook; switched on again it begins with what comes then",
      body: side.update,
      answer: ONE,
      run: async ({ caller, path, body, write }) => {
        const held = heldBy(side, caller, path);
        const { seq: position } = await horizon.settled(BEGINS);
        const change = { sent: saidIn(body), position, check: check(caller) };
        return write(async (on) =>
          toldWebhook(await patchWebhook(side.scope(on, caller), deps, held, change)),
        );
      },
    },
    {
      ...one,
      method: "DELETE",
      id: `delete_${word}`,
      summary: "Delete an event webhook; what is still to be sent to it is not",
      answer: {
        type: "object",
        properties: {
          deleted: { type: "boolean" },
          ids: { type: "array", items: { type: "string" } },
        },
        required: ["deleted", "ids"],
      },
      run: async ({ caller, path, write }) =>
        write((on) => deleteWebhook(side.scope(on, caller), deps, heldBy(side, caller, path))),
    },
  ];
}

/** What of an unchecked body a filter is checked with; its own shape tells what else is wrong. */
function filterIn({ filter, events }: JsonObject): Pick<WebhookSettings, "filter" | "events"> {
  const isFilter = typeof filter === "object" && !Array.isArray(filter) && Array.isArray(events);
  const names = Array.isArray(events) ? events.filter((name) => typeof name === "string") : [];
  return { filter: isFilter ? (filter as JsonObject | null) : null, events: names };
}

function actOperations<C>(deps: EventWebhookDeps, side: Side<C>): readonly Operation<C>[] {
  const { common, word, idName } = side;
  const base = { ...common, method: "POST", path: pathOf(side) } as const;
  const url = (act: string): string => `${side.url}/:${idName}/${act}`;
  const bodiless = { body: deps.shapes.nothing, bodyOptional: true } as const;
  return [
    {
      ...base,
      ...bodiless,
      url: url("test"),
      id: `test_${word}`,
      summary:
        "Send a marked sample of the first event that is subscribed to, and tell what came back",
      answer: side.trial.schema,
      run: (call) => testOne(deps, side, call),
    },
    {
      ...base,
      ...bodiless,
      url: url("secret"),
      id: `issue_${word}_secret`,
      summary: "Issue another signing secret, shown this once; the newest two sign",
      answer: { $ref: "WebhookSecret#" },
      secretAnswer: true,
      run: async ({ caller, path, write }) =>
        write((on) => issueWebhookSecret(side.scope(on, caller), deps, heldBy(side, caller, path))),
    },
    {
      ...base,
      url: url("replay"),
      id: `replay_${word}`,
      summary: "Send the events of a range of time again, under the same event ids",
      body: deps.shapes.replay,
      answer: { $ref: "EventReplay#" },
      failures: { 409: "The webhook is switched off, or a replay of it is still under way" },
      run: (call) => replayOne(deps, side, call),
    },
  ];
}

type AnyCall<C> = Call<C, Parameters, Parameters>;

async function testOne<C>(
  deps: EventWebhookDeps,
  side: Side<C>,
  { caller, path, request: { log }, write }: AnyCall<C>,
) {
  const scope = side.scope(deps.db.sql, caller);
  const webhook = await findWebhook(scope, deps, heldBy(side, caller, path));
  const record = (id: string): JsonObject => side.trial.record(id, caller);
  const request = sampleRequest(webhook, record, deps.clock.now_ms());
  const headers = webhookHeaders({
    id: `test_${deps.makeId()}`,
    now_s: epochSeconds(deps.clock),
    body: request.body ?? "",
    secrets: webhook.secrets.map(({ secret }) => secret),
  });
  const signed = { ...request, headers: { ...request.headers, ...headers } };
  const { answer, body, ...outcome } = await trySending({ ...deps, log }, signed);
  const ok = isTaken(answer);
  return write(async () => ({ ...outcome, ...(side.trial.tellsBody && { body }), ok }));
}

async function replayOne<C>(
  deps: EventWebhookDeps,
  side: Side<C>,
  { caller, path, body, write }: AnyCall<C>,
) {
  const [start_ts, end_ts] = [body["start_date"], body["end_date"]].map((given) =>
    Math.floor(momentOf(given ?? null) ?? 0),
  ) as [number, number];
  return write((on) =>
    transaction(on, async (tx) => {
      const scope = side.scope(tx, caller);
      const webhook = await findWebhook(scope, deps, heldBy(side, caller, path), { lock: true });
      const asked = { start_ts, end_ts, start_date: body["start_date"] ?? null };
      refuseRange(asked, epochSeconds(deps.clock));
      return startReplay(scope, deps, webhook, asked);
    }),
  );
}

function deliveriesOf<C>(deps: EventWebhookDeps, side: Side<C>): Operation<C> {
  const { topic: _, ...query } = DELIVERY_PARAMETERS;
  return {
    ...side.common,
    method: "GET",
    url: `${side.url}/:${side.idName}/deliveries`,
    id: `list_${side.word}_deliveries`,
    summary: "What was sent or is to be sent to an event webhook, newest first",
    path: pathOf(side),
    query,
    answer: { type: "array", items: { $ref: "Delivery#" } },
    run: async ({ caller, path, query: asked, request, reply }) => {
      const scope = side.scope(deps.db.lists, caller);
      const { id } = await findWebhook(scope, deps, heldBy(side, caller, path));
      const about = { topic: EVENT, subject: id };
      const { entries, next } = await listDeliveries(scope, asked, about);
      linkNext(request, reply, next);
      return entries;
    },
  };
}

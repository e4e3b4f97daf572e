/** Operations of tenants and partners that configure, test and monitor their event webhooks. */

import {
  DELIVERY_PARAMETERS,
  described,
  healthOf,
  isAccepted,
  listDeliveries,
  trySending,
} from "../delivery/index.ts";
import { webhookHeaders } from "../delivery/signing/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { idIn } from "../platform/ids/index.ts";
import { transaction } from "../platform/database/index.ts";
import { isObject, type JsonObject } from "../platform/json/index.ts";
import { momentOf, type Parameters } from "../platform/validation/index.ts";
import { linkNext, PAGE_PARAMETERS } from "../platform/paging/index.ts";
import {
  type Call,
  deletionSchema,
  type Operation,
  operation,
} from "../platform/operations/index.ts";
import { ValidationError } from "../platform/errors/index.ts";
import { EVENT } from "./event-types.ts";
import { describedEvents, sampleRequest } from "./event-topic.ts";
import type { FeedType } from "./feed.ts";
import { findReplay, refuseRange, startReplay } from "./replay.ts";
import { filterIssues, type ReplayRequest, settingsIn } from "./webhook-bodies.ts";
import { shownWebhook, type WebhookSettings } from "./webhook-row.ts";
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  issueWebhookSecret,
  listWebhooks,
  mayStart,
  patchWebhook,
  webhookIds,
} from "./webhooks.ts";
import type { EventWebhookDeps, Side } from "./webhook-side.ts";

const DEFAULTS = { filter: null, description: null, enabled: true } as const;
const ONE = { $ref: "EventWebhook#" };
/** How long a request waits for running transactions before it determines where a webhook starts. */
const START = { within_ms: 5000 } as const;

/** Returns the operations for tenants or for partners. */
export const eventWebhookOperations = <C>(
  deps: EventWebhookDeps,
  side: Side<C>,
): readonly Operation<C>[] => [
  ...settingOperations(deps, side),
  ...actOperations(deps, side),
  deliveriesOf(deps, side),
  healthOperation(deps, side),
];

const pathOf = <C>({ idName }: Side<C>) =>
  ({ [idName]: { kind: "text", max: 100, description: "The id of the webhook." } }) as const;

function settingOperations<C>(deps: EventWebhookDeps, side: Side<C>): readonly Operation<C>[] {
  const { db, horizon } = deps;
  const { common, url, word } = side;
  const one = { ...common, url: `${url}/:${side.idName}`, path: pathOf(side) };
  const filterIssuesFor = (caller: C, settings: Pick<WebhookSettings, "filter" | "events">) =>
    filterIssues(side.scope(db.sql, caller), settings, side.country(caller));
  const check = (caller: C) => (settings: WebhookSettings) => {
    const issues = filterIssuesFor(caller, settings);
    if (issues.length > 0) throw new ValidationError(issues);
  };
  return [
    operation({
      ...common,
      method: "GET",
      url,
      id: `list_${word}s`,
      summary: "List webhooks",
      description: "Lists the event webhooks, newest first.",
      query: PAGE_PARAMETERS,
      answer: { type: "array", items: ONE },
      run: async ({ caller, query, request, reply }) => {
        const scope = side.scope(db.sql, caller);
        const { entries, next } = await listWebhooks(scope, deps, query);
        linkNext(request, reply, next);
        return entries.map(shownWebhook);
      },
    }),
    operation({
      ...common,
      method: "POST",
      url,
      id: `create_${word}`,
      summary: "Create a webhook",
      description:
        "New events are sent to the URL from then on. The signing secret is returned once and not " +
        "shown again.",
      body: side.create,
      bodyIssues: (caller, body) => (side.filters ? filterIssuesFor(caller, filterIn(body)) : []),
      answer: { $ref: "EventWebhookCreated#" },
      secretResponse: true,
      run: async ({ caller, body, write }) => {
        const { url, events } = body;
        const settings = { ...DEFAULTS, url, events, ...settingsIn(body) };
        const position = await horizon.caughtUp(START);
        return write((on) => createWebhook(side.scope(on, caller), deps, { settings, position }));
      },
    }),
    operation({
      ...one,
      method: "GET",
      id: `get_${word}`,
      summary: "Get a webhook",
      description: "Returns an event webhook with its newest replay.",
      answer: ONE,
      run: async ({ caller, path }): Promise<JsonObject> => {
        const scope = side.scope(db.sql, caller);
        const id = idIn(path, side.idName);
        const webhook = await findWebhook(scope, deps, id);
        return { ...shownWebhook(webhook), replay: await findReplay(scope, id) };
      },
    }),
    operation({
      ...one,
      method: "PATCH",
      id: `update_${word}`,
      summary: "Update a webhook",
      description:
        "Fields that you do not send keep their values. If you re-enable a webhook, it " +
        "receives only events that happen after that.",
      body: side.update,
      answer: ONE,
      run: async ({ caller, path, body, write }) => {
        const id = idIn(path, side.idName);
        const sent = settingsIn(body);
        const position = mayStart(sent) ? await horizon.caughtUp(START) : undefined;
        const change = { sent, position, check: check(caller) };
        return write(async (on) =>
          shownWebhook(await patchWebhook(side.scope(on, caller), deps, id, change)),
        );
      },
    }),
    operation({
      ...one,
      method: "DELETE",
      id: `delete_${word}`,
      summary: "Delete a webhook",
      description: "Pending deliveries to the webhook are not sent.",
      answer: deletionSchema("webhook"),
      run: async ({ caller, path, write }) =>
        write((on) => deleteWebhook(side.scope(on, caller), deps, idIn(path, side.idName))),
    }),
  ];
}

/**
 * Returns the members that are needed to check the filter of an unvalidated body. All other problems are found when the
 * body is checked against its schema.
 */
function filterIn({ filter, events }: JsonObject): Pick<WebhookSettings, "filter" | "events"> {
  if (!isObject(filter) || !Array.isArray(events)) return { filter: null, events: [] };
  return { filter, events: events.filter((name) => typeof name === "string") };
}

function actOperations<C>(deps: EventWebhookDeps, side: Side<C>): readonly Operation<C>[] {
  const { common, word, idName } = side;
  const base = { ...common, method: "POST", path: pathOf(side) } as const;
  const url = (act: string): string => `${side.url}/:${idName}/${act}`;
  const bodiless = { body: deps.shapes.nothing, bodyOptional: true } as const;
  return [
    operation({
      ...base,
      ...bodiless,
      url: url("test"),
      id: `test_${word}`,
      summary: "Test a webhook",
      description:
        "Sends a sample of the first subscribed event, marked as a test, and returns the outcome.",
      answer: side.trial.schema,
      run: (call) => testOne(deps, side, call),
    }),
    operation({
      ...base,
      ...bodiless,
      url: url("secret"),
      id: `issue_${word}_secret`,
      summary: "Create a signing secret",
      description:
        "Returns a new secret, which is not shown again. Requests are signed with the two newest secrets.",
      answer: { $ref: "WebhookSecret#" },
      secretResponse: true,
      run: async ({ caller, path, write }) =>
        write((on) => issueWebhookSecret(side.scope(on, caller), deps, idIn(path, side.idName))),
    }),
    operation({
      ...base,
      url: url("replay"),
      id: `replay_${word}`,
      summary: "Replay events",
      description: "Resends the events from a time range, with the same event ids.",
      body: deps.shapes.replay,
      answer: { $ref: "EventReplay#" },
      failures: { 409: "The webhook is disabled, or a replay of it is in progress." },
      run: (call) => replayOne(deps, side, call),
    }),
  ];
}

type OneCall<C, B = object> = Call<C, ReturnType<typeof pathOf>, Parameters, B>;
const secondOf = (moment: string | number): number => Math.floor(momentOf(moment) ?? 0);

async function testOne<C>(
  deps: EventWebhookDeps,
  side: Side<C>,
  { caller, path, request: { log }, write }: OneCall<C>,
) {
  const scope = side.scope(deps.db.sql, caller);
  const webhook = await findWebhook(scope, deps, idIn(path, side.idName));
  const record = (id: string, type: FeedType) => side.trial.record(id, type, caller);
  const request = sampleRequest(webhook, record, deps.clock.now_ms());
  const headers = webhookHeaders({
    id: `test_${deps.makeId()}`,
    now_s: epochSeconds(deps.clock),
    body: request.body ?? "",
    secrets: webhook.secrets.map(({ secret }) => secret),
  });
  const signed = { ...request, headers: { ...request.headers, ...headers } };
  const { answer, body, ...outcome } = await trySending({ ...deps, log }, signed);
  const ok = isAccepted(answer);
  return write(async () => ({ ...outcome, ...(side.trial.showsBody && { body }), ok }));
}

async function replayOne<C>(
  deps: EventWebhookDeps,
  side: Side<C>,
  { caller, path, body: { start_date, end_date }, write }: OneCall<C, ReplayRequest>,
) {
  const start_ts = secondOf(start_date);
  const end_ts = secondOf(end_date);
  return write((on) =>
    transaction(on, async (tx) => {
      const scope = side.scope(tx, caller);
      const id = idIn(path, side.idName);
      const webhook = await findWebhook(scope, deps, id, { lock: true });
      const asked = { start_ts, end_ts, start_date };
      refuseRange(asked, epochSeconds(deps.clock));
      return startReplay(scope, deps, webhook, asked);
    }),
  );
}

function deliveriesOf<C>(deps: EventWebhookDeps, side: Side<C>): Operation<C> {
  const { topic: _, ...query } = DELIVERY_PARAMETERS;
  return operation({
    ...side.common,
    method: "GET",
    url: `${side.url}/:${side.idName}/deliveries`,
    id: `list_${side.word}_deliveries`,
    summary: "List deliveries of a webhook",
    description: "Lists sent and pending requests, newest first.",
    path: pathOf(side),
    query,
    answer: { type: "array", items: { $ref: "Delivery#" } },
    run: async ({ caller, path, query: asked, request, reply }) => {
      const scope = side.scope(deps.db.lists, caller);
      const { id } = await findWebhook(scope, deps, idIn(path, side.idName));
      const about = { topic: EVENT, subject: id };
      const { entries, next } = await listDeliveries(scope, asked, about);
      linkNext(request, reply, next);
      return described(scope, { [EVENT]: describedEvents(deps.pushed) }, entries);
    },
  });
}

/**
 * Health is a separate operation, so that the time needed to list webhooks does not depend on the number of deliveries.
 */
const healthOperation = <C>(deps: EventWebhookDeps, side: Side<C>): Operation<C> =>
  operation({
    ...side.common,
    method: "GET",
    url: `${side.url}/health`,
    isIdToOthers: true,
    id: `list_${side.word}_health`,
    summary: "List webhook health",
    description: "Returns the success rate and the last failure of each event webhook.",
    answer: { type: "array", items: { $ref: "WebhookHealth#" } },
    run: async ({ caller }) => {
      const scope = side.scope(deps.db.lists, caller);
      const ids = await webhookIds(scope);
      const health = await healthOf(scope, deps.clock, EVENT, ids);
      return ids.map((webhook_id) => ({ webhook_id, ...health.get(webhook_id) }));
    },
  });

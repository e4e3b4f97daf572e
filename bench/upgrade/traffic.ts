/**
 * The requests during an upgrade: a number per second of lists, reads, creates, changes and pushes, a reader of the change
 * feed, and a receiver of events. It knows what it has written, so it notices wrong responses, and changes and events
 * that are missing or repeated.
 */

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../src/platform/json/json.ts";
import { Client, type ClientOptions } from "./client.ts";
import { openReceiver } from "./receiver.ts";

const POLL_EVERY_ms = 500;
const PUSHES_PER_TOKEN = 20;
const STATUSES = ["open", "attempted", "contacted", "disqualified"];
/** The traffic's leads have this source, and those of imports do not. */
const SOURCE = "Reddit";

/** A lead that the traffic has written, as it must be read. */
interface Known {
  readonly id: string;
  etag: string;
  version: number;
  readonly expected: JsonObject;
}

interface Change {
  readonly id: string;
  readonly type: string;
  readonly version: number | null;
}

export interface TrafficOptions extends ClientOptions {
  /** Requests per second, without requests of the feed's reader and of imports. */
  readonly rate: number;
}

export async function startTraffic(options: TrafficOptions) {
  const client = new Client(options);
  const receiver = await openReceiver();
  /** Leads that no request is changing or reading. */
  const idle: Known[] = [];
  /** The acknowledged writes, as `id:version`, in the form of the feed and of events. */
  const written: string[] = [];
  const seen = new Map<string, number>();
  const must = async (asked: Parameters<Client["ask"]>[0]) => {
    const answer = await client.ask(asked);
    if (answer === undefined) throw new Error(client.failures.at(-1)?.what);
    return answer.body;
  };
  await must({
    method: "POST",
    path: "/crm/webhooks",
    body: {
      url: receiver.url,
      events: ["lead.created", "lead.updated"],
      filter: { lead_source: SOURCE },
    },
  });
  const partner = await must({
    method: "POST",
    path: "/crm/admin/partners",
    body: { name: `Upgrade ${randomUUID()}`, allowed_marketing_sources: [SOURCE] },
  });
  const { next: since } = await must({ method: "GET", path: "/crm/changes?since=now" });

  let number = 0;
  const create = async (): Promise<void> => {
    const n = (number += 1);
    const expected = { name: `Lead ${n}`, profession: `profession ${n % 7}`, source: SOURCE };
    const headers = { "idempotency-key": randomUUID() };
    const answer = await client.ask({
      method: "POST",
      path: "/crm/leads",
      body: expected,
      headers,
    });
    if (answer === undefined) return;
    const { _id: id } = answer.body;
    written.push(`${id}:1`);
    idle.push({ id, etag: answer.headers.get("etag") ?? "", version: 1, expected });
  };
  /** Takes a known lead, so that no other request changes it. */
  const withKnown = async (work: (lead: Known) => Promise<boolean>): Promise<void> => {
    const [lead] = idle.splice(Math.floor(Math.random() * idle.length), 1);
    if (lead === undefined) return create();
    // After a failed write, it is not known what is stored.
    if (await work(lead)) idle.push(lead);
  };
  const compare = (lead: Known, body: JsonObject): void => {
    for (const [name, value] of Object.entries(lead.expected)) {
      if (body[name] !== value)
        client.fail(`${name} is ${String(body[name])}, not ${String(value)}`);
    }
  };
  const read = () =>
    withKnown(async (lead) => {
      const answer = await client.ask({ method: "GET", path: `/crm/leads/${lead.id}` });
      if (answer === undefined) return true;
      compare(lead, answer.body);
      lead.etag = answer.headers.get("etag") ?? "";
      return true;
    });
  const patch = (changes: (n: number) => JsonObject) => () =>
    withKnown(async (lead) => {
      const body = changes(lead.version);
      const headers = {
        ...(lead.etag !== "" && { "if-match": lead.etag }),
        "idempotency-key": randomUUID(),
      };
      const answer = await client.ask({
        method: "PATCH",
        path: `/crm/leads/${lead.id}`,
        body,
        headers,
      });
      if (answer === undefined) return false;
      lead.version += 1;
      lead.etag = answer.headers.get("etag") ?? "";
      Object.assign(lead.expected, body);
      compare(lead, answer.body);
      if (lead.etag !== `"v${lead.version}"`) client.fail(`${lead.etag} is not v${lead.version}`);
      written.push(`${lead.id}:${lead.version}`);
      return true;
    });
  const list = async (): Promise<void> => {
    const filter = encodeURIComponent(JSON.stringify({ lead_source: SOURCE }));
    await client.ask({
      method: "GET",
      path: `/crm/leads?page_size=20&match_filter_dict=${filter}`,
    });
  };
  let token = "";
  let pushes = 0;
  const push = async (): Promise<void> => {
    if (pushes++ % PUSHES_PER_TOKEN === 0) {
      const { partner_id, access_code } = partner;
      const issued = await client.ask({
        method: "POST",
        path: "/crm/partner/token",
        body: { partner_id, access_code },
      });
      token = issued?.body.access_token ?? token;
    }
    const body = { name: `Pushed ${pushes}`, email: `${randomUUID()}@example.com`, source: SOURCE };
    const headers = { "idempotency-key": randomUUID(), authorization: `Partner ${token}` };
    await client.ask({ method: "POST", path: "/crm/partner/push", body, headers });
  };
  const changeText = patch((n) => ({ comments: `comment ${n}`, profession: `profession ${n}` }));
  // Always changes something, even if the status stays the same.
  const changeStatus = patch((n) => ({
    status: STATUSES[n % STATUSES.length] ?? "open",
    comments: `status ${n}`,
  }));
  const KINDS = [list, read, create, read, changeText, list, push, read, changeStatus, create];

  let isOver = false;
  const open = new Set<Promise<void>>();
  const sending = (async () => {
    const start_ms = performance.now();
    for (let n = 0; !isOver; n += 1) {
      await sleep(Math.max(0, start_ms + (1000 * n) / options.rate - performance.now()));
      const work = (KINDS[n % KINDS.length] ?? list)();
      open.add(work);
      void work.finally(() => open.delete(work));
    }
    await Promise.all(open);
  })();
  /** Reads the feed until it has read a page without changes after the last write. */
  const reading = (async () => {
    for (let cursor = since as string, isLast = false; ;) {
      const wasOver = isOver && open.size === 0;
      const path = `/crm/changes?limit=500&since=${encodeURIComponent(cursor)}`;
      const page = await client.ask({ method: "GET", path });
      if (page === undefined) continue;
      for (const { type, id, version } of page.body.changes as readonly Change[]) {
        const key = `${id}:${version}`;
        if (type === "lead") seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      cursor = page.body.next;
      if (page.body.has_more === true) continue;
      if (isLast && page.body.changes.length === 0) return;
      isLast = wasOver;
      await sleep(POLL_EVERY_ms);
    }
  })();
  return {
    client,
    /** Ends the traffic, and waits until every event has arrived. */
    stop: async () => {
      isOver = true;
      await sending;
      await reading;
      const missedEvents = await receiver.missing(written);
      receiver.close();
      return {
        writes: written.length,
        missedChanges: written.filter((key) => !seen.has(key)).length,
        repeatedChanges: [...seen.values()].filter((times) => times > 1).length,
        missedEvents,
        repeatedEvents: receiver.repeated(),
      };
    },
  };
}

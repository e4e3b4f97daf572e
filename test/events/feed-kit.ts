/** Test helpers that read the change feed, either page by page or as a stream that a test can disconnect. */

import type { Client } from "../kit/api.ts";
import { ok } from "../api/samples.ts";
import { eventually } from "../kit/eventually.ts";
import { atEnd, type Owner } from "../kit/started.ts";
import type { TestSql, TestTx } from "../kit/sql.ts";

export interface Change {
  readonly cursor: string;
  readonly type: string;
  readonly id: string;
  readonly action: string;
  readonly reason?: string;
  readonly version: number | null;
  readonly changed_fields: Readonly<Record<string, { old: unknown; new: unknown }>>;
}

export interface Page {
  readonly changes: readonly Change[];
  readonly next: string;
  readonly has_more: boolean;
}

export const readPage = async (client: Client, query: object = {}): Promise<Page> =>
  ok(await client.get("/crm/changes", query as Record<string, unknown>)).body;

/** Returns the position that a cursor contains after its format number. */
export const seqOf = (cursor: string): number => Buffer.from(cursor, "base64url").readUIntBE(1, 6);

/** Returns the time in a cursor, in epoch seconds. No change after the cursor's position is older than this time. */
export const momentOf_s = (cursor: string): number =>
  Buffer.from(cursor, "base64url").readUIntBE(7, 6);

/** Returns functions that read the feed. They wait until the feed contains every change made before the call. */
export function readersOf(sql: TestSql) {
  const lastDrawn = async (): Promise<number> => {
    const [row] = await sql`select last_value from change_positions`;
    return Number(row?.["last_value"]);
  };
  return {
    /** Returns the current cursor. */
    nowOf: async (client: Client): Promise<string> => {
      const drawn = await lastDrawn();
      return eventually(
        async () => (await readPage(client, { since: "now" })).next,
        (next) => seqOf(next) >= drawn,
      );
    },
    /** Returns all changes after a cursor. */
    readOn: async (client: Client, since?: string, query: object = {}): Promise<Page> => {
      const drawn = await lastDrawn();
      const changes: Change[] = [];
      let next = since;
      for (;;) {
        const from = next === undefined ? {} : { since: next };
        const page = await readPage(client, { ...query, ...from });
        changes.push(...page.changes);
        next = page.next;
        if (!page.has_more && seqOf(next) >= drawn) return { ...page, changes };
      }
    },
  };
}

/** Records that the database was restored, as `leadport restore` does. */
export const recordRestore = (sql: TestSql | TestTx) =>
  sql`insert into restores (restored_at, restored_to) values (clock_timestamp(), now())`;

/** Formats a change as a short string. */
export const brief = ({ type, action, version }: Change): string => `${type} ${action} ${version}`;

export interface ServerEvent {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

export interface Stream {
  readonly status: number;
  readonly headers: Headers;
  readonly events: readonly ServerEvent[];
  /** All bytes received so far. */
  readonly text: () => string;
  /** Resolves when the response ends: true if it was complete, false if it was cut. */
  readonly ended: Promise<boolean>;
  readonly cut: () => void;
}

export interface StreamOptions {
  /** The path of the stream. Default: the change feed's path. */
  readonly path?: string;
  readonly query?: string;
  readonly last?: string | undefined;
  readonly onEvent?: (event: ServerEvent) => void;
}

/** Opens the stream and reads it in the background. */
export async function openStream(
  owner: Owner,
  { url, bearer }: Pick<Client, "url" | "bearer">,
  { path = "/crm/changes/stream", query = "", last, onEvent }: StreamOptions = {},
): Promise<Stream> {
  const abort = new AbortController();
  atEnd(owner, () => abort.abort());
  const headers = {
    authorization: `Bearer ${bearer}`,
    ...(last !== undefined && { "last-event-id": last }),
  };
  const answer = await fetch(`${url}${path}${query}`, {
    headers,
    signal: abort.signal,
  });
  const events: ServerEvent[] = [];
  let text = "";
  const read = async (): Promise<boolean> => {
    let rest = "";
    const decoder = new TextDecoder();
    try {
      for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
        const piece = decoder.decode(chunk, { stream: true });
        text += piece;
        const blocks = (rest + piece).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const event of blocks.flatMap(eventIn)) {
          events.push(event);
          onEvent?.(event);
        }
      }
      return true;
    } catch {
      return false;
    }
  };
  const ended = read();
  const { status } = answer;
  return {
    status,
    headers: answer.headers,
    events,
    text: () => text,
    ended,
    cut: () => abort.abort(),
  };
}

function eventIn(block: string): ServerEvent[] {
  const lineOf = (name: string) => new RegExp(`^${name}: ?([^\\n]*)$`, "m").exec(block)?.[1];
  const event = lineOf("event");
  const id = lineOf("id");
  const data = lineOf("data");
  return event === undefined ? [] : [{ event, id: id ?? "", data: data ?? "" }];
}

export const changesIn = ({ events }: Pick<Stream, "events">): Change[] =>
  events.flatMap(({ event, data }) => (event === "change" ? [JSON.parse(data) as Change] : []));

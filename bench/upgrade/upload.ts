/** An import whose file is uploaded slowly, so that processes are restarted meanwhile. */

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "./client.ts";

export interface Upload {
  readonly url: () => string;
  readonly token: string;
  readonly rows: number;
  /** How long the upload takes at least. */
  readonly for_s: number;
  /** The beginning of the rows' keys. */
  readonly name: string;
}

const CHUNK_ROWS = 50;

/** Imports leads. If the upload is interrupted, sends the file again. Returns the import, and the interruptions. */
export async function upload(client: Client, options: Upload) {
  const body = { type: "leads", file_name: `${options.name}.csv`, external_id: "Key" };
  const prepared = await client.ask({ method: "POST", path: "/crm/imports", body });
  const path = `/crm/imports/${prepared?.body.id}`;
  const interruptions: string[] = [];
  let sent = 0;
  for (;;) {
    const outcome = await send(path, options, sent, (rows) => (sent = Math.max(sent, rows)));
    if (outcome === "done") break;
    interruptions.push(outcome);
    if (outcome.startsWith("422")) break;
    await sleep(1000);
  }
  const answer = await client.ask({ method: "GET", path });
  return {
    state: answer?.body.state as string,
    created: answer?.body.created as number,
    interruptions,
  };
}

/** Sends the file, at once up to where it was sent before. Returns "done" or why it was interrupted. */
async function send(
  path: string,
  { url, token, rows, for_s, name }: Upload,
  before: number,
  onSent: (rows: number) => void,
): Promise<string> {
  const put = request(`${url()}${path}/data`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "text/csv" },
    agent: false,
  });
  let isOver = false;
  const answered = new Promise<string>((resolve) => {
    put.on("response", (response: IncomingMessage) => {
      isOver = true;
      void text(response).then(
        (body) => resolve(response.statusCode === 200 ? "done" : `${response.statusCode} ${body}`),
        (error) => resolve(String(error)),
      );
    });
    put.on("error", (error) => resolve(String(error)));
    put.on("close", () => {
      if (!isOver) resolve("the connection was closed");
    });
  });
  void answered.then(() => (isOver = true));
  put.write("Key,Name,Profession\n");
  for (let from = 0; from < rows && !isOver; from += CHUNK_ROWS) {
    const lines = Array.from({ length: Math.min(CHUNK_ROWS, rows - from) }, (_, at) => {
      const n = from + at;
      return `${name}-${n},Imported ${n},profession ${n % 5}\n`;
    });
    if (!put.write(lines.join(""))) await Promise.race([once(put, "drain"), answered]);
    onSent(from);
    if (from >= before) await sleep((1000 * for_s * CHUNK_ROWS) / rows);
  }
  if (!isOver) put.end();
  return answered;
}

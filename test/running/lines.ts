/** Connections to a service with several processes, each paired with the process that accepted it. */

import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { Client as Connection, type Dispatcher } from "undici";
import type { Running } from "./leadport.ts";
import { eventually } from "../kit/eventually.ts";
import { atEnd } from "../kit/started.ts";

interface Asked {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Told {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData["headers"];
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of any shape
  readonly body: any;
}

/** One connection, which stays with one process for its whole lifetime. */
export interface Line {
  readonly pid: number;
  readonly connection: Connection;
  readonly ask: (method: string, path: string, asked?: Asked) => Promise<Told>;
}

/** Returns the log of a service so far. */
export function logOf({ child }: Running): () => string {
  let text = "";
  child.stderr?.on("data", (chunk) => (text += chunk));
  return () => text;
}

export const authorized = (token: string | undefined) => ({
  ...(token !== undefined && {
    authorization: token.startsWith("lp_") ? `Bearer ${token}` : `Partner ${token}`,
  }),
});

/** Opens a connection and finds its process in the log. */
export async function openLine(t: TestContext, base: string, log: () => string): Promise<Line> {
  const connection = new Connection(base, { keepAliveTimeout: 60_000, pipelining: 1 });
  atEnd(t, () => connection.destroy());
  const ask: Line["ask"] = async (method, path, { token, body, headers } = {}) => {
    const answer = await connection.request({
      method,
      path,
      headers: {
        ...authorized(token),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const isJson = String(answer.headers["content-type"]).startsWith("application/json");
    const parsed: unknown = isJson ? JSON.parse(text) : undefined;
    return { status: answer.statusCode, headers: answer.headers, text, body: parsed };
  };
  const id = randomBytes(8).toString("hex");
  await ask("GET", "/healthz", { headers: { "x-request-id": id } });
  const line = new RegExp(`"pid":(\\d+),"reqId":"${id}"`);
  await eventually(log, (text) => line.test(text));
  return { pid: Number(line.exec(log())?.[1]), connection, ask };
}

/** Opens connections until two of them go to different processes. */
export async function openBoth(
  t: TestContext,
  base: string,
  log: () => string,
): Promise<[Line, Line]> {
  const one = await openLine(t, base, log);
  const other = await eventually(
    () => openLine(t, base, log),
    ({ pid }) => pid !== one.pid,
  );
  return [one, other];
}

/** Returns the value of a series in /metrics, or 0 if there is none. */
export const measured = (metrics: string, name: string): number =>
  Number(
    metrics
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length) ?? 0,
  );

export const metricsAt = async (line: Line): Promise<string> =>
  (await line.ask("GET", "/metrics")).text;

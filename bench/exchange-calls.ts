/** Calls the exchange over persistent connections, either sequentially or concurrently for a given time. */

import { Agent, request, type IncomingMessage } from "node:http";
import type { BenchPartner } from "./exchange-fill.ts";
import type { Service } from "./service.ts";

export interface Answered {
  readonly status: number;
  readonly body: Buffer;
  /** The path of the next page, if there is one. */
  readonly next: string | undefined;
  readonly took_ms: number;
}

export interface Calls {
  readonly get: (path: string) => Promise<Answered>;
  readonly post: (path: string, body: unknown) => Promise<Answered>;
  readonly close: () => void;
}

/** Makes calls over at most N connections. If `authorization` is empty, the calls have no credential. */
export function callsTo({ url }: Service, authorization: string, connections = 1): Calls {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const call = async (method: string, path: string, body?: unknown): Promise<Answered> => {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(authorization !== "" && { authorization }),
      ...(sent !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(sent),
      }),
    };
    const begun = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request(url + path, { agent, method, headers }, resolve)
      .on("error", reject)
      .end(sent);
    const answer = await promise;
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const took_ms = performance.now() - begun;
    const bytes = Buffer.concat(chunks);
    const status = answer.statusCode ?? 0;
    if (status < 200 || status > 299) throw new Error(`${path}: ${status} ${bytes.toString()}`);
    const next = /<([^>]+)>; rel="next"/.exec(String(answer.headers["link"] ?? ""))?.[1];
    return { status, body: bytes, next, took_ms };
  };
  return {
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, body),
    close: () => agent.destroy(),
  };
}

/** Makes calls as a partner, with a token issued for its access code. */
export async function callsOf(
  service: Service,
  { id, access_code }: BenchPartner,
  connections = 1,
): Promise<Calls> {
  const anybody = callsTo(service, "");
  try {
    const { body } = await anybody.post("/crm/partner/token", { partner_id: id, access_code });
    const { access_token } = JSON.parse(body.toString("utf8")) as { access_token: string };
    return callsTo(service, `Partner ${access_token}`, connections);
  } finally {
    anybody.close();
  }
}

export const ownerCalls = (service: Service): Calls => callsTo(service, `Bearer ${service.token}`);

export interface Load {
  readonly took_ms: readonly number[];
  readonly took_s: number;
}

/** Keeps N calls running for a given time. Returns the duration of each call. */
export async function keepUp(
  workers: number,
  for_s: number,
  call: (k: number) => Promise<Answered>,
): Promise<Load> {
  const took_ms: number[] = [];
  const begun = performance.now();
  const elapsed_s = (): number => (performance.now() - begun) / 1000;
  let k = 0;
  const work = async (): Promise<void> => {
    while (elapsed_s() < for_s) took_ms.push((await call(k++)).took_ms);
  };
  await Promise.all(Array.from({ length: workers }, work));
  return { took_ms, took_s: elapsed_s() };
}

/** Makes `times` sequential calls, after unmeasured warm-up calls. */
export async function oneByOne(
  times: number,
  call: (k: number) => Promise<Answered>,
): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  for (let k = 0; k < WARM_UP + times; k++) {
    const answer = await call(k);
    if (k >= WARM_UP) answers.push(answer);
  }
  return answers;
}

const WARM_UP = 20;

/** The client and a running service, with a proxy between them that can fail. Each test file has one service. */

import { createClient, type ClientSettings, type CrmClient } from "../../sdk/src/index.ts";
import { sharedApi } from "../kit/file-api.ts";
import type { Client } from "../kit/api.ts";
import { startFaultyProxy, type FaultyProxy } from "./faulty-proxy.ts";
import { type Owner } from "../kit/started.ts";

/** Delays that are too short to slow down a test. */
export const QUICK = { base_ms: 5, max_ms: 20 } as const;

export interface SdkWorld {
  /** The tests' own client for the tenant, which bypasses the proxy. */
  readonly plain: Client;
  readonly leadport: CrmClient;
  readonly proxy: FaultyProxy;
}

export const api = await sharedApi();

/** Creates a tenant and a client that sends its requests through a new proxy. */
export async function sdkWorld(
  t: Owner,
  settings: Partial<ClientSettings> = {},
): Promise<SdkWorld> {
  const plain = await api.tenant();
  const proxy = await startFaultyProxy(t, api.url);
  const { bearer: token } = plain;
  const leadport = createClient({ url: proxy.url, token, retry: QUICK, ...settings });
  return { plain, leadport, proxy };
}

/** Collects all items of an async iterable. */
export async function all<T>(loop: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of loop) items.push(item);
  return items;
}

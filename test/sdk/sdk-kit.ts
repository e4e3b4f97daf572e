/** The client against the running service, behind a proxy that can break. One service per file. */

import { createClient, type ClientSettings, type CrmClient } from "../../sdk/src/index.ts";
import { fileApi } from "../kit/file-api.ts";
import type { Client } from "../kit/api.ts";
import { startFaultyProxy, type FaultyProxy } from "./faulty-proxy.ts";
import { type Owner } from "../kit/started.ts";

/** Waits that are too short for a test to notice. */
export const QUICK = { base_ms: 5, max_ms: 20 } as const;

export interface SdkWorld {
  /** The tenant with the tests' own client, bypassing the proxy. */
  readonly plain: Client;
  readonly leadport: CrmClient;
  readonly proxy: FaultyProxy;
}

export const api = await fileApi();

/** Returns a new tenant, with a client that calls through a separate proxy. */
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

/** Collects all items of a loop. */
export async function all<T>(loop: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of loop) items.push(item);
  return items;
}

/** Creates partners for tests and calls the API with their tokens. */

import { queryString, type Answer, type Client, type RawRequest } from "../kit/api.ts";
import { ok } from "../api/samples.ts";

export const PARTNERS = "/crm/admin/partners";
export const JSON_BODY = { "content-type": "application/json" } as const;

export interface PartnerClient {
  readonly partner_id: string;
  readonly access_code: string;
  readonly token: string;
  readonly get: (path: string, query?: Readonly<Record<string, unknown>>) => Promise<Answer>;
  readonly post: (path: string, body?: unknown) => Promise<Answer>;
  /** Sends the partner's token, unless the headers contain another one. */
  readonly request: (request: RawRequest) => Promise<Answer>;
}

export interface Credentials {
  readonly partner_id: string;
  readonly access_code: string;
}

/** Creates a partner. Returns the response body, which contains the access code. */
export async function makePartner(
  client: Client,
  settings: object = {},
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any part of it
): Promise<any> {
  return ok(await client.post(PARTNERS, { name: "Referrals Ltd", ...settings })).body;
}

/** Requests a partner token. `from` sets the caller's address if the proxy is trusted. */
export const askToken = (
  client: Client,
  { partner_id, access_code }: Credentials,
  from?: string,
): Promise<Answer> =>
  client.request({
    method: "POST",
    path: "/crm/partner/token",
    headers: {
      ...JSON_BODY,
      authorization: null,
      ...(from !== undefined && { "x-forwarded-for": from }),
    },
    body: JSON.stringify({ partner_id, access_code }),
  });

/** Requests a partner token and returns it. */
export const tokenOf = async (client: Client, credentials: Credentials): Promise<string> =>
  ok(await askToken(client, credentials)).body.access_token;

/** Returns functions that send requests with a partner token. */
export function withToken(client: Client, token: string) {
  const request = ({ headers, ...rest }: RawRequest): Promise<Answer> =>
    client.request({ ...rest, headers: { authorization: `Partner ${token}`, ...headers } });
  return {
    request,
    get: (path: string, query: Readonly<Record<string, unknown>> = {}) =>
      request({ method: "GET", path: path + queryString(query) }),
    post: (path: string, body?: unknown) =>
      request({
        method: "POST",
        path,
        ...(body !== undefined && { headers: JSON_BODY, body: JSON.stringify(body) }),
      }),
  };
}

/** Creates a partner in the client's tenant, with functions that send requests with its token. */
export async function partnerOf(client: Client, settings: object = {}): Promise<PartnerClient> {
  const { partner_id, access_code } = await makePartner(client, settings);
  const token = await tokenOf(client, { partner_id, access_code });
  return { partner_id, access_code, token, ...withToken(client, token) };
}

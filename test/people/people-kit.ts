/** Users for sign-in tests, with passwords, cookies, and pages that send requests with them. */

import assert from "node:assert/strict";
import { firstOwnerLink } from "../../src/people/index.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import type { Mail } from "../../src/platform/outgoing/mail.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { ok } from "../api/samples.ts";
import type { Answer, Api, Client } from "../kit/api.ts";

/** Returns a mailer that stores the emails it receives. */
export function createInbox() {
  const inbox: Mail[] = [];
  const send = async (mail: Mail): Promise<boolean> => inbox.push(mail) > 0;
  return { inbox, mailer: { canSend: true, send, close: () => undefined } };
}

export const PASSWORD = "correct horse battery";
/** The headers with which a browser marks requests from a page of the same origin. */
export const SAME_ORIGIN = { "sec-fetch-site": "same-origin" } as const;

type Headers = Readonly<Record<string, string | null>>;

/** Sends a request without a token, as a page does, optionally with a cookie. */
export function pageOf(client: Client, cookie?: string) {
  const request = (method: string, path: string, body?: unknown, headers: Headers = {}) =>
    client.request({
      method,
      path,
      headers: {
        authorization: null,
        ...SAME_ORIGIN,
        ...(cookie !== undefined && { cookie }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    cookie,
    request,
    get: (path: string, headers?: Headers) => request("GET", path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Headers) => request("POST", path, body, headers),
    put: (path: string, body?: unknown) => request("PUT", path, body),
    patch: (path: string, body?: unknown) => request("PATCH", path, body),
    delete: (path: string) => request("DELETE", path),
  };
}

export type Page = ReturnType<typeof pageOf>;

/** Returns a response's cookie as a browser would send it back. */
export function cookieOf(answer: Answer): string {
  const [set = ""] = answer.headers.getSetCookie();
  const [pair = ""] = set.split(";");
  return pair;
}

/** Follows a link and sets a password. Returns the signed-in page. */
export async function follow(client: Client, token: string, body: object = {}): Promise<Page> {
  const answer = await pageOf(client).post("/auth/links/use", {
    token,
    password: PASSWORD,
    ...body,
  });
  return pageOf(client, cookieOf(ok(answer)));
}

/** Returns the part of a link after `#`. */
export const tokenIn = (link: string): string => new URL(link).hash.slice(1);

/** Returns the first owner of the client's tenant, signed in. */
export async function ownerOf(api: Api, client: Client, email: string): Promise<Page> {
  const deps = { clock: systemClock(), makeId: idSource(systemClock()) };
  const link = await firstOwnerLink(api.sql, deps, client.tenantId as never);
  assert.ok(link !== undefined, "no owner can sign in yet");
  return follow(client, link.token, { name: "Ada Example", email });
}

/** Signs in. `from` sets the client's address if the proxy is trusted. */
export const signIn = (
  client: Client,
  body: object,
  { from, headers }: { readonly from?: string; readonly headers?: Headers } = {},
): Promise<Answer> =>
  pageOf(client).post(
    "/auth/sign_in",
    { password: PASSWORD, ...body },
    {
      ...(from !== undefined && { "x-forwarded-for": from }),
      ...headers,
    },
  );

/** The tenants of an attack: their tokens and records. */

import assert from "node:assert/strict";
import type { ServiceUnderTest } from "./service.ts";

export async function post<T>(url: string, token: string | undefined, body: unknown): Promise<T> {
  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as T;
}

/** Returns a token that may read and write records, and nothing else. */
export async function ordinaryToken(
  { url }: ServiceUnderTest,
  ownerToken: string,
): Promise<string> {
  const wanted = { name: "Ordinary", permissions: ["records:write"] };
  const path = `${url}/crm/admin/access_tokens`;
  return (await post<{ token: string }>(path, ownerToken, wanted)).token;
}

/** Imports `leads` leads with names of about `characters` characters. */
export async function fillLeads(
  { url }: ServiceUnderTest,
  token: string,
  leads: number,
  characters = 10,
): Promise<void> {
  const { id } = await post<{ id: string }>(`${url}/crm/imports`, token, { type: "leads" });
  const rows = Array.from(
    { length: leads },
    (_, n) => `${`Lead ${n} `.repeat(characters / 10)},lead${n}@example.com,Note ${n}`,
  );
  const response = await fetch(`${url}/crm/imports/${id}/data`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "text/csv" },
    body: `name,email,comments\n${rows.join("\n")}\n`,
  });
  const done = (await response.json()) as { created: number };
  assert.equal(done.created, leads);
}

/** Returns how long an export of all leads of the first tenant takes. */
export async function exportTime_ms({ url, token }: ServiceUnderTest): Promise<number> {
  const started_ms = performance.now();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/crm/leads/export?format=ndjson`, { headers });
  await response.arrayBuffer();
  assert.equal(response.status, 200);
  return performance.now() - started_ms;
}

/** Ordinary requests in large numbers, and queries that are expensive to parse. */

import { repeat, type Attack, type Sent } from "../attack.ts";

const requestAttack = (
  name: string,
  connections: number,
  sent: (token: string, n: number) => Sent,
): Attack => ({
  name,
  prepare: () => (target, tally) =>
    repeat(target, tally, { connections, sent: (n) => sent(target.token, n) }),
});

const filtered = (token: string, filter: unknown): Sent => ({
  token,
  path: `/crm/leads?match_filter_dict=${encodeURIComponent(JSON.stringify(filter))}`,
});

const deepFilter = (depth: number): unknown => {
  let filter: unknown = { name: "x" };
  for (let n = 0; n < depth; n += 1) filter = { $and: [filter] };
  return filter;
};

export const REQUEST_ATTACKS: readonly Attack[] = [
  requestAttack("filters with 3,000 conditions", 4, (token, n) =>
    filtered(token, { $or: Array.from({ length: 3000 }, (_, at) => ({ name: `${n}.${at}` })) }),
  ),
  requestAttack("filters nested 1,500 deep", 4, (token) => filtered(token, deepFilter(1500))),
  requestAttack("filters with costly patterns", 4, (token) =>
    filtered(token, { name: { $regex: "(a+)+(b+)+(c+)+$" } }),
  ),
  requestAttack("/openapi.json on 16 connections", 16, () => ({ path: "/openapi.json" })),
  requestAttack("/metrics on 16 connections", 16, () => ({ path: "/metrics" })),
  requestAttack("unknown paths on 16 connections", 16, (_, n) => ({ path: `/crm/unknown/${n}` })),
];

/** Permitted requests, in volumes that would take resources from other callers. */

import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { openConnections, repeat, send, type Attack, type Sent, type Target } from "../attack.ts";

const repeated = (
  name: string,
  connections: number,
  sent: (target: Target, n: number) => Sent,
): Attack => ({
  name,
  prepare: () => (target, tally) =>
    repeat(target, tally, { connections, sent: (n) => sent(target, n) }),
});

/** Connections that send requests and never read the response. */
const unread = (name: string, connections: number, path: string): Attack => ({
  name,
  prepare: () => (target, tally) =>
    openConnections(target, tally, {
      connections,
      begin: (socket: Socket) => {
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${target.token}\r\n\r\n`,
        );
        socket.pause();
      },
    }),
});

/** A filter that matches nothing but has to check the name of every lead. */
const SLOW = JSON.stringify({
  $or: ["q.*zz", "zz.*q", "9x.*8y"].map((text) => ({ name: { $regex: text } })),
});
const SLOW_FILTER = `match_filter_dict=${encodeURIComponent(SLOW)}`;

const ROWS = Array.from({ length: 2000 }, (_, n) => `Import ${n},${"x".repeat(500)}`).join("\n");
const FILE = `name,comments\n${ROWS}\n`;

const imports: Attack = {
  name: "30 imports",
  prepare: () => async (target, tally) => {
    const { token } = target;
    const work = async (): Promise<void> => {
      while (Date.now() < target.until_ms) {
        const create = { method: "POST", path: "/crm/imports", token, body: '{"type":"leads"}' };
        const { status, body } = await send(target, tally, create);
        if (status !== 200) continue;
        const { id } = JSON.parse(String(body)) as { id: string };
        const headers = { "content-type": "text/csv" };
        const path = `/crm/imports/${id}/data`;
        await send(target, tally, { method: "PUT", path, token, headers, body: FILE });
      }
    };
    await Promise.all(Array.from({ length: 30 }, work));
  },
};

const merges: Attack = {
  name: "merges on one record",
  prepare: () => async (target, tally) => {
    const { token } = target;
    /** Returns the id of a new lead; undefined if the service did not create it. */
    const create = async (): Promise<string | undefined> => {
      const sent = { method: "POST", path: "/crm/leads", token, body: '{"name":"Same"}' };
      const { status, body } = await send(target, tally, sent);
      if (status !== 200) return undefined;
      return (JSON.parse(String(body)) as { _id: string })._id;
    };
    const survivor = await create();
    const path = `/crm/leads/${survivor}/merge`;
    const work = async (): Promise<void> => {
      while (Date.now() < target.until_ms) {
        const id = await create();
        if (id === undefined) continue;
        const body = JSON.stringify({ ids: [id] });
        await send(target, tally, { method: "POST", path, token, body });
      }
    };
    await Promise.all(Array.from({ length: 30 }, work));
  },
};

const slowHost: Attack = {
  name: "a webhook to a slow host",
  prepare: () => async (target, tally) => {
    const server = createServer(() => {}).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const { owner, token } = target;
    // If the attack is repeated, the previous webhook would get the new events as well.
    const listed = await send(target, tally, { path: "/crm/webhooks", token: owner });
    const earlier = listed.status === 200 ? JSON.parse(String(listed.body)) : [];
    for (const { id } of earlier as readonly { id: string }[]) {
      await send(target, tally, { method: "DELETE", path: `/crm/webhooks/${id}`, token: owner });
    }
    const body = JSON.stringify({ url: `http://127.0.0.1:${port}/`, events: ["lead.created"] });
    const path = "/crm/webhooks";
    const made = await send(target, tally, { method: "POST", path, token: owner, body });
    await repeat(target, tally, {
      connections: 8,
      sent: (n) => ({ method: "POST", path: "/crm/leads", token, body: `{"name":"Event ${n}"}` }),
    });
    server.closeAllConnections();
    server.close();
    return { webhook: made.status };
  },
  bound: ({ figures }) =>
    figures["webhook"] === 200 ? undefined : `The webhook was not created: ${figures["webhook"]}.`,
};

export const SHARE_ATTACKS: readonly Attack[] = [
  repeated("30 slow filters", 30, ({ token }, n) => ({
    token,
    path: `/crm/leads?${SLOW_FILTER}&page_num=${(n % 50) + 1}`,
  })),
  repeated("a partner's filters", 30, ({ partner }) => ({
    partner,
    path: `/crm/partner/leads?match_filter_dict=${encodeURIComponent('{"name":{"$regex":"q.*zz"}}')}`,
  })),
  imports,
  repeated("summaries", 30, ({ token }) => ({
    token,
    path: "/crm/leads/summary?group_by=lead_status",
  })),
  unread("slow exports", 30, "/crm/leads/export"),
  unread("slow windows", 30, "/crm/leads/created?start_date=2020-01-01"),
  unread("100 streams", 100, "/crm/changes/stream"),
  repeated("a sign-in flood", 64, (_, n) => ({
    method: "POST",
    path: "/auth/sign_in",
    body: JSON.stringify({
      email: `person${n % 500}@example.com`,
      password: `guess ${n} and more`,
    }),
  })),
  repeated("made-up tokens", 64, (_, n) => ({
    path: "/crm/leads",
    token: `lp_${n.toString(36).padStart(40, "x")}`,
  })),
  repeated("wrong codes", 64, (_, n) => ({
    method: "POST",
    path: "/crm/partner/token",
    body: JSON.stringify({
      partner_id: n.toString(16).padStart(24, "0"),
      access_code: `wrong-${n}`,
    }),
  })),
  repeated("lookups", 30, ({ partner }, n) => ({
    method: "POST",
    path: "/crm/partner/lookup",
    partner,
    body: JSON.stringify({ email: `lead${n}@example.com` }),
  })),
  merges,
  slowHost,
];

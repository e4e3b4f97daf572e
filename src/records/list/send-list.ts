/** Sends lists over HTTP: a page in its envelope, a whole window, or an array that is read in groups. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { isoSeconds } from "../../platform/clock/index.ts";
import { closeWhenStalled } from "../../platform/http/index.ts";
import { linkNext, sendCount, wantsCount } from "../../platform/paging/index.ts";
import { joinBodies, readPage, streamAll, streamGroups, streamPage } from "./read-page.ts";
import { countRecords, type ListReader } from "./read-rows.ts";
import type { ListPlan } from "./plan.ts";

const STALL_ms = 60_000;

export interface SendOptions {
  /** The member that contains the records. Undefined for a bare array. */
  readonly envelope: string | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** A stream is closed if the client reads nothing for this long. Default: one minute. */
  readonly stall_ms?: number | undefined;
}

export async function sendList(
  reader: ListReader,
  plan: ListPlan,
  { envelope, request, reply, stall_ms = STALL_ms }: SendOptions,
) {
  if (wantsCount(request)) sendCount(reply, await countRecords(reader, plan));
  reply.type("application/json");
  if (plan.next_s !== undefined) reply.header("x-next-start-date", isoSeconds(plan.next_s));
  if (plan.pageSize === undefined) {
    const stream = await streamAll(reader, plan);
    closeWhenStalled(reply, stall_ms);
    return stream;
  }
  const page = await readPage(reader, plan);
  linkNext(request, reply, page.next);
  const [open, close] =
    envelope === undefined
      ? ["[", "]"]
      : [`{"${envelope}":[`, `],"page_size":${plan.pageSize},"page_num":${plan.page}}`];
  if (page.rest.length === 0) return joinBodies(open, page.bodies, close);
  const stream = streamPage(reader, plan, page, { open, close });
  closeWhenStalled(reply, stall_ms);
  return stream;
}

/** Sends a JSON array whose elements are read in groups. More than one group is streamed. */
export async function sendGroups<G>(
  [group, ...rest]: readonly G[],
  read: (group: G) => Promise<readonly Buffer[]>,
  { reply, stall_ms = STALL_ms }: Pick<SendOptions, "reply" | "stall_ms">,
) {
  reply.type("application/json");
  const first = group === undefined ? [] : await read(group);
  if (rest.length === 0) return joinBodies("[", first, "]");
  const stream = streamGroups(first, rest, read);
  closeWhenStalled(reply, stall_ms);
  return stream;
}

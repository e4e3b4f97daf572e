/** A trace collector that accepts OTLP over HTTP with protobuf, like an OpenTelemetry collector. */

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { TestContext } from "node:test";
import { listening } from "./started.ts";

export interface ReceivedSpan {
  readonly trace: string;
  readonly id: string;
  /** The id of the parent span, or an empty string for a root span. */
  readonly parent: string;
  readonly name: string;
  readonly kind: "internal" | "server" | "client" | "other";
  readonly start_ms: number;
  readonly end_ms: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isFailed: boolean;
  /** The attributes of the process that sent the span. */
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface Collector {
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  readonly requests: readonly { readonly url: string; readonly headers: IncomingHttpHeaders }[];
}

/** Starts a collector that runs until the test ends. A `status` other than 200 rejects all traces. */
export async function startCollector(t: TestContext, status = 200): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const requests: { url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      requests.push({ url: request.url ?? "", headers: request.headers });
      spans.push(...readSpans(Buffer.concat(chunks)));
      response.writeHead(status, { "content-type": "application/x-protobuf" }).end();
    });
  });
  return {
    endpoint: `http://127.0.0.1:${await listening(t, server)}`,
    spans,
    requests,
  };
}

type Message = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

/** Parses a protobuf message into its fields, by field number. */
function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    let shift = 0n;
    for (;;) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
      shift += 7n;
    }
  };
  const take = (length: number): Buffer => bytes.subarray(at, (at += length));
  const readers: Readonly<Record<number, () => bigint | Buffer>> = {
    0: varint,
    1: () => take(8).readBigUInt64LE(),
    2: () => take(Number(varint())),
    5: () => BigInt(take(4).readUInt32LE()),
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const read = readers[tag & 7];
    if (read === undefined) throw new Error(`No protobuf: wire type ${tag & 7}`);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), read()]);
  }
  return fields;
}

const all = (message: Message, field: number): readonly Buffer[] =>
  (message.get(field) ?? []) as readonly Buffer[];
const messages = (message: Message, field: number): readonly Message[] =>
  all(message, field).map(readMessage);
const bytesOf = (message: Message, field: number): Buffer => all(message, field)[0] ?? Buffer.of();
const numberOf = (message: Message, field: number): bigint =>
  (message.get(field)?.[0] ?? 0n) as bigint;

/** Parses spans, using the field numbers in opentelemetry/proto/trace/v1/trace.proto. */
function readSpans(body: Buffer): readonly ReceivedSpan[] {
  return messages(readMessage(body), 1).flatMap((ofResource) => {
    const resource = attributesOf(messages(ofResource, 1)[0] ?? new Map(), 1);
    const scopes = messages(ofResource, 2);
    return scopes.flatMap((scope) => messages(scope, 2).map((span) => toSpan(span, resource)));
  });
}

const KINDS = { 1: "internal", 2: "server", 3: "client" } as const;

function toSpan(span: Message, resource: ReceivedSpan["resource"]): ReceivedSpan {
  const [status] = messages(span, 15);
  return {
    trace: bytesOf(span, 1).toString("hex"),
    id: bytesOf(span, 2).toString("hex"),
    parent: bytesOf(span, 4).toString("hex"),
    name: bytesOf(span, 5).toString(),
    kind: KINDS[Number(numberOf(span, 6)) as keyof typeof KINDS] ?? "other",
    start_ms: Number(numberOf(span, 7)) / 1e6,
    end_ms: Number(numberOf(span, 8)) / 1e6,
    attributes: attributesOf(span, 9),
    isFailed: status !== undefined && numberOf(status, 3) === 2n,
    resource,
  };
}

function attributesOf(message: Message, field: number): Readonly<Record<string, unknown>> {
  const pairs = messages(message, field).map((pair) => {
    const [value = new Map() as Message] = messages(pair, 2);
    return [bytesOf(pair, 1).toString(), valueOf(value)];
  });
  return Object.fromEntries(pairs) as Readonly<Record<string, unknown>>;
}

function valueOf(value: Message): unknown {
  if (value.has(1)) return bytesOf(value, 1).toString();
  if (value.has(2)) return numberOf(value, 2) === 1n;
  if (value.has(3)) return Number(numberOf(value, 3));
  return value;
}

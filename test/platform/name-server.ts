/** A name server on 127.0.0.1 (RFC 1035) that returns addresses set by a test and records the questions. */

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIP } from "node:net";
import { atEnd, type Owner } from "../kit/started.ts";

const TYPE = { A: 1, AAAA: 28 } as const;
const NAME_ERROR = 3;

export interface NameServer {
  /** The server's address, in the form that createOutgoing accepts. */
  readonly address: string;
  /** The questions received, in order, such as `A hooks.example.com`. */
  readonly questions: readonly string[];
}

/** Returns the current addresses of a name, or undefined to send no response. */
export type Answer = (name: string) => readonly string[] | undefined;

export async function startNameServer(t: Owner, answer: Answer): Promise<NameServer> {
  const socket = createSocket("udp4");
  const questions: string[] = [];
  socket.on("message", (message, { port }) => {
    const { name, type, end } = readQuestion(message);
    questions.push(`${type === TYPE.AAAA ? "AAAA" : "A"} ${name}`);
    const addresses = answer(name);
    if (addresses === undefined) return;
    const records = addresses
      .filter((address) => type === (isIP(address) === 6 ? TYPE.AAAA : TYPE.A))
      .map((address) => record(type, address));
    const header = Buffer.from(message.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (addresses.length === 0 ? NAME_ERROR : 0), 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt16BE(0, 8);
    header.writeUInt16BE(0, 10);
    socket.send(Buffer.concat([header, message.subarray(12, end), ...records]), port, "127.0.0.1");
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  atEnd(t, () => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, questions };
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let size = message[at] ?? 0; size > 0; size = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + size));
    at += size + 1;
  }
  return { name: labels.join("."), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/**
 * Returns a resource record: a pointer to the name in the question, the type, class IN, a TTL of 0, and the address.
 */
function record(type: number, address: string): Buffer {
  const data = type === TYPE.A ? Buffer.from(address.split(".").map(Number)) : bytesOf(address);
  const fixed = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([fixed, data]);
}

const groupsOf = (text: string): readonly string[] =>
  text.split(":").filter((group) => group !== "");

/** Returns the 16 bytes of an IPv6 address. */
function bytesOf(address: string): Buffer {
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = plain.split("::");
  const first = groupsOf(head);
  const last = groupsOf(tail ?? "");
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  const groups = [...first, ...zeros, ...last].map((part) => Number.parseInt(part, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** A TCP proxy in front of a server. It cuts connections and drops responses. */

import { connect, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { listening } from "../kit/started.ts";

export interface Gate {
  /** The port that the gate listens on, at 127.0.0.1. */
  readonly port: number;
  /** Cuts a share of the open connections, from 0 to 1. */
  readonly cut: (share: number) => void;
  /** Resets all open connections, as the kernel does when a process with unread data is killed. */
  readonly reset: () => void;
  readonly cuts: () => number;
  /** Stops dropping responses. */
  readonly calm: () => void;
}

export interface GateOptions {
  /** The ports to forward to. Each connection goes to a random port. If there are none, connections are refused. */
  readonly ports: () => readonly number[];
  /** The share of responses that are dropped by cutting the connection. */
  readonly lostShare: number;
  readonly random: () => number;
}

/** Opens a gate that closes when the test ends. */
export async function openGate(
  t: TestContext,
  { ports, lostShare, random }: GateOptions,
): Promise<Gate> {
  const open = new Set<Socket>();
  let cuts = 0;
  let isCalm = false;
  const cutOff = (socket: Socket): void => {
    cuts += 1;
    socket.destroy();
  };
  const server = createServer((near) => {
    const known = ports();
    const port = known[Math.floor(random() * known.length)];
    if (port === undefined) return near.resetAndDestroy();
    const far = connect(port, "127.0.0.1");
    open.add(near);
    const end = (): void => {
      open.delete(near);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on("error", end).on("close", end);
    near.pipe(far);
    far.on("data", (bytes) => {
      if (!isCalm && random() < lostShare) return cutOff(near);
      if (!near.write(bytes)) far.pause();
    });
    near.on("drain", () => far.resume());
  });
  return {
    port: await listening(t, server),
    cut: (share) => {
      for (const socket of open) if (random() < share) cutOff(socket);
    },
    reset: () => {
      for (const socket of open) socket.resetAndDestroy();
    },
    cuts: () => cuts,
    calm: () => {
      isCalm = true;
    },
  };
}

/** A proxy between the service and its database that can reject, break or freeze connections. */

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { atEnd, type Owner } from "./started.ts";

export interface DatabaseWay {
  /** The URL of the database through this proxy. */
  readonly url: string;
  /** Breaks all connections and rejects new ones. */
  readonly shut: () => Promise<void>;
  readonly reopen: () => Promise<unknown>;
  /** Stops forwarding data without breaking any connection, as if the server had hung or a cable had been unplugged. */
  readonly freeze: () => void;
  /** Forwards the data held back since `freeze` and resumes normal operation. */
  readonly thaw: () => void;
  /** Breaks any connection that sends a statement containing this text. Undefined turns this off. */
  readonly breakAt: (text: string | undefined) => void;
}

/** Opens a proxy to the database at `address`. It closes when the test ends. */
export async function openWay(t: Owner, address: string): Promise<DatabaseWay> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let fatal: string | undefined;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    const pass = (from: Socket, to: Socket): void => {
      from.on("data", (bytes: Buffer) => {
        if (from === near && fatal !== undefined && bytes.includes(fatal)) near.destroy();
        else to.write(bytes);
      });
      from.on("close", () => to.destroy());
    };
    pass(near, far);
    pass(far, near);
    if (isFrozen) for (const socket of [near, far]) socket.pause();
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as { port: number }).port;
  };
  const port = await listen(0);
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  const thaw = (): void => {
    isFrozen = false;
    for (const socket of sockets) socket.resume();
  };
  const shut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    thaw();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  atEnd(t, shut);
  return {
    url: url.href,
    reopen: () => listen(port),
    shut,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw,
    breakAt: (text) => (fatal = text),
  };
}

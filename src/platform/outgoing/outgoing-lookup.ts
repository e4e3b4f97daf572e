/**
 * The addresses of a host that a request may be sent to. They are looked up once, every one is
 * checked, and it is these that are connected to: between the check and the connection no name server is
 * asked again.
 */

import { Resolver, lookup as lookupBySystem } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { noAddress, OutgoingError } from "./outgoing-error.ts";
import type { Gate } from "./outgoing-gate.ts";

interface Address {
  readonly address: string;
  readonly family: number;
}

export interface LookupOptions {
  readonly gate: Gate;
  /** `127.0.0.1:5353`; the machine's where there are none. */
  readonly nameServers: readonly string[];
}

/** What a name server has to answer in, and how often it is asked. */
const ASKING = { timeout: 2000, tries: 2 } as const;

/**
 * A look-up for node:net. A host that the installation names is found as programs of the machine find it,
 * `/etc/hosts` included; any other is asked of name servers alone. So a tenant's name cannot mean a
 * neighbour (`/etc/hosts`, search domains), and a slow name server holds up none of the four threads that
 * look-ups of the system share with the file system.
 */
export function createLookup({ gate, nameServers }: LookupOptions): LookupFunction {
  const findSafe = callbackify((host: string) => findAddresses(host, { gate, nameServers }));
  return (host, options, callback) =>
    findSafe(host, (error, found) => {
      const [first] = found ?? [];
      if (first === undefined) callback(error ?? unresolved(host), "");
      else if (options.all === true) callback(null, [...found]);
      else callback(null, first.address, first.family);
    });
}

/** Throws an OutgoingError where there is none, and where one of them may not be reached. */
async function findAddresses(
  host: string,
  { gate, nameServers }: LookupOptions,
): Promise<readonly Address[]> {
  const isNamed = gate.isNamedHost(host);
  const asked = isNamed ? lookupBySystem(host, { all: true }) : askNameServers(host, nameServers);
  const found = await asked.catch((error: unknown) => {
    throw unresolved(host, error);
  });
  const what = isNamed
    ? undefined
    : found.map(({ address }) => gate.refusal(address)).find(Boolean);
  if (what !== undefined) throw refusedAddress(host, what);
  return found;
}

/**
 * Shown like a name that does not resolve: otherwise a tenant or partner could find out which host names
 * exist inside the installation's network.
 */
export const refusedAddress = (host: string, what: string): OutgoingError =>
  new OutgoingError("refused_address", `${host} resolves to ${what}, to which nothing is sent.`, {
    shown: { fault: "unresolved", problem: noAddress(host) },
  });

const unresolved = (host: string, cause?: unknown): OutgoingError =>
  new OutgoingError("unresolved", noAddress(host), { cause });

/** Addresses of both families, IPv4 first; one family may have none, or a server that is silent. */
async function askNameServers(
  host: string,
  nameServers: readonly string[],
): Promise<readonly Address[]> {
  // Made anew each time: it reads the machine's name servers when it is made, and they change.
  const resolver = new Resolver(ASKING);
  if (nameServers.length > 0) resolver.setServers(nameServers);
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [
    ...addressesOf(four).map((address) => ({ address, family: 4 })),
    ...addressesOf(six).map((address) => ({ address, family: 6 })),
  ];
  if (found.length === 0 && four.status === "rejected") throw four.reason;
  return found;
}

const addressesOf = (answer: PromiseSettledResult<readonly string[]>): readonly string[] =>
  answer.status === "fulfilled" ? answer.value : [];

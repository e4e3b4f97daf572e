/**
 * Looks up the addresses of a host for outgoing requests. The host is resolved once, all of its
 * addresses are checked, and only these addresses are used for the connection. A DNS change between
 * the check and the connection therefore cannot bypass the check.
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
  /** Name servers such as `127.0.0.1:5353`. If empty, the machine's name servers are used. */
  readonly nameServers: readonly string[];
}

/** The timeout of a DNS query in milliseconds, and the maximum number of attempts. */
const RESOLVER_OPTIONS = { timeout: 2000, tries: 2 } as const;

/**
 * Returns a lookup function for node:net. Hosts that the installation allows are resolved by the operating system,
 * including `/etc/hosts`. All other hosts are resolved only by name servers. This prevents a tenant's host name from
 * resolving to an internal machine (through `/etc/hosts` or search domains). It also prevents slow name servers from
 * blocking the four threads that system lookups share with file access.
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

/** Looks up a host's addresses. Throws an OutgoingError if there is no address, or if one of them is blocked. */
async function findAddresses(
  host: string,
  { gate, nameServers }: LookupOptions,
): Promise<readonly Address[]> {
  const isNamed = gate.isNamedHost(host);
  const lookup = isNamed
    ? lookupBySystem(host, { all: true })
    : queryNameServers(host, nameServers);
  const found = await lookup.catch((error: unknown) => {
    throw unresolved(host, error);
  });
  const what = isNamed
    ? undefined
    : found.map(({ address }) => gate.refusal(address)).find(Boolean);
  if (what !== undefined) throw refusedAddress(host, what);
  return found;
}

/**
 * Tenants and partners get the same message as for a name that cannot be resolved. Otherwise, they
 * could find out which host names exist in the installation's network.
 */
export const refusedAddress = (host: string, what: string): OutgoingError =>
  new OutgoingError("refused_address", `${host} resolves to ${what}, which is blocked.`, {
    shown: { fault: "unresolved", problem: noAddress(host) },
  });

const unresolved = (host: string, cause?: unknown): OutgoingError =>
  new OutgoingError("unresolved", noAddress(host), { cause });

/** Returns the addresses of both families, IPv4 first. The query for one of the families may fail. */
async function queryNameServers(
  host: string,
  nameServers: readonly string[],
): Promise<readonly Address[]> {
  // A new resolver is created each time, because a resolver reads the machine's name servers only
  // when it is created.
  const resolver = new Resolver(RESOLVER_OPTIONS);
  if (nameServers.length > 0) resolver.setServers(nameServers);
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [
    ...addressesOf(four).map((address) => ({ address, family: 4 })),
    ...addressesOf(six).map((address) => ({ address, family: 6 })),
  ];
  if (found.length === 0 && four.status === "rejected") throw four.reason;
  return found;
}

const addressesOf = (result: PromiseSettledResult<readonly string[]>): readonly string[] =>
  result.status === "fulfilled" ? result.value : [];

/** Limits the memory for request bodies in this process per credential, per IP address and in total. */

import { AppError } from "../errors/index.ts";

const MIB = 1024 * 1024;

/** The limits in bytes. They are documented in docs/operating.md. */
const HELD_MAX = { credential: 64 * MIB, address: 128 * MIB, all: 256 * MIB };

export type HeldMax = Readonly<typeof HELD_MAX>;

interface Sender {
  readonly credential: string | undefined;
  readonly address: string;
}

export function createHeldBytes(max: HeldMax = HELD_MAX) {
  const byCredential = new Map<string, number>();
  const byAddress = new Map<string, number>();
  let all = 0;
  return ({ credential, address }: Sender) => {
    let held = 0;
    const change = (bytes: number): void => {
      held += bytes;
      all += bytes;
      if (credential !== undefined) changeIn(byCredential, credential, bytes);
      changeIn(byAddress, address, bytes);
    };
    return {
      /** Adds bytes. Throws, and adds nothing, if that would exceed a limit. */
      add: (bytes: number): void => {
        if (credential !== undefined && isOver(byCredential, credential, bytes, max.credential)) {
          throw tooMany("from this credential");
        }
        if (isOver(byAddress, address, bytes, max.address)) throw tooMany("from this address");
        if (all + bytes > max.all) throw new AppError("too_much_data", RETRY_SOON);
        change(bytes);
      },
      release: () => change(-held),
    };
  };
}

const RETRY_SOON = { headers: { "retry-after": "5" } };

const tooMany = (where: string): AppError =>
  new AppError("too_many_uploads", {
    detail: `The total size of concurrent request bodies ${where} exceeds the limit; try again`,
    ...RETRY_SOON,
  });

const isOver = (held: Map<string, number>, key: string, bytes: number, max: number): boolean =>
  (held.get(key) ?? 0) + bytes > max;

function changeIn(held: Map<string, number>, key: string, bytes: number): void {
  const now = (held.get(key) ?? 0) + bytes;
  if (now === 0) held.delete(key);
  else held.set(key, now);
}

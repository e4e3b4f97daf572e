/** A user's work that is not sent yet. It is sent before the user signs out, and dropped if another user signs in. */

export interface HeldWork {
  /** Resolves when everything has been sent or has failed. */
  readonly send: () => Promise<void>;
  readonly drop: () => void;
}

const held: HeldWork[] = [];

export const holdWork = (work: HeldWork): void => void held.push(work);

export async function sendHeldWork(): Promise<void> {
  await Promise.all(held.map(({ send }) => send()));
}

export function dropHeldWork(): void {
  for (const { drop } of held) drop();
}

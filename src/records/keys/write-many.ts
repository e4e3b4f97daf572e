/** Writes many inputs of one type: creates new records together, and changes existing records one by one. */

/** The functions with which `writeMany` finds, creates and changes records. */
export interface ManyWriter<I extends object, F, O> {
  /** Inputs that share a key are written one after another. */
  readonly keysOf: (input: I) => readonly string[];
  /** Looks up existing records. Returns a function that maps an input to its record. */
  readonly find: (inputs: readonly I[]) => Promise<(input: I) => F | undefined>;
  readonly create: (inputs: readonly I[]) => Promise<readonly O[]>;
  /** Changes an existing record. Returns undefined if the record must be looked up again. */
  readonly change: (input: I, found: F) => Promise<O | undefined>;
}

/**
 * Writes inputs. Returns one outcome per input, in the same order. Inputs for the same record are also applied in that
 * order.
 */
export async function writeMany<I extends object, F, O>(
  inputs: readonly I[],
  { keysOf, find, create, change }: ManyWriter<I, F, O>,
): Promise<readonly O[]> {
  const outcomes = new Map<I, O>();
  let pending = inputs;
  while (pending.length > 0) {
    const first = firstOfEach(pending, keysOf);
    const foundFor = await find(first);
    const fresh = first.filter((input) => foundFor(input) === undefined);
    const created = await create(fresh);
    for (const [place, input] of fresh.entries()) outcomes.set(input, created[place] as O);
    for (const input of first) {
      const found = foundFor(input);
      const outcome = found === undefined ? undefined : await change(input, found);
      if (outcome !== undefined) outcomes.set(input, outcome);
    }
    pending = pending.filter((input) => !outcomes.has(input));
  }
  return inputs.map((input) => outcomes.get(input) as O);
}

/** Returns the inputs that share no key with an earlier one. */
function firstOfEach<I>(
  pending: readonly I[],
  keysOf: (input: I) => readonly string[],
): readonly I[] {
  const seen = new Set<string>();
  return pending.filter((input) => {
    const keys = keysOf(input);
    const isFirst = !keys.some((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    return isFirst;
  });
}

/** Tracks the slots and slot time of each party, and schedules waiting parties with deficit round robin. */

/** The slot time that a party with a weight of 1 gets per turn. */
const QUANTUM_ms = 5;
/** The maximum debt. A larger debt is reduced to this amount, so that no party is skipped for long. */
const DEBT_MAX_ms = 10_000;
const CONTENDED_FOR_ms = 1000;

/** The share of a tenant, of one of its credentials, or of a credential's work class. */
export class Share {
  readonly #quantum_ms: number;
  inUse = 0;
  waiting = 0;
  /** The slot time remaining in the current turn. It is negative if the party has used more. */
  #credit_ms = 0;

  /** A party's slot time is proportional to its weight while several parties are waiting. */
  constructor(weight = 1) {
    this.#quantum_ms = QUANTUM_ms * weight;
  }

  get isIdle(): boolean {
    return this.inUse === 0 && this.waiting === 0;
  }

  /** The number of quanta that this party needs before it can have another turn. */
  get quantaNeeded(): number {
    return this.#credit_ms > 0 ? 0 : Math.floor(-this.#credit_ms / this.#quantum_ms) + 1;
  }

  addQuanta(count: number): void {
    const credit_ms = this.#credit_ms + count * this.#quantum_ms;
    this.#credit_ms = Math.min(credit_ms, this.#quantum_ms);
  }

  leave(took_ms: number): void {
    this.inUse -= 1;
    this.#credit_ms = this.isIdle ? 0 : Math.max(this.#credit_ms - took_ms, -DEBT_MAX_ms);
  }
}

/** Measures the total time that slots were in use, including slots that are still in use. */
export class SlotTime {
  #inUse = 0;
  #since_ms = 0;
  #until_ms = 0;

  change(by: 1 | -1, now_ms: number): void {
    this.#until_ms = this.at(now_ms);
    this.#since_ms = now_ms;
    this.#inUse += by;
  }

  at(now_ms: number): number {
    return this.#until_ms + this.#inUse * Math.max(0, now_ms - this.#since_ms);
  }
}

/** Parties that share slots: all tenants, or the credentials of one tenant. */
export class Group<Member extends { readonly share: Share }> {
  /** Waiting members, in the order of their turns. */
  readonly #ring = new Set<Member>();
  /**
   * The last two members that had to wait, including members that avoided waiting only by using a slot reserved for
   * newcomers.
   */
  #last: Member | undefined;
  #last_ms = 0;
  #other: Member | undefined;
  #other_ms = 0;

  get waiting(): readonly Member[] {
    return [...this.#ring];
  }

  countWaiting(member: Member, by: 1 | -1): void {
    member.share.waiting += by;
    if (member.share.waiting === 0) this.#ring.delete(member);
    else this.#ring.add(member);
  }

  noteContention(member: Member, now_ms: number): void {
    if (member !== this.#last) {
      this.#other = this.#last;
      this.#other_ms = this.#last_ms;
      this.#last = member;
    }
    this.#last_ms = now_ms;
  }

  /** Whether another member is waiting, or had to wait in the last second. */
  isContended(member: Member, now_ms: number): boolean {
    if (this.#ring.size > (this.#ring.has(member) ? 1 : 0)) return true;
    const [other, since_ms] =
      this.#last === member ? [this.#other, this.#other_ms] : [this.#last, this.#last_ms];
    return other !== undefined && now_ms - since_ms < CONTENDED_FOR_ms;
  }

  /**
   * Calls `admitted` for the waiting members and returns its result for the next member in turn.
   * Skips members for which it returns undefined. A member's turn lasts while it has credit. If no
   * member has credit, all members get as many quanta as the next one needs. If only a skipped
   * member has credit, the chosen member goes into debt instead.
   */
  choose<T>(admitted: (member: Member) => T | undefined): T | undefined {
    let [chosen, found]: [Member?, T?] = [];
    let fewest = Infinity;
    let isSkippedInCredit = false;
    for (const member of this.#ring) {
      const quanta = member.share.quantaNeeded;
      if (quanta >= fewest) continue;
      const result = admitted(member);
      if (result === undefined) {
        isSkippedInCredit ||= quanta === 0;
        continue;
      }
      chosen = member;
      found = result;
      fewest = quanta;
      if (quanta === 0) break;
    }
    if (chosen === undefined) return undefined;
    if (fewest > 0 && !isSkippedInCredit)
      for (const { share } of this.#ring) share.addQuanta(fewest);
    // Move the chosen member to the end of the queue.
    this.#ring.delete(chosen);
    this.#ring.add(chosen);
    return found;
  }
}

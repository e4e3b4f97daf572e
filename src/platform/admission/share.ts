/** The slots that a party has and has used, and deficit round robin among the waiting parties. */

/** The slot time that a turn is worth. */
const QUANTUM_ms = 5;
/** Time that was used beyond this is forgotten: no party is passed over for long. */
const DEBT_MAX_ms = 10_000;
const CONTENDED_FOR_ms = 1000;

/** The share of a tenant, of one of its credentials, or of a class of work of a credential. */
export class Share {
  readonly #quantum_ms: number;
  inUse = 0;
  waiting = 0;
  /** The slot time that is left of the present turn; below zero, what was used beyond it. */
  #credit_ms = 0;

  /** While several wait, one of a weight of 2 gets twice the slot time of one of 1. */
  constructor(weight = 1) {
    this.#quantum_ms = QUANTUM_ms * weight;
  }

  get isIdle(): boolean {
    return this.inUse === 0 && this.waiting === 0;
  }

  /** How many quanta it needs until it has its turn. */
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

/** How long slots have been in use, all together, including those that are in use now. */
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

/** Parties that share the same slots: all tenants, or the credentials of one. */
export class Group<Member extends { readonly share: Share }> {
  /** Those that wait, in the order of their turns. */
  readonly #ring = new Set<Member>();
  /** The last two that had to wait, or would have had to. */
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

  /** Whether another member than this one waits, or had to wait in the last second. */
  isContended(member: Member, now_ms: number): boolean {
    if (this.#ring.size > (this.#ring.has(member) ? 1 : 0)) return true;
    const [other, since_ms] =
      this.#last === member ? [this.#other, this.#other_ms] : [this.#last, this.#last_ms];
    return other !== undefined && now_ms - since_ms < CONTENDED_FOR_ms;
  }

  /**
   * What `admitted` returns for the member whose turn it is, of those for which it returns something. A
   * member has its turn while it has credit. If none has, all get as many quanta as the first one needs;
   * while one that is not admitted has credit, the others borrow.
   */
  choose<T>(admitted: (member: Member) => T | undefined): T | undefined {
    let [chosen, found]: [Member?, T?] = [];
    let fewest = Infinity;
    let isOwed = false;
    for (const member of this.#ring) {
      const quanta = member.share.quantaNeeded;
      if (quanta >= fewest) continue;
      const what = admitted(member);
      if (what === undefined) {
        isOwed ||= quanta === 0;
        continue;
      }
      [chosen, found, fewest] = [member, what, quanta];
      if (quanta === 0) break;
    }
    if (chosen === undefined) return undefined;
    if (fewest > 0 && !isOwed) for (const { share } of this.#ring) share.addQuanta(fewest);
    // Its next turn comes after those of the others.
    this.#ring.delete(chosen);
    this.#ring.add(chosen);
    return found;
  }
}

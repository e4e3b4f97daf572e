/**
 * Holds each decision for a few seconds so that it can be undone, and then sends it. When the user
 * leaves the page, it sends all held decisions immediately.
 */

import { userHeaders } from "../../api/index.ts";
import type { Choice, PushedLead, Status } from "../pushed-leads/index.ts";
import { sendDecision, sendOnLeaving, type Decision, type Result } from "./send-decision.ts";

export const HOLD_ms = 6000;

export interface Held extends Decision {
  readonly until_ms: number;
}

/** The new status of a lead that is still in the loaded list with its old status. */
interface Taken {
  readonly status: Status;
  readonly isDone: boolean;
}

export interface Outcome {
  readonly decision: Decision;
  readonly results: readonly Result[];
}

interface Unsent {
  readonly decision: Decision;
  readonly error: unknown;
}

export interface OutboxState {
  /** The held decisions, oldest first. */
  readonly held: readonly Held[];
  readonly sending: readonly Decision[];
  readonly unsent: readonly Unsent[];
  readonly taken: ReadonlyMap<string, Taken>;
}

export interface OutboxDeps {
  readonly statusAfter: (choice: Choice) => Status;
  readonly onSettled: (outcome: Outcome) => void;
}

export interface Outbox {
  readonly subscribe: (listener: () => void) => () => void;
  readonly state: () => OutboxState;
  /** Holds a decision, to be sent later. */
  readonly hold: (leads: readonly PushedLead[], choice: Choice) => void;
  /** Undoes the latest held decision. */
  readonly undo: () => Decision | undefined;
  /** Sends all held decisions now. Resolves when no request is in progress anymore, even if some have failed. */
  readonly flush: () => Promise<void>;
  /** Sends all held decisions while the page is closing. */
  readonly leave: () => void;
  readonly tryAgain: () => void;
  /** Discards decisions that could not be sent. Their leads keep their previous status. */
  readonly discard: () => void;
  /** Drops everything, because another user has signed in. */
  readonly drop: () => void;
}

const EMPTY: OutboxState = { held: [], sending: [], unsent: [], taken: new Map() };

export function createOutbox({ statusAfter, onSettled }: OutboxDeps): Outbox {
  let state = EMPTY;
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const inProgress = new Set<Promise<void>>();
  const listeners = new Set<() => void>();

  const change = (next: Partial<OutboxState>): void => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };
  const takenWith = (leads: readonly { readonly id: string }[], taken?: Taken) => {
    const next = new Map(state.taken);
    for (const { id } of leads) {
      if (taken === undefined) next.delete(id);
      else next.set(id, taken);
    }
    return next;
  };
  const release = ({ key }: Decision): void => {
    clearTimeout(timers.get(key));
    timers.delete(key);
  };

  const send = (decision: Decision): void => {
    release(decision);
    change({ held: without(state.held, decision), sending: [...state.sending, decision] });
    const sending = settle(decision).finally(() => inProgress.delete(sending));
    inProgress.add(sending);
  };
  const settle = async (decision: Decision): Promise<void> => {
    const isDropped = () => !state.sending.includes(decision);
    try {
      const results = await sendDecision(decision);
      if (isDropped()) return;
      const done = { status: statusAfter(decision.choice), isDone: true };
      const next = new Map(
        takenWith(
          results.filter(({ ok }) => ok),
          done,
        ),
      );
      for (const { id, ok } of results) if (!ok) next.delete(id);
      change({ sending: without(state.sending, decision), taken: next });
      onSettled({ decision, results });
    } catch (error) {
      if (isDropped()) return;
      const sending = without(state.sending, decision);
      change({ sending, unsent: [...state.unsent, { decision, error }] });
    }
  };

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    hold: (leads, choice) => {
      const key = randomKey();
      const until_ms = Date.now() + HOLD_ms;
      const held = { key, leads, choice, headers: userHeaders(), until_ms };
      timers.set(
        key,
        setTimeout(() => send(held), HOLD_ms),
      );
      const taken = takenWith(leads, { status: statusAfter(choice), isDone: false });
      change({ held: [...state.held, held], taken });
    },
    undo: () => {
      const last = state.held.at(-1);
      if (last === undefined) return undefined;
      release(last);
      change({ held: without(state.held, last), taken: takenWith(last.leads) });
      return last;
    },
    flush: async () => {
      for (const held of state.held) send(held);
      await Promise.all(inProgress);
    },
    leave: () => {
      let { taken } = state;
      for (const held of state.held) {
        release(held);
        sendOnLeaving(held);
        const status = statusAfter(held.choice);
        taken = new Map([
          ...taken,
          ...held.leads.map(({ id }) => [id, { status, isDone: true }] as const),
        ]);
      }
      change({ held: [], taken });
    },
    tryAgain: () => {
      const { unsent } = state;
      change({ unsent: [] });
      for (const { decision } of unsent) send(decision);
    },
    discard: () => {
      const leads = state.unsent.flatMap(({ decision }) => decision.leads);
      change({ unsent: [], taken: takenWith(leads) });
    },
    drop: () => {
      for (const held of state.held) release(held);
      change(EMPTY);
    },
  };
}

const without = <T extends Decision>(decisions: readonly T[], { key }: Decision): readonly T[] =>
  decisions.filter((one) => one.key !== key);

/** Returns 64 random bits as text. `crypto.randomUUID` is not available on pages without TLS. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");

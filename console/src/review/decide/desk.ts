/**
 * Decisions between the key and the service. Each is held for a while, in which it can be undone, and
 * then sent; what is held when the page is left is sent at once.
 */

import type { Choice, PushedLead, Status } from "../pushed-leads/index.ts";
import { sendDecision, sendOnLeaving, type Decision, type Result } from "./send-decision.ts";

export const HOLD_ms = 6000;

export interface Held extends Decision {
  readonly until_ms: number;
}

/** A decision of ours about a lead, whatever its list still says. */
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

export interface DeskState {
  /** Oldest first. */
  readonly held: readonly Held[];
  readonly sending: readonly Decision[];
  readonly unsent: readonly Unsent[];
  readonly taken: ReadonlyMap<string, Taken>;
}

export interface DeskDeps {
  readonly statusAfter: (choice: Choice) => Status;
  readonly onSettled: (outcome: Outcome) => void;
}

export interface Desk {
  readonly subscribe: (listener: () => void) => () => void;
  readonly state: () => DeskState;
  /** Takes a decision, to be sent a while later. */
  readonly hold: (leads: readonly PushedLead[], choice: Choice) => void;
  /** Takes the last one back that has not left. */
  readonly undo: () => Decision | undefined;
  /** Sends all that is held. */
  readonly flush: () => void;
  /** The same while the page is being left. */
  readonly leave: () => void;
  readonly tryAgain: () => void;
  /** Gives up what could not be sent: its leads stand as they did. */
  readonly giveUp: () => void;
}

const EMPTY: DeskState = { held: [], sending: [], unsent: [], taken: new Map() };

export function createDesk({ statusAfter, onSettled }: DeskDeps): Desk {
  let state = EMPTY;
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const listeners = new Set<() => void>();

  const change = (next: Partial<DeskState>): void => {
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

  const send = async (decision: Decision): Promise<void> => {
    release(decision);
    change({ held: without(state.held, decision), sending: [...state.sending, decision] });
    try {
      const results = await sendDecision(decision);
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
      const held = { key, leads, choice, until_ms: Date.now() + HOLD_ms };
      timers.set(
        key,
        setTimeout(() => void send(held), HOLD_ms),
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
    flush: () => {
      for (const held of state.held) void send(held);
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
      for (const { decision } of unsent) void send(decision);
    },
    giveUp: () => {
      const leads = state.unsent.flatMap(({ decision }) => decision.leads);
      change({ unsent: [], taken: takenWith(leads) });
    },
  };
}

const without = <T extends Decision>(decisions: readonly T[], { key }: Decision): readonly T[] =>
  decisions.filter((one) => one.key !== key);

/** 64 random bits; `crypto.randomUUID` is missing on pages without TLS. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");

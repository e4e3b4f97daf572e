/**
 * Submits the rows of a file, some at a time. Whatever interrupts it, such as the end of the session, pauses
 * it. It continues from there, and nothing is submitted twice: each row has its own Idempotency-Key.
 */

import type { portal } from "../../text/en/portal/portal.ts";
import type { FileRow } from "./rows.ts";

type PushedState = keyof typeof portal.statuses;

export type Outcome =
  | { readonly kind: "waiting" }
  | { readonly kind: "pushed"; readonly id: string; readonly status: PushedState }
  | { readonly kind: "known"; readonly id: string; readonly status: PushedState }
  | { readonly kind: "refused"; readonly reason: string };

export type Phase = "running" | "paused" | "stopped" | "done";

/** What keeps the run from continuing. */
export type Hold =
  | { readonly kind: "waiting"; readonly until_ms: number }
  | { readonly kind: "offline" }
  | { readonly kind: "signed_out" }
  | { readonly kind: "forbidden"; readonly why: string };

/** What a try of a row came to. */
export type Attempt =
  | Exclude<Outcome, { readonly kind: "waiting" }>
  | { readonly kind: "again"; readonly hold: Hold };

export interface Progress {
  readonly phase: Phase;
  readonly hold: Hold | undefined;
  /** In the order of the rows. */
  readonly outcomes: readonly Outcome[];
  readonly counts: Readonly<Record<Outcome["kind"], number>>;
}

export interface Run {
  readonly partnerId: string;
  readonly fileName: string;
  readonly headings: readonly string[];
  readonly rows: readonly FileRow[];
  readonly progress: () => Progress;
  readonly subscribe: (onChange: () => void) => () => void;
  readonly pause: () => void;
  readonly goOn: () => void;
  /** For good: what is left is not sent. */
  readonly stop: () => void;
}

export interface RunSettings {
  readonly partnerId: string;
  readonly fileName: string;
  readonly headings: readonly string[];
  readonly rows: readonly FileRow[];
  /** Why a row is refused without being sent. */
  readonly refusal: (row: FileRow) => string | undefined;
  /** Sends a row; it never fails. The same key makes the same push once. */
  readonly push: (row: FileRow, key: string) => Promise<Attempt>;
}

/** Whether rows may still be sent. */
export const isOpen = ({ phase }: Progress): boolean => phase === "running" || phase === "paused";

const LANES = 4;
/** No more often than so are the pages told, however fast the rows are. */
const TELL_ms = 100;
const WAITING: Outcome = { kind: "waiting" };

/** Begins to push. */
export function createRun({ refusal, push, ...given }: RunSettings): Run {
  const { rows } = given;
  const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
  const listeners = new Set<() => void>();
  const outcomes: Outcome[] = rows.map((row) => {
    const reason = refusal(row);
    return reason === undefined ? WAITING : { kind: "refused", reason };
  });
  const left = rows.map((_, at) => at).filter((at) => outcomes[at] === WAITING);
  let phase: Phase = "running";
  let hold: Hold | undefined;
  let lanes = 0;
  let told: Progress | undefined;
  let telling: ReturnType<typeof setTimeout> | undefined;

  const tell = () => {
    telling ??= setTimeout(() => {
      telling = undefined;
      told = undefined;
      for (const listener of listeners) listener();
    }, TELL_ms);
  };

  const keep = (at: number, attempt: Attempt): void => {
    if (attempt.kind !== "again") {
      outcomes[at] = attempt;
      if (hold?.kind === "waiting" && hold.until_ms <= Date.now()) hold = undefined;
      return;
    }
    left.unshift(at);
    if (phase === "running") hold = attempt.hold;
    if (attempt.hold.kind !== "waiting" && phase === "running") phase = "paused";
  };

  const lane = async (): Promise<void> => {
    while (phase === "running") {
      const wait_ms = hold?.kind === "waiting" ? hold.until_ms - Date.now() : 0;
      if (wait_ms > 0) {
        await new Promise((resolve) => setTimeout(resolve, wait_ms));
        continue;
      }
      const at = left.shift();
      const row = at === undefined ? undefined : rows[at];
      if (at === undefined || row === undefined) break;
      keep(at, await push(row, `${key}-${row.row}-${at}`));
      tell();
    }
    lanes -= 1;
    finish();
  };

  /** Notes that all rows have their outcome, if they have. */
  const finish = () => {
    if (lanes === 0 && left.length === 0 && phase !== "stopped") {
      phase = "done";
      hold = undefined;
    }
    tell();
  };

  const start = () => {
    // No more than there are rows: a lane without one ends at once, and would be replaced forever.
    const started = Math.min(LANES - lanes, left.length);
    lanes += started;
    for (let at = 0; at < started; at += 1) void lane();
    finish();
  };

  start();
  return {
    ...given,
    progress: () => (told ??= { phase, hold, outcomes: [...outcomes], counts: countsOf(outcomes) }),
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    pause: () => {
      if (phase === "running") {
        phase = "paused";
        hold = undefined;
      }
      tell();
    },
    goOn: () => {
      if (phase !== "paused") return;
      phase = "running";
      hold = undefined;
      start();
    },
    stop: () => {
      if (phase !== "done") phase = "stopped";
      hold = undefined;
      tell();
    },
  };
}

function countsOf(outcomes: readonly Outcome[]): Progress["counts"] {
  const counts = { waiting: 0, pushed: 0, known: 0, refused: 0 };
  for (const { kind } of outcomes) counts[kind] += 1;
  return counts;
}

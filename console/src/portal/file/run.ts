/**
 * Submits a file's rows, a few at a time. Rows that may be about the same person are sent one after another, so that
 * the first of these rows is accepted. Interruptions, such as the end of the session, pause the run. No row is
 * submitted twice, because each has its own Idempotency-Key.
 */

import type { portal } from "../../text/en/portal/portal.ts";
import type { FileRow } from "./rows.ts";
import { keysOf } from "./same-person.ts";

type PushedState = keyof typeof portal.statuses;

export type Outcome =
  | { readonly kind: "waiting" }
  | { readonly kind: "pushed"; readonly id: string; readonly status: PushedState }
  | { readonly kind: "known"; readonly id: string; readonly status: PushedState }
  | { readonly kind: "refused"; readonly reason: string };

export type Phase = "running" | "paused" | "stopped" | "done";

/** Why the run is not continuing. */
export type Hold =
  | { readonly kind: "waiting"; readonly until_ms: number }
  | { readonly kind: "offline" }
  | { readonly kind: "signed_out" }
  | { readonly kind: "forbidden"; readonly why: string };

/** The result of trying to submit a row. */
export type Attempt =
  | Exclude<Outcome, { readonly kind: "waiting" }>
  | { readonly kind: "again"; readonly hold: Hold };

export interface Progress {
  readonly phase: Phase;
  readonly hold: Hold | undefined;
  /** The outcomes, in row order. */
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
  readonly resume: () => void;
  /** Stops permanently: the remaining rows are not sent. */
  readonly stop: () => void;
}

export interface RunSettings {
  readonly partnerId: string;
  readonly fileName: string;
  readonly headings: readonly string[];
  readonly rows: readonly FileRow[];
  /** Returns why a row is rejected without being sent; undefined if it can be sent. */
  readonly refusal: (row: FileRow) => string | undefined;
  /** Submits a row. Never throws. Retrying with the same key never submits the row twice. */
  readonly push: (row: FileRow, key: string) => Promise<Attempt>;
}

/** Whether the run can still send rows. */
export const isOpen = ({ phase }: Progress): boolean => phase === "running" || phase === "paused";

const LANES = 4;
/** The minimum time between updates of the page, however fast rows are submitted. */
const NOTIFY_ms = 100;
const WAITING: Outcome = { kind: "waiting" };

/** Creates a run and starts it. */
export function createRun({ refusal, push, ...given }: RunSettings): Run {
  const { rows } = given;
  const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
  const listeners = new Set<() => void>();
  const outcomes: Outcome[] = rows.map((row) => {
    const reason = refusal(row);
    return reason === undefined ? WAITING : { kind: "refused", reason };
  });
  const left = rows.map((_, at) => at).filter((at) => outcomes[at] === WAITING);
  const keys = rows.map(({ body }) => keysOf(body));
  const sending = new Set<number>();
  let phase: Phase = "running";
  let hold: Hold | undefined;
  let lanes = 0;
  let current: Progress | undefined;
  let opening: ReturnType<typeof setTimeout> | undefined;
  let telling: ReturnType<typeof setTimeout> | undefined;

  const notify = () => {
    telling ??= setTimeout(() => {
      telling = undefined;
      current = undefined;
      for (const listener of listeners) listener();
    }, NOTIFY_ms);
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

  /**
   * Takes the next row to send. Skips a row if it may be about the same person as a row that is being sent or an
   * earlier row that remains to be sent.
   */
  const takeNext = (): number | undefined => {
    const taken = new Set([...sending].flatMap((at) => keys[at] ?? []));
    const place = left.findIndex((at) => {
      const own = keys[at] ?? [];
      if (!own.some((one) => taken.has(one))) return true;
      for (const one of own) taken.add(one);
      return false;
    });
    return place < 0 ? undefined : left.splice(place, 1)[0];
  };

  /** How long the service still asks the run to wait. */
  const remaining_ms = () => (hold?.kind === "waiting" ? hold.until_ms - Date.now() : 0);

  const lane = async (): Promise<void> => {
    while (phase === "running" && remaining_ms() <= 0) {
      const at = takeNext();
      const row = at === undefined ? undefined : rows[at];
      if (at === undefined || row === undefined) break;
      sending.add(at);
      const attempt = await push(row, `${key}-${row.row}-${at}`);
      sending.delete(at);
      keep(at, attempt);
      notify();
      // Restart loops that stopped because all remaining rows had to wait for this one.
      if (phase === "running") open();
    }
    lanes -= 1;
    finish();
  };

  /** Ends the run once all rows have an outcome. */
  const finish = () => {
    if (lanes === 0 && left.length === 0 && phase !== "stopped") {
      phase = "done";
      hold = undefined;
    }
    notify();
  };

  const open = () => {
    clearTimeout(opening);
    const wait_ms = remaining_ms();
    if (wait_ms > 0) {
      // No loop waits. Otherwise, resuming the run would send nothing until the wait is over.
      opening = setTimeout(open, wait_ms);
      return;
    }
    // Start no more loops than there are rows, because a loop without a row ends immediately.
    const started = Math.min(LANES - lanes, left.length);
    lanes += started;
    for (let at = 0; at < started; at += 1) void lane();
  };

  const start = () => {
    open();
    finish();
  };

  start();
  return {
    ...given,
    progress: () =>
      (current ??= { phase, hold, outcomes: [...outcomes], counts: countsOf(outcomes) }),
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    pause: () => {
      if (phase === "running") {
        phase = "paused";
        hold = undefined;
      }
      notify();
    },
    resume: () => {
      if (phase !== "paused") return;
      phase = "running";
      hold = undefined;
      start();
    },
    stop: () => {
      if (phase !== "done") phase = "stopped";
      hold = undefined;
      notify();
    },
  };
}

function countsOf(outcomes: readonly Outcome[]): Progress["counts"] {
  const counts = { waiting: 0, pushed: 0, known: 0, refused: 0 };
  for (const { kind } of outcomes) counts[kind] += 1;
  return counts;
}

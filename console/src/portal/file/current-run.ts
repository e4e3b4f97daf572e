/**
 * This window's current run, which submits a file. It continues while the partner visits other
 * pages, and survives signing in again.
 */

import { useSyncExternalStore } from "react";
import { usePartner } from "../partner/index.ts";
import { pushRow } from "./push-row.ts";
import { createRun, isOpen, type Progress, type Run, type RunSettings } from "./run.ts";

let current: Run | undefined;
const onCurrent = new Set<() => void>();

export function beginRun(settings: Omit<RunSettings, "push">): void {
  change(
    createRun({ ...settings, push: async (row, key) => pushRow(settings.partnerId, row, key) }),
  );
}

/** Stops the run and deletes its results. */
export function forgetRun(): void {
  current?.stop();
  change(undefined);
}

function change(next: Run | undefined): void {
  stopAsking();
  current = next;
  stopAsking = next === undefined ? () => undefined : askBeforeClosing(next);
  for (const listener of onCurrent) listener();
}

let stopAsking: () => void = () => undefined;

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * While rows remain, asks for confirmation before the window is closed or reloaded, because the run would be lost.
 * Returns a function that stops asking.
 */
function askBeforeClosing(run: Run): () => void {
  const look = () => {
    if (isOpen(run.progress())) addEventListener("beforeunload", ask);
    else removeEventListener("beforeunload", ask);
  };
  look();
  const unsubscribe = run.subscribe(look);
  return () => {
    unsubscribe();
    removeEventListener("beforeunload", ask);
  };
}

const subscribeToCurrent = (onChange: () => void) => {
  onCurrent.add(onChange);
  return () => onCurrent.delete(onChange);
};

/** The signed-in partner's run, if any. */
export function useRun(): Run | undefined {
  const { partner_id } = usePartner();
  const run = useSyncExternalStore(subscribeToCurrent, () => current);
  return run?.partnerId === partner_id ? run : undefined;
}

const never = () => () => undefined;

/** The progress of a run; undefined if there is no run. */
export const useProgress = (run: Run | undefined): Progress | undefined =>
  useSyncExternalStore(run?.subscribe ?? never, run?.progress ?? (() => undefined));

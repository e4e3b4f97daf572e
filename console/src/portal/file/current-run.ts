/**
 * The one run of this window: it continues while the partner looks at other pages, and is still there
 * after the next sign-in.
 */

import { useSyncExternalStore } from "react";
import { usePartner } from "../partner/index.ts";
import { pushRow } from "./push-row.ts";
import { createRun, isOpen, type Progress, type Run, type RunSettings } from "./run.ts";

let current: Run | undefined;
const onCurrent = new Set<() => void>();

export function beginRun(settings: Omit<RunSettings, "push">): void {
  change(createRun({ ...settings, push: pushRow }));
}

/** Stops the run and drops its results. */
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
 * The window asks before it is closed or reloaded while rows remain, whatever page it shows: the run would
 * be lost. Returns how to stop that.
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

/** The run of the partner that is signed in. */
export function useRun(): Run | undefined {
  const { partner_id } = usePartner();
  const run = useSyncExternalStore(subscribeToCurrent, () => current);
  return run?.partnerId === partner_id ? run : undefined;
}

const never = () => () => undefined;

/** How far a run is; undefined without one. */
export const useProgress = (run: Run | undefined): Progress | undefined =>
  useSyncExternalStore(run?.subscribe ?? never, run?.progress ?? (() => undefined));

/**
 * The files that this window sends. They are sent on while another page is looked at; closing the
 * window is asked about.
 */

import { useSyncExternalStore } from "react";
import { queryClient } from "../../routing/index.ts";
import { importQuery, refreshLists } from "./import.ts";
import { sendFile } from "./sending.ts";

export interface Upload {
  /** Kept, so that what broke off can go on without choosing it again. */
  readonly file: File;
  readonly sent_bytes: number;
  readonly isSending: boolean;
  /** Why it ended before its end; null where it was stopped by hand. */
  readonly error: unknown;
}

const uploads = new Map<string, Upload>();
const stops = new Map<string, AbortController>();
const watchers = new Set<() => void>();

function put(id: string, upload: Upload): void {
  uploads.set(id, upload);
  for (const tell of watchers) tell();
}

const askBeforeClosing = (event: BeforeUnloadEvent): void => event.preventDefault();

function watchWindow(): void {
  if (stops.size > 0) window.addEventListener("beforeunload", askBeforeClosing);
  else window.removeEventListener("beforeunload", askBeforeClosing);
}

/** Begins to send a file; how it fares is told by `useUpload`. */
export async function startUpload(id: string, file: File): Promise<void> {
  const stop = new AbortController();
  stops.set(id, stop);
  watchWindow();
  const begun: Upload = { file, sent_bytes: 0, isSending: true, error: null };
  put(id, begun);
  const { queryKey } = importQuery(id);
  try {
    const onProgress = (sent_bytes: number) => put(id, { ...begun, sent_bytes });
    const told = await sendFile(id, file, { signal: stop.signal, onProgress });
    uploads.delete(id);
    queryClient.setQueryData(queryKey, told);
    for (const tell of watchers) tell();
  } catch (error) {
    put(id, { ...begun, isSending: false, error: stop.signal.aborted ? null : error });
    void queryClient.invalidateQueries({ queryKey });
  } finally {
    stops.delete(id);
    watchWindow();
    void refreshLists();
  }
}

/** Stops sending; what was written stays. */
export const stopUpload = (id: string): void => stops.get(id)?.abort();

const subscribe = (tell: () => void) => {
  watchers.add(tell);
  return () => watchers.delete(tell);
};

/** What this window sends to an import; undefined where that is nothing. */
export const useUpload = (id: string): Upload | undefined =>
  useSyncExternalStore(subscribe, () => uploads.get(id));

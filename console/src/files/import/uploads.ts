/**
 * This window's uploads. They continue while the user visits other pages. Closing the window asks
 * for confirmation.
 */

import { useSyncExternalStore } from "react";
import { queryClient } from "../../routing/index.ts";
import { refreshLists } from "../../requests/index.ts";
import { importQuery } from "./import.ts";
import { sendFile } from "./sending.ts";

export interface Upload {
  /** Stored so that the user can continue an interrupted upload without choosing the file again. */
  readonly file: File;
  readonly sent_bytes: number;
  readonly isSending: boolean;
  /** Why the upload ended early; null if the user stopped it. */
  readonly error: unknown;
}

const uploads = new Map<string, Upload>();
const stops = new Map<string, AbortController>();
const watchers = new Set<() => void>();

function put(id: string, upload: Upload): void {
  uploads.set(id, upload);
  for (const notify of watchers) notify();
}

const askBeforeClosing = (event: BeforeUnloadEvent): void => event.preventDefault();

function watchWindow(): void {
  if (stops.size > 0) window.addEventListener("beforeunload", askBeforeClosing);
  else window.removeEventListener("beforeunload", askBeforeClosing);
}

/** Starts an upload. `useUpload` returns its progress. */
export async function startUpload(id: string, file: File): Promise<void> {
  const stop = new AbortController();
  stops.set(id, stop);
  watchWindow();
  const begun: Upload = { file, sent_bytes: 0, isSending: true, error: null };
  put(id, begun);
  const { queryKey } = importQuery(id);
  try {
    const onProgress = (sent_bytes: number) => put(id, { ...begun, sent_bytes });
    const job = await sendFile(id, file, { signal: stop.signal, onProgress });
    uploads.delete(id);
    queryClient.setQueryData(queryKey, job);
    for (const notify of watchers) notify();
  } catch (error) {
    put(id, { ...begun, isSending: false, error: stop.signal.aborted ? null : error });
    void queryClient.invalidateQueries({ queryKey });
  } finally {
    stops.delete(id);
    watchWindow();
    void refreshLists(queryClient);
  }
}

/** Stops an upload. Rows that were already imported are kept. */
export const stopUpload = (id: string): void => stops.get(id)?.abort();

const subscribe = (notify: () => void) => {
  watchers.add(notify);
  return () => watchers.delete(notify);
};

/** This window's upload for an import, if any. */
export const useUpload = (id: string): Upload | undefined =>
  useSyncExternalStore(subscribe, () => uploads.get(id));

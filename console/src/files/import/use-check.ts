/** Checks a file with a dry run. For a large file, only the beginning is checked. */

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { RecordType } from "../../record/index.ts";
import { beginningOf } from "./beginning.ts";
import { prepareImport, type Import, type ImportOptions } from "./import.ts";
import { readSample, type Sample } from "./sample.ts";
import { sendFile } from "./sending.ts";

export interface Question {
  readonly type: RecordType;
  readonly file: File;
  readonly options: ImportOptions;
}

interface Asked extends Question {
  readonly signal: AbortSignal;
}

export interface CheckResult {
  readonly job: Import;
  /** The number of bytes that were checked. */
  readonly checked_bytes: number;
}

export interface Check {
  readonly run: (question: Question) => void;
  readonly isRunning: boolean;
  /** The result of the last check that could read the file. */
  readonly result: CheckResult | undefined;
  readonly sample: Sample | undefined;
  /** Errors in the file or the options. */
  readonly error: unknown;
  /** The options of the last check. */
  readonly options: ImportOptions | undefined;
}

async function check({ type, file, options }: Question, signal: AbortSignal): Promise<CheckResult> {
  const asked = { type: type.name, file_name: file.name.slice(-255), dry_run: true, options };
  const { id } = await prepareImport(asked);
  const part = await beginningOf(file);
  return { job: await sendFile(id, part, { signal }), checked_bytes: part.size };
}

export function useCheck(): Check {
  const stop = useRef(new AbortController());
  const [last, setLast] = useState<CheckResult>();
  const sampling = useMutation({
    mutationFn: ({ file, job }: { file: File; job: Import | undefined }) =>
      readSample(file, job?.file ?? null),
  });
  const checking = useMutation({
    mutationFn: (asked: Asked) => check(asked, asked.signal),
    onSuccess: setLast,
    onSettled: (result, _error, { file, options: { encoding, delimiter }, signal }) => {
      if (signal.aborted) return;
      const job = result?.job;
      if (job !== undefined) sampling.mutate({ file, job });
      else if (sampling.data === undefined || encoding !== undefined || delimiter !== undefined) {
        sampling.mutate({ file, job: undefined });
      }
    },
  });
  useEffect(() => () => stop.current.abort(), []);
  return {
    run: (question) => {
      stop.current.abort();
      stop.current = new AbortController();
      if (question.file !== checking.variables?.file) {
        setLast(undefined);
        sampling.reset();
      }
      checking.mutate({ ...question, signal: stop.current.signal });
    },
    isRunning: checking.isPending,
    result: last,
    sample: sampling.data,
    error: checking.error,
    options: checking.variables?.options,
  };
}

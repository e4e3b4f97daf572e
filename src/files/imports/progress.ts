/**
 * Progress of a long run on the terminal: a bar for a person, a line every few seconds for a log.
 */

import { SingleBar } from "cli-progress";

export interface Progress {
  /** `done_bytes` of the file's total, and how many rows that were. */
  readonly update: (done_bytes: number, rows: number) => void;
  readonly stop: () => void;
}

export interface ProgressOptions {
  /** Where it is shown: never the stream that results go to. */
  readonly stream: NodeJS.WriteStream;
  /** Size of the file; undefined where it is not known. */
  readonly total_bytes: number | undefined;
  readonly now: () => number;
}

const LINE_EVERY_MS = 5000;

export function startProgress(options: ProgressOptions): Progress {
  const { stream, total_bytes } = options;
  return stream.isTTY && total_bytes !== undefined && total_bytes > 0
    ? startBar(stream, total_bytes)
    : startLines(options);
}

function startBar(stream: NodeJS.WriteStream, total_bytes: number): Progress {
  const bar = new SingleBar({
    stream,
    format: "{bar} {percentage} % | {rows} rows | {duration_formatted}, {eta_formatted} left",
    hideCursor: true,
    clearOnComplete: false,
  });
  bar.start(total_bytes, 0, { rows: 0 });
  return {
    update: (done_bytes, rows) => bar.update(Math.min(done_bytes, total_bytes), { rows }),
    stop: () => bar.stop(),
  };
}

function startLines({ stream, total_bytes, now }: ProgressOptions): Progress {
  let shown_ms = now();
  return {
    update: (done_bytes, rows) => {
      if (now() - shown_ms < LINE_EVERY_MS) return;
      shown_ms = now();
      const share =
        total_bytes === undefined || total_bytes === 0
          ? ""
          : `, ${Math.floor((done_bytes / total_bytes) * 100)} %`;
      stream.write(`${rows} rows${share}\n`);
    },
    stop: () => {},
  };
}

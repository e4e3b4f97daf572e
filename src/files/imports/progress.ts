/** Shows the progress of a long-running command: as a bar in a terminal, or as a line every few seconds in a log. */

import { SingleBar } from "cli-progress";

export interface Progress {
  /** Updates the progress toward the total, and the number of rows so far. */
  readonly update: (done: number, rows: number) => void;
  readonly stop: () => void;
}

export interface ProgressOptions {
  /** The stream to show progress on. Must not be the stream that results are written to. */
  readonly stream: NodeJS.WriteStream;
  /** The total, such as the size of the file in bytes. Undefined if unknown. */
  readonly total: number | undefined;
  /** The unit that is counted. Default: rows. */
  readonly unit?: string;
  readonly now: () => number;
}

const LINE_EVERY_MS = 5000;

export function startProgress(options: ProgressOptions): Progress {
  const { stream, total, unit = "rows" } = options;
  return stream.isTTY && total !== undefined && total > 0
    ? startBar(stream, total, unit)
    : startLines(options);
}

function startBar(stream: NodeJS.WriteStream, total: number, unit: string): Progress {
  const bar = new SingleBar({
    stream,
    format: `{bar} {percentage} % | {rows} ${unit} | {duration_formatted}, {eta_formatted} left`,
    hideCursor: true,
    clearOnComplete: false,
  });
  bar.start(total, 0, { rows: 0 });
  return {
    update: (done, rows) => bar.update(Math.min(done, total), { rows }),
    stop: () => bar.stop(),
  };
}

function startLines({ stream, total, unit = "rows", now }: ProgressOptions): Progress {
  let shown_ms = now();
  return {
    update: (done, rows) => {
      if (now() - shown_ms < LINE_EVERY_MS) return;
      shown_ms = now();
      const share =
        total === undefined || total === 0 ? "" : `, ${Math.floor((done / total) * 100)} %`;
      stream.write(`${rows} ${unit}${share}\n`);
    },
    stop: () => {},
  };
}

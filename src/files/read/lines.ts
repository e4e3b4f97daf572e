/**
 * Splits text that arrives in chunks into lines. The time is proportional to the length of the text, regardless of how
 * it is divided into chunks.
 */

import { Turns } from "../../platform/admission/index.ts";

/**
 * Chunks smaller than this are joined first, because a string composed of many small pieces takes several times as much
 * memory.
 */
const CHUNK_CHARACTERS = 4096;

export class LineSplitter {
  readonly #lineEnd: string;
  readonly #max: number;
  #held = "";
  #open = "";

  /** If a line has more than `max` characters, only the first `max` + 1 are kept. */
  constructor(lineEnd: "\n" | "\r", max: number) {
    this.#lineEnd = lineEnd;
    this.#max = max;
  }

  /** Returns the lines that this chunk completes, each with its line end. */
  push(chunk: string): string[] {
    this.#held += chunk;
    return this.#held.length < CHUNK_CHARACTERS ? [] : this.#split();
  }

  /** Returns the remaining lines. The last one may have no line end. */
  end(): string[] {
    const lines = this.#split();
    if (this.#open !== "") lines.push(this.#open);
    this.#open = "";
    return lines;
  }

  #split(): string[] {
    const lines: string[] = [];
    const text = this.#held;
    this.#held = "";
    const lineEnd = this.#lineEnd;
    let from = 0;
    for (;;) {
      // Check for blank lines first. A file that consists of them is then read twice as fast.
      const at = text[from] === lineEnd ? from : text.indexOf(lineEnd, from);
      if (at === -1) break;
      const rest = at === from ? lineEnd : text.slice(from, at + 1);
      from = at + 1;
      lines.push(this.#cut(this.#open === "" ? rest : this.#open + rest));
      this.#open = "";
    }
    // Do not append to a line that is already too long, because each append copies the whole line.
    if (this.#open.length <= this.#max) this.#open = this.#cut(this.#open + text.slice(from));
    return lines;
  }

  #cut(line: string): string {
    return line.length > this.#max ? line.slice(0, this.#max + 1) : line;
  }
}

const PIECE_CHARACTERS = 8 * 1024;

/** Splits text into pieces that are short enough to read without pausing for other work. */
export function* piecesOf(text: string, characters: number = PIECE_CHARACTERS): Generator<string> {
  for (let at = 0; at < text.length; at += characters) yield text.slice(at, at + characters);
}

/** Parses text into records, chunk by chunk. */
interface Reader<T> {
  readonly read: (text: string) => T;
  readonly end: () => T;
}

/** Reads text in short pieces and yields the records of each piece. Pauses periodically, so that other work can run. */
export async function* readAll<T>(text: AsyncIterable<string>, reader: Reader<T>) {
  const turns = new Turns();
  for await (const chunk of text) {
    for (const piece of piecesOf(chunk)) {
      // Check after every piece, because pieces without rows also take time.
      if (turns.isDue()) await turns.take();
      yield reader.read(piece);
    }
  }
  yield reader.end();
}

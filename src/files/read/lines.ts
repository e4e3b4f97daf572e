/** Text that arrives in chunks → its lines. The time is proportional to the text, however it is cut. */

import { Turns } from "../../platform/outgoing/index.ts";

/** Smaller chunks are joined first: a string of many tiny pieces takes a multiple of its size. */
const CHUNK_CHARACTERS = 4096;

export class LineSplitter {
  readonly #lineEnd: string;
  readonly #max: number;
  #held = "";
  #open = "";

  /** Of a line with more than `max` characters only the first `max` + 1 are kept. */
  constructor(lineEnd: "\n" | "\r", max: number) {
    this.#lineEnd = lineEnd;
    this.#max = max;
  }

  /** The lines that this chunk completes, each with its line end. */
  push(chunk: string): string[] {
    this.#held += chunk;
    return this.#held.length < CHUNK_CHARACTERS ? [] : this.#split();
  }

  /** The remaining lines. The last one may have no line end. */
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
      // A file of blank lines takes half the time without the search.
      const at = text[from] === lineEnd ? from : text.indexOf(lineEnd, from);
      if (at === -1) break;
      const rest = at === from ? lineEnd : text.slice(from, at + 1);
      from = at + 1;
      lines.push(this.#cut(this.#open === "" ? rest : this.#open + rest));
      this.#open = "";
    }
    // Each further text would copy the whole line once more.
    if (this.#open.length <= this.#max) this.#open = this.#cut(this.#open + text.slice(from));
    return lines;
  }

  #cut(line: string): string {
    return line.length > this.#max ? line.slice(0, this.#max + 1) : line;
  }
}

const PIECE_CHARACTERS = 8 * 1024;

/** A text in pieces that are short enough to be read in one go. */
export function* piecesOf(text: string, characters: number = PIECE_CHARACTERS): Generator<string> {
  for (let at = 0; at < text.length; at += characters) yield text.slice(at, at + characters);
}

/** What of a text a reader makes records of, chunk by chunk. */
interface Reader<T> {
  readonly read: (text: string) => T;
  readonly end: () => T;
}

/** Reads a text in groups, each of which takes the time of some ten thousand characters. */
export async function* readAll<T>(text: AsyncIterable<string>, reader: Reader<T>) {
  const turns = new Turns();
  for await (const chunk of text) {
    for (const piece of piecesOf(chunk)) {
      // Also a piece without any row takes time.
      if (turns.isDue()) await turns.take();
      yield reader.read(piece);
    }
  }
  yield reader.end();
}

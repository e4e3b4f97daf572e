/**
 * Translates a PCRE pattern to ECMAScript's strict syntax for the parser. Handles option x, `(?i)` at the start,
 * `\x{…}`, `\A`, unnecessary escapes, and unpaired brackets and braces.
 */

/** Thrown for unsupported patterns. The message explains the reason. */
export class RegexError extends Error {
  override readonly name = "RegexError";
}

/** The options i, m and s. Option x only affects parsing. */
export interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  /** Whether case is ignored even in `(?-i:…)`. */
  readonly ignoresCase?: boolean;
}

/** Returns the translated pattern and the options that apply from its start. Throws a RegexError. */
export function readPcre(pattern: string, options: string) {
  const [inline = "", letters = ""] = /^\(\?([imsx]+)\)/.exec(pattern) ?? [];
  const all = options + letters;
  const reader = new PcreReader(pattern.slice(inline.length), all.includes("x"));
  const flags: Flags = { i: all.includes("i"), m: all.includes("m"), s: all.includes("s") };
  return { source: reader.read(), flags };
}

const EXTENDED_BLANK = /[ \t\n\v\f\r]+|#[^\n]*/y;
const REPEAT = /\{\d+(?:,\d*)?\}/y;
const BRACED_HEX = /\\x\{([0-9a-f]{1,6})\}/iy;
const PLAIN_HEX = /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4})/iy;

/** Letters that can follow a backslash, with their ECMAScript equivalents. */
const ESCAPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries([..."dDwWsSbBnrtf"].map((letter) => [letter, `\\${letter}`])),
  a: "\\x07",
  e: "\\x1b",
  A: "(?-m:^)",
  Z: "(?-m:$)",
};
const OUTSIDE_CLASSES_ONLY = "BAZ";

class PcreReader {
  readonly #pattern: string;
  readonly #extended: boolean;
  #at = 0;
  #out = "";

  constructor(pattern: string, extended: boolean) {
    this.#pattern = pattern;
    this.#extended = extended;
  }

  read(): string {
    while (this.#at < this.#pattern.length) this.#readOutside();
    return this.#out;
  }

  #readOutside(): void {
    if (this.#extended && this.#take(EXTENDED_BLANK) !== undefined) return;
    const repeat = this.#take(REPEAT);
    if (repeat !== undefined) {
      this.#out += repeat[0];
      return;
    }
    const char = this.#pattern.charAt(this.#at);
    if (char === "\\") this.#readEscape(false);
    else if (char === "[") this.#readClass();
    else if (this.#pattern.startsWith("(?P<", this.#at)) this.#emit(4, "(?<");
    else if ("]{}".includes(char)) this.#emit(1, `\\${char}`);
    else this.#emit(1, char);
  }

  #readClass(): void {
    this.#emit(1, "[");
    if (this.#pattern.charAt(this.#at) === "^") this.#emit(1, "^");
    if (this.#pattern.charAt(this.#at) === "]") this.#emit(1, "\\]");
    let afterSet = false;
    for (;;) {
      const char = this.#pattern.charAt(this.#at);
      const next = this.#pattern.charAt(this.#at + 1);
      if (char === "") throw new RegexError("a character class is missing its closing bracket ]");
      if (char === "]") {
        this.#emit(1, "]");
        return;
      }
      if (char === "[" && ":.=".includes(next) && next !== "") {
        throw new RegexError("POSIX classes such as [:alpha:] are not supported");
      }
      const isSet = char === "\\" && /[dws]/i.test(next);
      // A class such as \d cannot be an endpoint of a range, so a hyphen next to it is literal.
      const beforeSet = /^-\\[dws]/i.test(this.#pattern.slice(this.#at, this.#at + 3));
      if (char === "\\") this.#readEscape(true);
      else if (char === "[" || (char === "-" && (afterSet || beforeSet)))
        this.#emit(1, `\\${char}`);
      else this.#emit(1, char);
      afterSet = isSet;
    }
  }

  #readEscape(inClass: boolean): void {
    const braced = this.#take(BRACED_HEX);
    const hex = braced === undefined ? this.#take(PLAIN_HEX) : undefined;
    if (braced !== undefined || hex !== undefined) {
      this.#out += hex?.[0] ?? `\\u{${braced?.[1] ?? ""}}`;
      return;
    }
    const char = this.#pattern.charAt(this.#at + 1);
    if (char === "") throw new RegexError("the pattern ends with a backslash");
    if (/[1-9gk]/.test(char)) throw new RegexError("backreferences are not supported");
    if (/[0-9a-z]/i.test(char)) {
      const known = inClass && OUTSIDE_CLASSES_ONLY.includes(char) ? undefined : ESCAPES[char];
      if (known === undefined) throw new RegexError(`\\${char} is not supported`);
      this.#emit(2, known);
    } else {
      const special = inClass ? /[\^$\\.*+?()[\]{}|/-]/ : /[\^$\\.*+?()[\]{}|/]/;
      this.#emit(2, special.test(char) ? `\\${char}` : char);
    }
  }

  #emit(length: number, text: string): void {
    this.#at += length;
    this.#out += text;
  }

  #take(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = this.#at;
    const match = token.exec(this.#pattern);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }
}

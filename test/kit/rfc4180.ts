/**
 * A CSV parser based on the grammar in RFC 4180, section 2, used to check our own files independently. It rejects
 * anything else, such as a quote or a lone CR or LF in an unquoted field. Only TEXTDATA is broader than in the RFC,
 * which allows only ASCII.
 */

export function parseRfc4180(text: string, comma = ","): string[][] {
  const records: string[][] = [];
  let at = 0;
  const fail = (what: string): never => {
    throw new Error(
      `${what} at character ${at} of ${JSON.stringify(text.slice(at - 20, at + 20))}`,
    );
  };
  const escaped = (): string => {
    let field = "";
    for (at += 1; ; at += 1) {
      if (at >= text.length) fail("A quoted field is not closed");
      if (text[at] !== '"') {
        field += text[at];
      } else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else {
        at += 1;
        return field;
      }
    }
  };
  const unescaped = (): string => {
    const start = at;
    while (at < text.length && text[at] !== comma && text[at] !== "\r" && text[at] !== "\n") {
      if (text[at] === '"') fail("An unquoted field has a quote");
      at += 1;
    }
    return text.slice(start, at);
  };
  while (at < text.length) {
    const record: string[] = [];
    for (;;) {
      record.push(text[at] === '"' ? escaped() : unescaped());
      if (text[at] !== comma) break;
      at += 1;
    }
    records.push(record);
    if (at < text.length && !text.startsWith("\r\n", at)) fail("A record does not end with CRLF");
    at += 2;
  }
  return records;
}

/** Parses Server-Sent Events from a response body (WHATWG HTML, 9.2.6). */

export interface ServerEvent {
  /** The event name; `message` if the event has none. */
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
  /** How long to wait before reconnecting, in milliseconds, if the service specified it. */
  readonly retry_ms: number | undefined;
}

/** Lines end with CR LF, LF or CR. A CR at the end of the buffer may be half of a CR LF. */
const LINE_END = /\r\n|\n|\r(?!$)/;

/**
 * Yields the events in a stream, including those without data. Throws if nothing arrives within
 * `idle_ms`, not even a heartbeat.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  idle_ms: number,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let fields: [name: string, value: string][] = [];
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), idle_ms);
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(LINE_END);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line !== "") fields.push(fieldOf(line));
        else if (fields.length > 0) {
          yield eventOf(fields);
          fields = [];
        }
      }
    }
  } finally {
    // A stream that was cut off cannot be canceled and does not need to be.
    await reader.cancel().catch(() => undefined);
  }
}

/** Splits a line into field name and value. A comment has an empty name. */
function fieldOf(line: string): [string, string] {
  const [name = "", ...value] = line.split(":");
  return [name, value.join(":").replace(/^ /, "")];
}

function eventOf(fields: readonly (readonly [string, string])[]): ServerEvent {
  const all = (name: string) =>
    fields.filter(([given]) => given === name).map(([, value]) => value);
  const retry = all("retry").at(-1);
  return {
    event: all("event").at(-1) ?? "message",
    data: all("data").join("\n"),
    id: all("id").at(-1),
    retry_ms: retry !== undefined && /^\d+$/.test(retry) ? Number(retry) : undefined,
  };
}

async function within<T>(promise: Promise<T>, time_ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing for ${time_ms} ms`)), time_ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

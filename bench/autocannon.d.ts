/** What bench/load.ts uses of autocannon, which brings no types. */
declare module "autocannon" {
  import type { EventEmitter } from "node:events";

  interface Request {
    method?: string;
    path?: string;
    body?: string | undefined;
    headers?: Record<string, string>;
  }
  interface Dynamic {
    setupRequest: (request: Request, context: Record<string, unknown>) => Request;
    onResponse?: (status: number, body: string, context: Record<string, unknown>) => void;
  }
  interface Options {
    url: string;
    connections: number;
    duration?: number;
    amount?: number;
    sampleInt: number;
    timeout: number;
    requests: readonly Dynamic[];
  }
  interface Result {
    readonly errors: number;
    readonly timeouts: number;
  }
  const run: (
    options: Options,
    done: (error: Error | null, result: Result) => void,
  ) => EventEmitter;
  export default run;
}

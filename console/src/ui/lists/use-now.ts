/** Provides the current time, updated regularly. */

import { useEffect, useState } from "react";

/** Returns the current time in epoch milliseconds. It is at most `every_ms` old. */
export function useNow(every_ms: number): number {
  const [now_ms, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every_ms);
    return () => clearInterval(timer);
  }, [every_ms]);
  return now_ms;
}

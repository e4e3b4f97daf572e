/** The result types of `leadport doctor`, and the function that runs a check. */

import { messageOf } from "../../platform/errors/index.ts";

export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "error" | "skipped";
  readonly message: string;
  readonly remedy?: string;
}

export type Found = Omit<Finding, "check">;

export const ok = (message: string): readonly Found[] => [{ status: "ok", message }];
export const skipped = (message: string): Found => ({ status: "skipped", message });
export const warning = (message: string, remedy: string): Found => ({
  status: "warning",
  message,
  remedy,
});
export const fault = (message: string, remedy: string): Found => ({
  status: "error",
  message,
  remedy,
});

export const unless = (problems: readonly Found[], message: string): readonly Found[] =>
  problems.length > 0 ? problems : ok(message);

/** Runs a check. If it throws, returns the error as a finding, so that the remaining checks still run. */
export async function runCheck(
  check: string,
  run: () => readonly Found[] | Promise<readonly Found[]>,
): Promise<readonly Finding[]> {
  try {
    return (await run()).map((found) => ({ check, ...found }));
  } catch (error) {
    const message = `The check failed: ${messageOf(error)}`;
    return [{ check, ...fault(message, "Fix the cause and run `leadport doctor` again.") }];
  }
}

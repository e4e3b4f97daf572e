/**
 * Generates docs/errors.md: adds the status and message to the rows of errors.md that start with the name of an error in
 * the catalog.
 */

import { errorCatalog } from "../../platform/errors/index.ts";
import { template } from "./template.ts";

const ERRORS: Readonly<Record<string, readonly [status: number, message: string]>> = errorCatalog;

export const errorsMarkdown = (): string =>
  template("errors").replaceAll(/^\| (\w+) \| (.*) \|$/gm, (row, name: string, when: string) => {
    const [status, message] = ERRORS[name] ?? [];
    return status === undefined ? row : `| ${status} | ${when} | ${message} |`;
  });

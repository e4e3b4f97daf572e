/** The columns and fields that the options of an import name. */

import type { RecordType } from "../../records/types/index.ts";
import type { Format } from "../read/index.ts";
import { plainName, targetOf, targetsOf } from "../headings/index.ts";
import type { MappingOptions } from "./mapping-options.ts";
import { parseTemplate, type Template } from "./template.ts";

interface File {
  readonly format: Format;
  readonly headings: readonly string[];
}

/**
 * Returns a file's columns. For NDJSON, which has no header line, these include the columns that options name, because
 * they may occur in a later row.
 */
export function allHeadings({ format, headings }: File, options: MappingOptions) {
  if (format === "csv") return headings;
  const met = new Set(headings);
  const parts = Object.values(options.set ?? {}).flatMap((text) => parseTemplate(text).parts);
  const external = options.external_id === undefined ? [] : [options.external_id];
  for (const name of [...Object.keys(options.map ?? {}), ...parts, ...external]) met.add(name);
  return [...met];
}

export function findHeading(
  headings: readonly string[],
  name: string,
  option: string,
  problems: string[],
): string | undefined {
  if (headings.includes(name)) return name;
  const alike = headings.filter((heading) => plainName(heading) === plainName(name));
  if (alike.length !== 1) {
    problems.push(`${option}: the file has no column "${name}"`);
    return undefined;
  }
  return alike[0];
}

interface Parts {
  readonly type: RecordType;
  readonly options: MappingOptions;
  readonly problems: string[];
  readonly find: (name: string, option: string) => string | undefined;
}

export function headingsByHand({
  type,
  options,
  find,
  problems,
}: Parts): Map<string, string | null> {
  const byHand = new Map<string, string | null>();
  for (const [name, given] of Object.entries(options.map ?? {})) {
    const heading = find(name, "map");
    if (heading === undefined) continue;
    const target = given === "" ? null : targetOf(type, given);
    if (target === undefined) problems.push(unknownField(type, "map", given));
    else byHand.set(heading, target);
  }
  return byHand;
}

const unknownField = (type: RecordType, option: string, name: string) =>
  `${option}: a ${type.name} has no field "${name}"; it has ${targetsOf(type).join(", ")}`;

export function templatesOf({ type, options, find, problems }: Parts): Map<string, Template> {
  const templates = new Map<string, Template>();
  for (const [name, text] of Object.entries(options.set ?? {})) {
    const target = targetOf(type, name);
    const { literals, parts } = parseTemplate(text);
    const found = parts.map((part) => find(part, "set")).filter((part) => part !== undefined);
    if (target === undefined) problems.push(unknownField(type, "set", name));
    else if (found.length === parts.length) templates.set(target, { literals, parts: found });
  }
  return templates;
}

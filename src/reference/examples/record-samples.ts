/** Sample requests by operation id, for the operations that exist for each record type. */

import type { JsonObject } from "../../platform/json/index.ts";
import type { RecordType, RecordTypes } from "../../records/types/index.ts";
import type { Sample } from "../../platform/modules/index.ts";
import { change, creation, fieldExample, upsertBy } from "./fields.ts";
import { IDS, idOf } from "./ids.ts";

/** An operation on records. The last segment of its path determines the sample. */
interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

const KEYS = ["email", "phone", "external_id"];

/** Returns two people for a batch, or a single record if the type's example must be unique. */
const batchOf = (type: RecordType): readonly JsonObject[] =>
  type.sameBy === undefined || type.isCompany === true
    ? [creation(type)]
    : ["Ivo Brandt", "Lena Koch"].map((name) => ({
        name,
        email: `${name.toLowerCase().replace(" ", ".")}@example.com`,
      }));

/** Returns the name that list filters use for a type's status field. */
function statusName(type: RecordType): string {
  const names = type.lists["all"]?.filter ?? [];
  const isStatus = (name: string): boolean => {
    const derived = type.derived[name];
    return (derived?.kind === "copy" ? derived.of : name) === type.statusField;
  };
  return names.find(isStatus) ?? type.statusField;
}

const filterOf = (type: RecordType): string =>
  JSON.stringify({ [statusName(type)]: fieldExample(type, type.statusField) });

/** Returns the sample request of a record type's operation. */
function sentTo(type: RecordType, { method, path }: Operation): Sample {
  const last = path.split("/").at(-1) ?? "";
  const key = KEYS.find((name) => path.endsWith(`/by/${name}/{${name}}`));
  if (key !== undefined) return { body: upsertBy(type, key) };
  if (method === "PATCH") return { body: change(type) };
  if (method === "GET") {
    if (last === "summary") return { query: { group_by: statusName(type), interval: "month" } };
    if (last === "export") return { query: { format: "csv" } };
    const isList = path === type.lists["all"]?.path;
    return isList ? { query: { match_filter_dict: filterOf(type), page_size: 10 } } : {};
  }
  if (last === "batch") return { body: { items: batchOf(type) } };
  if (last === "merge") return { body: { ids: [duplicateOf(type)] } };
  if (last === "undo") return { body: {} };
  if (last === "convert") {
    return { body: { account: { name: "Lind & Sons" }, deal: { name: "Two berths" } } };
  }
  return method === "POST" ? { body: creation(type) } : {};
}

const duplicateOf = ({ name }: RecordType): string =>
  idOf(`duplicate_${name}`) ?? IDS.duplicate_lead;

/** Returns the sample request of an operation on records, or undefined for other operations. */
export function recordSample(types: RecordTypes, operation: Operation): Sample | undefined {
  const type = typeAt(types, operation.path);
  return type && sentTo(type, operation);
}

/** Returns the record type of an API path. */
function typeAt(types: RecordTypes, path: string): RecordType | undefined {
  const [, crm, word] = path.split("/");
  if (crm !== "crm") return undefined;
  return Object.values(types).find(({ writePath, readPaths, lists }) =>
    [writePath, ...readPaths, ...Object.values(lists).map((list) => list.path)].some(
      (known) => known.split("/")[2] === word,
    ),
  );
}

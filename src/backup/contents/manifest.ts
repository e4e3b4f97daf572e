/**
 * The manifest of a backup or tenant file. It lists the contents and the checksums to verify them. It is written last
 * and read first.
 */

import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { FromSchema } from "json-schema-to-ts";
import { messageOf, StartError } from "../../platform/errors/index.ts";

export const MANIFEST = "manifest.json";

/**
 * The maximum size of a manifest. A manifest contains about 2,000 entries of 150 bytes each, plus one for each GB of
 * data.
 */
export const MANIFEST_MAX_bytes = 64 * 1024 * 1024;

/**
 * Every part of a path starts with a letter, a digit or `_`. This rules out `..`, absolute paths
 * and hidden files.
 */
const PATH = { type: "string", maxLength: 500, pattern: "^\\w[\\w.-]*(/\\w[\\w.-]*)*$" } as const;
const TEXT = { type: "string", maxLength: 500 } as const;
const TIME = {
  type: "string",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$",
} as const;
const COUNT = { type: "integer", minimum: 0 } as const;

const FILE = {
  type: "object",
  additionalProperties: false,
  required: ["path", "bytes", "sha256"],
  properties: {
    path: PATH,
    bytes: COUNT,
    sha256: { type: "string", pattern: "^[0-9a-f]{64}$" },
  },
} as const;

const COMMON = {
  format: { const: 1 },
  /** The release of Leadport that created the backup, and its schema version. */
  release: TEXT,
  schema_version: COUNT,
  postgres_version: TEXT,
  postgres_major: COUNT,
  /**
   * When the backup was started and when it was finished. The latter is the earliest point in time that it can restore.
   */
  started_at: TIME,
  finished_at: TIME,
  /**
   * Fingerprints of the master keys that are needed to decrypt the sealed values. A backup does not contain the keys
   * themselves.
   */
  key_fingerprints: { type: "array", maxItems: 1000, items: TEXT },
  files: { type: "array", maxItems: 1_000_000, items: FILE },
} as const;

const PHYSICAL = {
  type: "object",
  additionalProperties: false,
  properties: {
    ...COMMON,
    kind: { const: "physical" },
    /** The platform on which the backup was taken. Its data files can be used only on the same platform. */
    platform: TEXT,
    system_identifier: { type: "string", pattern: "^\\d+$" },
    installation_id: { type: ["string", "null"], maxLength: 100 },
    timeline: COUNT,
    /** The first and the last log file that the backup needs. The backup contains both. */
    first_wal: { type: "string", pattern: "^[0-9A-F]{24}$" },
    last_wal: { type: "string", pattern: "^[0-9A-F]{24}$" },
    folders: { type: "array", maxItems: 100_000, items: PATH },
  },
} as const;

const TABLES = {
  type: "array",
  maxItems: 10_000,
  items: {
    type: "object",
    additionalProperties: false,
    required: ["table", "columns", "rows", "path"],
    properties: {
      table: { type: "string", pattern: "^[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)?$" },
      columns: {
        type: "array",
        maxItems: 1600,
        items: { type: "string", pattern: "^[a-z_][a-z0-9_]*$" },
      },
      rows: COUNT,
      path: PATH,
    },
  },
} as const;

const LOGICAL = {
  type: "object",
  additionalProperties: false,
  properties: {
    ...COMMON,
    kind: { const: "logical" },
    tables: TABLES,
    /** The last value that each sequence has issued. Null if the sequence has not issued any value. */
    sequences: {
      type: "array",
      maxItems: 10_000,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["sequence", "last_value"],
        properties: {
          sequence: { type: "string", pattern: "^[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)?$" },
          last_value: { type: ["string", "null"], pattern: "^-?\\d{1,20}$" },
        },
      },
    },
  },
} as const;

/**
 * A tenant file. Its sealed values can be opened with the transfer key. The list of key fingerprints contains only the
 * fingerprint of this key.
 */
const TENANT = {
  type: "object",
  additionalProperties: false,
  properties: {
    ...COMMON,
    kind: { const: "tenant" },
    tenant: {
      type: "object",
      additionalProperties: false,
      required: ["id", "handle", "name"],
      properties: {
        id: { type: "string", pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" },
        handle: { type: "string", pattern: "^[a-z][a-z0-9-]{1,49}$" },
        name: TEXT,
      },
    },
    tables: TABLES,
    /** The size of all rows, uncompressed. */
    raw_bytes: COUNT,
  },
} as const;

const complete = <const S extends { readonly properties: object }>(schema: S) => ({
  ...schema,
  required: Object.keys(schema.properties) as (keyof S["properties"] & string)[],
});

export type BackupFile = FromSchema<typeof FILE>;
export type PhysicalManifest = Required<FromSchema<typeof PHYSICAL>>;
export type LogicalManifest = Required<FromSchema<typeof LOGICAL>>;
export type TenantManifest = Required<FromSchema<typeof TENANT>>;
export type Manifest = PhysicalManifest | LogicalManifest;

const ajv = new Ajv({ allowUnionTypes: true });
const checks = {
  physical: ajv.compile<PhysicalManifest>(complete(PHYSICAL)),
  logical: ajv.compile<LogicalManifest>(complete(LOGICAL)),
  tenant: ajv.compile<TenantManifest>(complete(TENANT)),
};
interface Manifests {
  readonly physical: PhysicalManifest;
  readonly logical: LogicalManifest;
  readonly tenant: TenantManifest;
}

/** Reads and checks the manifest of a backup. Throws a StartError if it is missing, invalid, or too new. */
export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST);
  return checkedManifest(path, textOf(path), ["physical", "logical"]);
}

/** Returns a physical backup's manifest. Returns undefined for another kind of backup, or if it cannot be read. */
export function physicalManifestIn(folder: string): PhysicalManifest | undefined {
  try {
    const manifest = readManifest(folder);
    return manifest.kind === "physical" ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** Checks the text of a manifest, which must be of one of the given kinds. Throws the same errors as `readManifest`. */
export function checkedManifest<K extends keyof Manifests>(
  path: string,
  text: string,
  kinds: readonly K[],
): Manifests[K] {
  const found = parsed(path, text);
  const { format, kind } = found;
  if (typeof format === "number" && format > 1) {
    throw new StartError(
      `${path} has format ${format}, but this release reads only format 1. Restore it with the release that created it ` +
        `(${String(found["release"]).slice(0, 40)}) or a later one.`,
    );
  }
  const known = kinds.find((name) => name === kind);
  if (known === undefined) {
    throw new StartError(
      `${path} is not the manifest of a ${kinds.includes("tenant" as K) ? "tenant file" : "backup"}: its kind is ${shown(kind)}.`,
    );
  }
  const check = checks[known] as ValidateFunction<Manifests[K]>;
  const manifest: unknown = found;
  if (check(manifest)) return manifest;
  throw new StartError(`${path} is not a valid manifest: ${problemOf(check.errors)}.`);
}

function textOf(path: string): string {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) {
    throw new StartError(
      `${path} does not exist. Specify a backup folder, or a folder that contains backups.`,
    );
  }
  if (!entry.isFile()) throw new StartError(`${path} is not a regular file.`);
  if (entry.size > MANIFEST_MAX_bytes) throw new StartError(`${path} is larger than 64 MB.`);
  return readFileSync(path, "utf8");
}

function parsed(path: string, text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch (error) {
    throw new StartError(`${path} is not JSON (${messageOf(error)}).`, { cause: error });
  }
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 40) ?? "missing";

function problemOf(errors: readonly ErrorObject[] | null | undefined): string {
  const [first] = errors ?? [];
  return `${first?.instancePath || "it"} ${first?.message ?? "is invalid"}`;
}

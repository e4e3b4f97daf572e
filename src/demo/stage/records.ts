/** Actions on records, with the same checks as the API's operations. */

import { createImport, optionsIn, runImport } from "../../files/imports/index.ts";
import { ValidationError } from "../../platform/errors/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import type { Check } from "../../platform/validation/index.ts";
import { convertLead, createRecord, idOf, patchRecord } from "../../records/write/index.ts";
import { mergeRecords } from "../../records/merge/index.ts";
import { type RecordName, typeOf } from "../../records/types/index.ts";
import { writeCheck, type WriteMode } from "../../records/keys/index.ts";
import type { Writer } from "../../records/store/index.ts";
import { authorOf, type Backstage, scopeOf, writeDepsOf } from "./backstage.ts";

/** The number of the first invoice. */
const FIRST_INVOICE = 1001;

/** The ids of the records that a conversion created. */
export interface Converted {
  readonly contact_id: string;
  readonly account_id?: string;
  readonly deal_id?: string;
}

export interface DemoFile {
  readonly file_name: string;
  readonly text: string;
}

export function recordActs(backstage: Backstage) {
  const { clock } = backstage;
  const deps = writeDepsOf(backstage);
  const checks = new Map<string, Check>();
  const mustBeValid = ({ type }: Writer, mode: WriteMode, input: JsonObject): void => {
    const key = `${type.name} ${mode}`;
    const check = checks.get(key) ?? writeCheck(type, mode, clock);
    checks.set(key, check);
    const issues = check(input);
    if (issues.length > 0) throw new ValidationError(issues);
  };
  const writerOf = (name: RecordName, by: string): Writer => {
    const scope = scopeOf(backstage, by);
    return { scope, deps, author: authorOf(backstage, by), type: typeOf(scope, name) };
  };
  let invoices = FIRST_INVOICE;
  return {
    personId: (by: string): string => authorOf(backstage, by).person.id,
    nextInvoiceNumber: (): string => `INV-${invoices++}`,
    /** Creates a record and returns its id. */
    create: async (name: RecordName, input: JsonObject, by: string): Promise<string> => {
      const writer = writerOf(name, by);
      mustBeValid(writer, "create", input);
      return idOf(await createRecord(writer, input));
    },
    /** Updates a record. Does nothing if the record was not created. */
    patch: async (name: RecordName, id: string | undefined, input: JsonObject, by: string) => {
      if (id === undefined) return;
      const writer = writerOf(name, by);
      mustBeValid(writer, "update", input);
      await patchRecord(writer, { id, input });
    },
    convert: async (
      id: string,
      body: {
        readonly account?: JsonObject;
        readonly account_id?: string;
        readonly deal: JsonObject;
      },
      by: string,
    ): Promise<Converted> => {
      const { account, deal } = body;
      if (account !== undefined) mustBeValid(writerOf("account", by), "create", account);
      mustBeValid(writerOf("deal", by), "create", { ...deal, contact_id: "new" });
      const made = await convertLead(writerOf("lead", by), { id, ifMatch: undefined }, body);
      const { contact_id, account_id, opportunity_id } = made;
      return {
        contact_id: String(contact_id),
        ...(typeof account_id === "string" && { account_id }),
        ...(typeof opportunity_id === "string" && { deal_id: opportunity_id }),
      };
    },
    /** Merges records into the first one. */
    merge: async (name: RecordName, [id, ...ids]: readonly string[], by: string) => {
      if (id === undefined || ids.length === 0) return;
      await mergeRecords(writerOf(name, by), { id, ids });
    },
    /** Imports leads from a file. */
    importFile: async ({ file_name, text }: DemoFile, by: string): Promise<void> => {
      const scope = scopeOf(backstage, by);
      const author = authorOf(backstage, by);
      const options = optionsIn({ type: "lead" });
      const { id } = await createImport(scope, deps, {
        type: "lead",
        file_name,
        dry_run: false,
        options,
        person: author.person,
      });
      const bytes = inOnePiece(Buffer.from(text));
      await runImport({ scope, deps, author }, { id, bytes });
    },
  };
}

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** `POST /crm/leads/{id}/convert`: creates a contact from a lead, in one transaction. */

import type { Scope } from "../../audit/index.ts";
import type { Tx } from "../../platform/database/index.ts";
import { isDuplicate } from "../../platform/failed-statements/index.ts";
import type { EntityTags } from "../../platform/operations/index.ts";
import { AppError, ValidationError, type Issue } from "../../platform/errors/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import { type Check, extraForbidden } from "../../platform/validation/index.ts";
import {
  bodySchema,
  described,
  nullable,
  objectSchema,
  string,
  type Typed,
} from "../../platform/schemas/index.ts";
import { currentIds, findByAnyId } from "./old-ids.ts";
import { bodyOf, idOf } from "./create-many.ts";
import { draftOf, storedDraft, type Values, entryLists, openSsn } from "../body/index.ts";
import { withoutStamps } from "../schemas/index.ts";
import { refuseStale } from "./precondition.ts";
import {
  store,
  findByUnique,
  findStored,
  type Stored,
  inTransaction,
  type Writer,
} from "../store/index.ts";
import { typeOf } from "../types/index.ts";
import { createDraft, loggedFields, secretDraft } from "./write.ts";

/** Schemas in a conversion's body: the account is given by id or as a new record, and the deal is a new record. */
const RECORD = { type: ["object", "null"], additionalProperties: true } as const;

export const CONVERT_SCHEMA = bodySchema(
  "LeadConvertRequest",
  {
    account_id: nullable(
      string("The id of an existing account for the contact.", { maxLength: 100 }),
    ),
    account: described(RECORD, "The account to create, as in `POST /crm/accounts`."),
    deal: described(
      RECORD,
      "The deal to create with the contact, as in `POST /crm/opportunities`.",
    ),
  },
  [],
);

export type Conversion = Typed<typeof CONVERT_SCHEMA>;

export const CONVERT_ANSWER = objectSchema({
  lead_id: string("The id of the lead."),
  contact_id: string("The id of the contact."),
  account_id: nullable(string("The id of the account; null if there is none.")),
  opportunity_id: nullable(string("The id of the deal; null if there is none.")),
});

/** The records that a conversion may create in addition to the contact. */
const NESTED = ["account", "deal"] as const;
type Nested = (typeof NESTED)[number];

/** The checks for the account and the deal in a conversion's body. */
interface ConvertChecks {
  readonly account: Check;
  readonly deal: Check;
}

/** Makes the location of a nested record's issue relative to the whole body. */
const below =
  (name: Nested) =>
  (issue: Issue): Issue => ({ ...issue, loc: ["body", name, ...issue.loc.slice(1)] });

const ownContactIssues = ({ contact_id = null }: JsonObject): readonly Issue[] =>
  contact_id === null ? [] : [extraForbidden(["body", "deal", "contact_id"], contact_id)];

/** Throws one error with all issues of a conversion, including those of nested records. */
export function checkConversion(body: Conversion, checks: ConvertChecks): void {
  const { account_id = null, account = null, deal = null } = body;
  const msg = "Value error, send account_id or account, not both";
  const both: Issue = { type: "value_error", loc: ["body", "account"], msg, input: null };
  const issues = [
    ...(account !== null && account_id !== null ? [both] : []),
    ...(account === null ? [] : checks.account(account).map(below("account"))),
    // The deal belongs to the new contact, so it must not refer to another one.
    ...(deal === null
      ? []
      : [
          ...ownContactIssues(deal),
          ...checks.deal({ ...deal, contact_id: "new" }).map(below("deal")),
        ]),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
}

/** Converts a lead, or returns the records that an earlier conversion created. Throws 404, 409, 412 and 422. */
export async function convertLead(
  writer: Writer,
  { id: leadId, ifMatch }: { readonly id: string; readonly ifMatch: EntityTags | undefined },
  body: Conversion,
): Promise<JsonObject> {
  try {
    return await inTransaction(writer, async (within) => {
      const { scope, type } = within;
      const lead = await findByAnyId(scope, type, leadId, (id) =>
        findStored(scope, type, id, { lock: true }),
      );
      if (lead === undefined) throw new AppError("not_found");
      await refuseStale(within, lead, { ifMatch, asked: leadId });
      const lead_id = lead.body["_id"] ?? null;
      const earlier = lead.internal.converted;
      if (earlier !== undefined) return { lead_id, ...(await asOfNow(scope, lead, earlier)) };
      const created = await createParts(within, lead, body);
      await markConverted(within, lead, created);
      return { lead_id, ...created };
    });
  } catch (error) {
    throw isDuplicate(error) ? await conflictOf(writer.scope, body) : error;
  }
}

/**
 * Returns the current ids of the records that an earlier conversion created. The contact and the account may have been
 * merged since.
 */
async function asOfNow(scope: Scope, lead: Stored, earlier: JsonObject): Promise<JsonObject> {
  const account_id = earlier["account_id"] ?? null;
  const current = await currentIds(scope, typeOf(scope, "account"), [String(account_id)]);
  return {
    ...earlier,
    contact_id: lead.body["contact_id"] ?? null,
    account_id: current.get(String(account_id)) ?? account_id,
  };
}

async function createParts(
  writer: Writer<Tx>,
  lead: Stored,
  body: Conversion,
): Promise<JsonObject> {
  const { scope, deps } = writer;
  const { account_id: known = null, account = null, deal = null } = body;
  const given = account === null ? known : await createNested(writer, "account", account);
  const leadId = String(lead.body["_id"]);
  const sealed = lead.internal.ssn;
  const contact = { ...writer, type: typeOf(scope, "contact") };
  const created = await createDraft(contact, {
    draft: contactDraft(writer, lead, given),
    ssn: sealed === undefined ? undefined : openSsn(deps.sealer, scope.tenantId, leadId, sealed),
  });
  const contact_id = idOf(created);
  // The account's current id. It differs from the id in the request if the account was merged.
  const account_id = bodyOf(created)["account_id"] ?? null;
  const opportunity_id =
    deal === null
      ? null
      : await createNested(writer, "deal", {
          ...deal,
          account_id: deal["account_id"] ?? account_id,
          contact_id,
        });
  return { contact_id, account_id, opportunity_id };
}

/** Creates a nested record and returns its id. */
async function createNested(writer: Writer<Tx>, name: Nested, input: JsonObject): Promise<string> {
  try {
    const nested = { ...writer, type: typeOf(writer.scope, name) };
    return idOf(await createDraft(nested, secretDraft(nested, input)));
  } catch (error) {
    throw error instanceof ValidationError
      ? new ValidationError(error.issues.map(below(name)))
      : error;
  }
}

/**
 * Returns the 409 error for a nested record whose external id is taken. Looks up the existing record, so call it after
 * the transaction has ended.
 */
async function conflictOf(scope: Scope, body: Conversion): Promise<AppError> {
  for (const name of NESTED) {
    const external_id = body[name]?.["external_id"];
    if (typeof external_id !== "string") continue;
    const type = typeOf(scope, name);
    const existing_id = await findByUnique(scope, type, "external_id", external_id);
    if (existing_id === undefined) continue;
    const detail = `There is already a record of type ${name} with this external_id`;
    return new AppError("conflict", { detail, members: { existing_id } });
  }
  return new AppError("conflict");
}

/** Returns the draft of the contact, with the fields that leads and contacts have in common. */
function contactDraft({ scope, author, type }: Writer, lead: Stored, account_id: Json) {
  const { values, stands } = storedDraft(type, lead.body, lead.internal);
  const contact = typeOf(scope, "contact");
  // The lead's lists are kept as stored, with the country of each number and even if they are long.
  const kept = ["ssn", ...entryLists(contact).flat()];
  const carried = ["match_preferences_dict", "partner_id", "pushed_lead_id"];
  const fields = [...Object.keys(contact.fields), ...carried].filter(
    (name) => !kept.includes(name),
  );
  const valuesOf = (names: readonly string[]): Values =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
  const input: Values = {
    ...valuesOf(fields),
    // The external id belongs to the lead. In the external system, the contact is a different record.
    external_id: null,
    account_id,
    source_lead_id: lead.body["_id"] ?? null,
  };
  const draft = draftOf(contact, input, author.country);
  return { values: { ...draft.values, ...valuesOf(kept) }, stands };
}

async function markConverted(
  writer: Writer<Tx>,
  stored: Stored,
  created: JsonObject,
): Promise<void> {
  const contact_id = created["contact_id"] ?? null;
  const { internal } = stored;
  const before = withoutStamps(stored.body);
  const body = { ...before, converted_to_contact: true, contact_id };
  const next = {
    id: String(before["_id"]),
    body,
    internal: { ...internal, converted: created },
    fields: loggedFields(writer.type, before, body),
  };
  await store(writer, { kind: "updated", records: [{ stored, next }], action: "converted" });
}

/** The report about a person: the records that an administrator chooses from, and everything stored about them. */

import { logChange, type Scope } from "../audit/index.ts";
import { type Db, transaction } from "../platform/database/index.ts";
import { ValidationError } from "../platform/errors/index.ts";
import { isoSeconds } from "../platform/clock/index.ts";
import { valueError } from "../platform/validation/index.ts";
import { type CountryCode, personKeys } from "../records/contact-details/index.ts";
import { legalHolds } from "./clear-records.ts";
import { type PrivacyDeps, storeReport } from "./reports.ts";
import {
  findMentions,
  findPerson,
  joinTerms,
  matcherOf,
  MENTIONS_MAX,
  readStored,
  recipientsOf,
  SECTION_MAX,
  termsIn,
  termsOf,
} from "./person/index.ts";

export interface Searched {
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** Finds a person and stores which records were found. Throws 422 for an invalid address or number. */
export async function reportPerson(
  scope: Scope<Db>,
  deps: PrivacyDeps,
  searched: Searched,
  country: CountryCode,
) {
  const keys = personKeys(searched, country);
  const issues = (["email", "phone"] as const).flatMap((name) => {
    const given = searched[name] ?? null;
    if (given === null || keys[name] !== null) return [];
    const what = name === "email" ? "an email address" : "a phone number";
    return [{ ...valueError(`this is not ${what}`), loc: ["body", name], input: given }];
  });
  if (issues.length > 0) throw new ValidationError(issues);
  const found = await findPerson(scope, keys);
  const records = found.all();
  const data = await readStored(scope, records, matcherOf(termsOf(keys)));
  const own = new Set(records.flatMap(({ effect, id }) => (effect === "erase" ? [id] : [])));
  const known = joinTerms(
    termsOf(keys),
    ...data.records
      .filter(({ record }) => own.has(String(record["_id"])))
      .map(({ record }) => termsIn(record)),
    ...data.pushed_leads.map(termsIn),
  );
  const mentions = await findMentions(scope, known, found);
  const recipients = await recipientsOf(scope, records);
  const legal_holds = await legalHolds(scope, {
    records: records.map(({ type, id }) => ({ type, id, effect: "erase" as const })),
  });
  const report = await storeReport(scope, deps, keys, records);
  // The audit log shows who created the report and how many records it found, but nothing about the person.
  await transaction(scope.db, (db) =>
    logChange({ ...scope, db }, deps.makeId, {
      subjectType: "person_report",
      subjectId: report.id,
      action: "created",
      fields: { records: [null, records.length] },
    }),
  );
  const sections = Object.values(data);
  return {
    report_id: report.id,
    created_ts: report.created_ts,
    created_date: isoSeconds(report.created_ts),
    expires_ts: report.expires_ts,
    expires_date: isoSeconds(report.expires_ts),
    searched: keys,
    records,
    mentions,
    recipients,
    legal_holds,
    counts: Object.fromEntries(Object.entries(data).map(([name, rows]) => [name, rows.length])),
    is_complete:
      sections.every(({ length }) => length < SECTION_MAX) && mentions.length < MENTIONS_MAX,
    data,
  };
}

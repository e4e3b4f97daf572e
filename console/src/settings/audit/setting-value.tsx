/**
 * A value of a setting, partner or partner lead in the audit log, formatted for users: as a date,
 * percentage, name or option.
 */

import { t } from "../../text/index.ts";
import { dateTime, isNothing, rate, words } from "../../ui/format/index.ts";
import { Moment, NestedValue } from "../../ui/lists/index.ts";
import { PartnerLink, RecordLink, UserName } from "../../names/index.ts";
import { typeNamed } from "../../record/index.ts";

export interface SettingValueProps {
  readonly name: string;
  readonly value: unknown;
}

/** Labels for permissions of access tokens. Permissions of partners are labeled like options. */
const RIGHTS: Readonly<Record<string, string | undefined>> = t.integrations.rights;
const MOMENT = /_(ts|date)$/;
/**
 * Fields with text written by users. In other fields, lowercase strings with underscores are
 * options.
 */
const WRITTEN = new Set(["name", "email", "description", "comments", "reason", "file_name", "url"]);
const OPTION = /^[a-z]+([_-][a-z]+)*$/;

export function SettingValue({ name, value }: SettingValueProps) {
  if (isNothing(value)) return t.audit.emptyValue;
  if (typeof value === "number") {
    if (MOMENT.test(name)) return <Moment at={value} text={dateTime(value)} />;
    if (name === "commission_rate") return rate(value);
  }
  if (typeof value === "string") {
    if (name === "partner_id") return <PartnerLink id={value} />;
    if (name === "userid") return <UserName id={value} />;
    if (name === "imported_lead_id") return <RecordLink to={typeNamed("lead")} id={value} />;
    return optionOr(name, value);
  }
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    const labelOf = (item: string) => (name === "permissions" ? RIGHTS[item] : undefined);
    return value.map((item: string) => labelOf(item) ?? optionOr(name, item)).join(", ");
  }
  return <NestedValue value={value} />;
}

const optionOr = (name: string, text: string): string =>
  OPTION.test(text) && !WRITTEN.has(name) ? words(text) : text;

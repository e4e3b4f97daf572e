/** The filter conditions of kinds whose values compare in the same way. */

import { useSession } from "../../api/index.ts";
import { usePartnerNames, useRecordNames, useUserNames } from "../../names/index.ts";
import { typesNamedBy } from "../../record/index.ts";
import { t } from "../../text/index.ts";
import { date, words } from "../../ui/format/index.ts";
import { startOfDay } from "../../ui/days/index.ts";
import type { Filtering } from "../kind/index.ts";

export const TEXT: Filtering = { kind: "text", input: (inputs) => inputs.TextCondition };

export const CHOICES: Filtering = {
  kind: "choice",
  input: (inputs) => inputs.ChoicesCondition,
  useText: () => words,
};

export const TAGS: Filtering = { kind: "tags", input: (inputs) => inputs.TagsCondition };

export const NUMBERS: Filtering = { kind: "number", input: (inputs) => inputs.NumbersCondition };

export const DAYS: Filtering = {
  kind: "day",
  input: (inputs) => inputs.DaysCondition,
  useText: () => (day) => date(startOfDay(day)),
};

export const ENTRIES: Filtering = { kind: "entries", input: (inputs) => inputs.TextCondition };

/** All operators on booleans are complete without a value. */
export const FLAGS: Filtering = { kind: "flag", input: (inputs) => inputs.TextCondition };

export const RECORDS: Filtering = {
  kind: "reference",
  input: (inputs) => inputs.RecordsCondition,
  useText: (type, name, values) => useRecordNames(typesNamedBy(type, name), values),
};

export const PARTNERS: Filtering = {
  kind: "partner",
  input: (inputs) => inputs.PartnersCondition,
  useText: () => {
    const { partners } = usePartnerNames();
    return (id) => partners?.find((partner) => partner.id === id)?.name ?? t.record.unknown;
  },
};

export const USERS: Filtering = {
  kind: "person",
  input: (inputs) => inputs.UsersCondition,
  useText: () => {
    const { person } = useSession();
    const users = useUserNames();
    return (id) =>
      id === person.id
        ? t.table.builder.me
        : (users.find((user) => user.id === id)?.name ?? t.record.unknown);
  },
};

/** The audit log's filters: item, action, actor and time. */

import { Button, TextInput } from "@mantine/core";
import type { AccessToken, Change } from "@leadport/client";
import { useList } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { DayRange, FilterGrid, SearchSelect, useTyped } from "../../ui/forms/index.ts";
import { wordOptions, words } from "../../ui/format/index.ts";
import { usePartnerNames, useUserNames } from "../../names/index.ts";
import { ACTIONS, auditedTypes, subjectLabel } from "./audit-words.ts";
import { type AuditSearch, type Choice, readAuditSearch, withPresent } from "../search/index.ts";

const text = t.audit;

export interface AuditFiltersProps {
  readonly search: AuditSearch;
  /** The loaded entries. Their actors can be selected. */
  readonly entries: readonly Change[];
  readonly onChange: (search: AuditSearch) => void;
}

export function AuditFilters({ search, entries, onChange }: AuditFiltersProps) {
  const actors = useActors(entries);
  const change = (part: object) => onChange(readAuditSearch({ ...search, ...part }));
  const set = (name: keyof AuditSearch, value: string | null) => change({ [name]: value });
  const id = useTyped(search.subject_id ?? "", (typed) => set("subject_id", typed));
  const chosen = (name: keyof AuditSearch, choices: readonly Choice[]): Choice[] =>
    search[name] === undefined ? [...choices] : withPresent(choices, search[name]);
  return (
    <>
      <FilterGrid label={text.filters}>
        <SearchSelect
          label={text.what}
          placeholder={text.anyItem}
          clearable
          data={chosen(
            "subject_type",
            auditedTypes().map((value) => ({ value, label: subjectLabel(value) })),
          )}
          value={search.subject_type ?? null}
          onChange={(value) => set("subject_type", value)}
          clearButtonProps={{ "aria-label": text.clear }}
        />
        <TextInput
          label={text.recordId}
          spellCheck={false}
          value={id.text}
          onChange={({ currentTarget }) => id.type(currentTarget.value)}
        />
        <SearchSelect
          label={text.action}
          placeholder={text.anyAction}
          clearable
          data={chosen("action", wordOptions(ACTIONS))}
          value={search.action ?? null}
          onChange={(value) => set("action", value)}
          clearButtonProps={{ "aria-label": text.clear }}
        />
        <SearchSelect
          label={text.who}
          placeholder={text.anyone}
          clearable
          data={chosen("actor_id", actors)}
          value={search.actor_id ?? null}
          onChange={(value) => set("actor_id", value)}
          clearButtonProps={{ "aria-label": text.clear }}
        />
        <DayRange labels={text} value={search} onChange={change} />
      </FilterGrid>
      {Object.keys(search).length > 0 && (
        <Button
          variant="default"
          size="xs"
          mb="md"
          onClick={() => {
            id.clear();
            onChange({});
          }}
        >
          {text.clear}
        </Button>
      )}
    </>
  );
}

/**
 * Returns the actors to choose from: the system, users, access tokens, partners, and the actors in
 * the loaded entries.
 */
function useActors(entries: readonly Change[]): readonly Choice[] {
  const tokens = useList<AccessToken>("/crm/admin/access_tokens").items;
  const people = useUserNames();
  const { partners = [] } = usePartnerNames();
  const labelled = (name: string, kind: string) => `${name} (${text.kinds[kind] ?? words(kind)})`;
  const byId = new Map([
    ["service", text.service],
    ...people.map(({ id, name }) => [id, labelled(name, "person")] as const),
    ...tokens.map(({ id, name }) => [id, labelled(name, "token")] as const),
    ...partners.map(({ id, name }) => [id, labelled(name, "partner")] as const),
    ...entries
      .filter(({ actor: { kind } }) => kind !== "service")
      .map(({ actor: { id, name, kind } }) => [id, labelled(name, kind)] as const),
  ]);
  return [...byId].map(([value, label]) => ({ value, label }));
}

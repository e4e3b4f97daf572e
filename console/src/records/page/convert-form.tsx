/** The form that converts a lead to a contact, optionally with an account and a deal. */

import { Checkbox, Input, SegmentedControl, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { isInvalid } from "@leadport/client";
import { ask, issuesByPlace, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { FormEnd } from "../../ui/forms/index.ts";
import {
  type Draft,
  type RecordType,
  type Stored,
  typeLabel,
  typeNamed,
  writePath,
} from "../../record/index.ts";
import { Converted, type Conversion } from "./converted.tsx";
import {
  bodyOf,
  emptyDraft,
  FieldInput,
  type Issues,
  messageAt,
  ReferenceInput,
} from "../form/index.ts";
import { recordQuery, refreshLists } from "../../requests/index.ts";

type AccountChoice = "none" | "existing" | "new";

export interface ConvertFormProps {
  readonly lead: Stored;
  readonly onClose: () => void;
}

export function ConvertForm({ lead, onClose }: ConvertFormProps) {
  const leadType = typeNamed("lead");
  const account = typeNamed("account");
  const deal = typeNamed("deal");
  const employer = lead["employer_name"] ?? null;
  const [choice, setChoice] = useState<AccountChoice>(employer === null ? "none" : "new");
  const [accountId, setAccountId] = useState<string | null>(null);
  const [newAccount, setNewAccount] = useState(() =>
    emptyDraft(account, { name: employer, website: lead["website"] }),
  );
  const [hasDeal, setHasDeal] = useState(false);
  const [newDeal, setNewDeal] = useState(() => emptyDraft(deal, { name: lead.name }));
  const [made, setMade] = useState<Conversion>();
  const queries = useQueryClient();
  const converting = useSending(
    async (body: Draft) => {
      const path = `${writePath(leadType, lead._id)}/convert`;
      return (await ask<Conversion>("post", path, { body, ifMatch: lead.version })).data;
    },
    async (converted) => {
      setMade(converted);
      await queries.invalidateQueries({ queryKey: recordQuery(leadType, lead._id).queryKey });
      await refreshLists(queries);
    },
  );
  if (made !== undefined) return <Converted made={made} onClose={onClose} />;
  const issues = issuesByPlace(converting.error);
  const isPlaced =
    isInvalid(converting.error) &&
    Object.keys(issues).every((place) => /^(account_id$|account\.|deal\.)/.test(place));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    converting.send({
      ...(choice === "existing" && { account_id: accountId }),
      ...(choice === "new" && { account: bodyOf(account, newAccount) }),
      ...(hasDeal && { deal: bodyOf(deal, newDeal) }),
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm">{t.record.convertHint}</Text>
        <Input.Wrapper label={t.record.convertAccount} labelElement="div">
          <SegmentedControl
            fullWidth
            mt={4}
            aria-label={t.record.convertAccount}
            value={choice}
            onChange={(picked) => setChoice(picked)}
            data={[
              { value: "none", label: t.record.accountNone },
              { value: "existing", label: t.record.accountExisting },
              { value: "new", label: t.record.accountNew },
            ]}
          />
        </Input.Wrapper>
        {choice === "existing" && (
          <ReferenceInput
            to={account}
            label={t.record.accountToChoose}
            required
            value={accountId}
            onChange={setAccountId}
            error={messageAt(issues, "account_id")}
          />
        )}
        {choice === "new" && (
          <Nested
            within="account"
            type={account}
            names={["name", "website", "industry", "relationship_type"]}
            draft={newAccount}
            issues={issues}
            onChange={setNewAccount}
          />
        )}
        <Checkbox
          label={t.record.convertDeal}
          checked={hasDeal}
          onChange={({ currentTarget }) => setHasDeal(currentTarget.checked)}
        />
        {hasDeal && (
          <Nested
            within="deal"
            type={deal}
            names={["name", "value_of_sale", "stage", "expected_close_date"]}
            draft={newDeal}
            issues={issues}
            onChange={setNewDeal}
          />
        )}
        {!isPlaced && <Failure error={converting.error} />}
        <FormEnd
          onCancel={onClose}
          isSending={converting.isSending}
          submit={t.record.convert}
          disabled={choice === "existing" && accountId === null}
        />
      </Stack>
    </form>
  );
}

interface NestedProps {
  /** The member of the request body that contains the record. */
  readonly within: "account" | "deal";
  readonly type: RecordType;
  readonly names: readonly string[];
  readonly draft: Draft;
  readonly issues: Issues;
  readonly onChange: (draft: Draft) => void;
}

/** Inputs for some fields of a record that is created along with the contact. */
const Nested = ({ within, type, names, draft, issues, onChange }: NestedProps) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
    {names.map((name) => (
      <FieldInput
        key={name}
        type={type}
        name={name}
        place={`${within}.${name}`}
        // The contact and the account both have a name, so each label includes the record type.
        {...(name === "name" && { label: t.record.nameOfType(typeLabel(type).one) })}
        draft={draft}
        issues={issues}
        onChange={(changes) => onChange({ ...draft, ...changes })}
      />
    ))}
  </SimpleGrid>
);

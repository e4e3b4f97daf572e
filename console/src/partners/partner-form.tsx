/** The form that creates or edits a partner. */

import { NumberInput, Stack, Switch, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import type { PartnerRequest } from "@leadport/client";
import { typeNamed } from "../record/index.ts";
import { t } from "../text/index.ts";
import { partnerTexts } from "../text/partners.ts";
import { AddressList, SaveBar, SearchMultiSelect } from "../ui/forms/index.ts";
import { Section } from "../ui/frame/index.ts";
import type { Sending } from "../api/index.ts";
import { StatusInput } from "./status-input.tsx";
import { PermissionInput } from "./permission-input.tsx";
import type { Partner } from "./partner.ts";
import { wordOptions } from "../ui/format/index.ts";

const SETTINGS = [
  "name",
  "status",
  "auto_accept",
  "can_push",
  "allowed_marketing_sources",
  "permissions",
  "commission_rate",
  "rate_limit",
  "ip_allow_list",
] as const satisfies readonly (keyof Partner)[];

type PartnerSettings = Pick<Partner, (typeof SETTINGS)[number]>;

/** The form's values. A missing number is an empty string. */
export type PartnerValues = Omit<PartnerSettings, "commission_rate" | "rate_limit"> & {
  readonly commission_rate: number | string;
  readonly rate_limit: number | string;
};

/**
 * Most partners only submit leads, check for duplicates and follow their leads. Reading records
 * is optional.
 */
const NEW: PartnerValues = {
  name: "",
  status: "active",
  auto_accept: false,
  can_push: true,
  allowed_marketing_sources: [],
  permissions: ["lookup", "analytics"],
  commission_rate: 0,
  rate_limit: "",
  ip_allow_list: [],
};

/** Converts a partner to the form's values. */
export function partnerValues(partner: Partner): PartnerValues {
  const settings = Object.fromEntries(SETTINGS.map((name) => [name, partner[name]]));
  return { ...(settings as unknown as PartnerSettings), rate_limit: partner.rate_limit ?? "" };
}

/** Converts the form's values to a request body. */
export const partnerBody = ({
  commission_rate,
  rate_limit,
  ...values
}: PartnerValues): PartnerRequest => ({
  ...values,
  commission_rate: commission_rate === "" ? 0 : Number(commission_rate),
  rate_limit: rate_limit === "" ? null : Number(rate_limit),
});

export type PartnerFormState = UseFormReturnType<PartnerValues>;

/** Returns the form's state, initialized with a partner's settings or with the defaults for a new partner. */
export const usePartnerForm = (partner?: Partner): PartnerFormState =>
  useForm({ initialValues: partner === undefined ? NEW : partnerValues(partner) });

export interface PartnerFormProps {
  readonly form: PartnerFormState;
  readonly sending: Sending<PartnerValues>;
  readonly submit: string;
}

export function PartnerForm({ form, sending, submit }: PartnerFormProps) {
  const { issues } = sending;
  return (
    <form onSubmit={form.onSubmit(sending.send)}>
      <Stack gap="md" maw={960}>
        <Section title={partnerTexts.basics}>
          <TextInput
            label={partnerTexts.name}
            description={partnerTexts.nameHint}
            required
            maxLength={200}
            maw={480}
            {...form.getInputProps("name")}
            error={issues["name"]}
          />
          <StatusInput {...form.getInputProps("status")} />
          <Switch
            label={partnerTexts.canPush}
            {...form.getInputProps("can_push", { type: "checkbox" })}
          />
          <Switch
            label={partnerTexts.autoAcceptLabel}
            description={partnerTexts.autoAcceptHint}
            {...form.getInputProps("auto_accept", { type: "checkbox" })}
          />
          <SearchMultiSelect
            label={partnerTexts.sourcesLabel}
            description={partnerTexts.sourcesHint}
            data={wordOptions(typeNamed("lead").fields["source"]?.options ?? [])}
            clearable
            maw={640}
            clearButtonProps={{ "aria-label": t.common.remove }}
            {...form.getInputProps("allowed_marketing_sources")}
            error={issues["allowed_marketing_sources"]}
          />
          <PermissionInput {...form.getInputProps("permissions")} error={issues["permissions"]} />
        </Section>
        <Section title={partnerTexts.money}>
          <NumberInput
            label={partnerTexts.rateLabel}
            description={partnerTexts.rateHint}
            suffix=" %"
            min={0}
            max={100}
            clampBehavior="none"
            maw={320}
            {...form.getInputProps("commission_rate")}
            error={issues["commission_rate"]}
          />
          <NumberInput
            label={partnerTexts.rateLimit}
            description={partnerTexts.rateLimitHint}
            placeholder={partnerTexts.rateLimitFallback}
            min={0}
            allowDecimal={false}
            clampBehavior="none"
            maw={320}
            {...form.getInputProps("rate_limit")}
            error={issues["rate_limit"]}
          />
          <AddressList
            value={form.values.ip_allow_list}
            onChange={(ranges) => form.setFieldValue("ip_allow_list", ranges)}
            error={issues["ip_allow_list"]}
          />
        </Section>
        <SaveBar sending={sending} isDirty={form.isDirty()} submit={submit} />
      </Stack>
    </form>
  );
}

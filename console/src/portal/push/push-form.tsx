/** The form that submits a lead. If the service rejects the lead, the input is kept. */

import type { PushedLead } from "@leadport/client";
import {
  Box,
  Button,
  Card,
  Checkbox,
  Group,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { api, earlierPushOf, useSending } from "../../api/index.ts";
import { portalTexts } from "../../text/portal.ts";
import { Failure } from "../../ui/states/index.ts";
import { asPartner, DayInput, usePartner } from "../partner/index.ts";
import { PreferencesInput } from "./preferences-input.tsx";
import { PushedBefore } from "./pushed-before.tsx";
import {
  bodyOf,
  initialValues,
  isConfirmed,
  isDoubtful,
  validate,
  type PushValues,
} from "./push-values.ts";
import { wordOptions } from "../../ui/format/index.ts";
import { today } from "../../ui/days/index.ts";

export function PushForm({ onDone }: { readonly onDone: (lead: PushedLead) => void }) {
  const { partner_id, allowed_marketing_sources: sources } = usePartner();
  const state = useRouterState({ select: ({ location }) => location.state });
  const queries = useQueryClient();
  const form = useForm<PushValues>({ initialValues: initialValues(sources, state), validate });
  const push = useSending(
    async (values: PushValues) =>
      api.post("/crm/partner/push", { body: bodyOf(values), ...asPartner(partner_id) }),
    (lead) => {
      void queries.invalidateQueries();
      onDone(lead);
    },
  );
  const { issues } = push;
  const earlier = earlierPushOf(push.error);
  const { fields, push: texts } = portalTexts;
  return (
    <Card withBorder maw={720} padding="lg">
      <form
        noValidate
        onSubmit={form.onSubmit(push.send, (errors) => {
          const [first] = Object.keys(errors);
          if (first !== undefined) form.getInputNode(first)?.focus();
        })}
      >
        <Stack gap="md">
          <TextInput
            label={fields.name}
            required
            maxLength={500}
            autoComplete="off"
            {...form.getInputProps("name")}
            error={form.errors["name"] ?? issues["name"]}
          />
          <Group gap="md" align="flex-start" grow preventGrowOverflow={false}>
            <EmailInput form={form} issue={issues["email"]} />
            <TextInput
              label={fields.phone}
              type="tel"
              maxLength={50}
              autoComplete="off"
              miw={200}
              {...form.getInputProps("phone")}
              error={issues["phone"]}
            />
          </Group>
          {sources.length === 0 ? (
            <Text size="sm">
              {fields.source}: {texts.unknownSource}
            </Text>
          ) : (
            <Select
              label={fields.source}
              description={texts.sourceHint}
              data={wordOptions(sources)}
              allowDeselect={false}
              maw={340}
              {...form.getInputProps("source")}
              error={issues["source"]}
            />
          )}
          <Textarea
            label={fields.description}
            description={texts.descriptionHint}
            autosize
            minRows={2}
            maxRows={10}
            maxLength={10_000}
            {...form.getInputProps("description")}
            error={issues["description"]}
          />
          <Textarea
            label={fields.comments}
            description={texts.commentsHint}
            autosize
            minRows={2}
            maxRows={10}
            maxLength={5000}
            {...form.getInputProps("comments")}
            error={issues["comments"]}
          />
          <PreferencesInput form={form} error={issues["match_preferences"]} />
          <DayInput
            label={fields.expiration}
            description={texts.expirationHint}
            minDate={today()}
            {...form.getInputProps("expires")}
            error={issues["expiration_date"]}
          />
          {earlier === undefined ? (
            <Failure error={push.unplaced} />
          ) : (
            <PushedBefore {...earlier} />
          )}
          <Button type="submit" loading={push.isSending} style={{ alignSelf: "flex-start" }}>
            {texts.submit}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}

interface EmailInputProps {
  readonly form: UseFormReturnType<PushValues>;
  /** The service's message about the field. */
  readonly issue: string | undefined;
}

/**
 * Warns about an email address that looks invalid as soon as it is entered. The partner can submit
 * it anyway.
 */
function EmailInput({ form, issue }: EmailInputProps) {
  const { values, errors } = form;
  const { emailAnyway, emailDoubtful } = portalTexts.push;
  const confirmed = isConfirmed(values);
  const isAsked = isDoubtful(values) && (confirmed || errors["email"] !== undefined);
  const input = form.getInputProps("email");
  return (
    <Box miw={200}>
      <TextInput
        label={portalTexts.fields.email}
        type="email"
        maxLength={254}
        autoComplete="off"
        {...input}
        onBlur={() => {
          if (isDoubtful(values) && !confirmed) form.setFieldError("email", emailDoubtful);
        }}
        error={errors["email"] ?? issue}
      />
      {isAsked && (
        <Checkbox
          mt="xs"
          label={emailAnyway}
          checked={confirmed}
          onChange={({ currentTarget: { checked } }) => {
            form.setFieldValue("confirmedEmail", checked ? values.email : "");
            if (checked) form.clearFieldError("email");
            else form.setFieldError("email", emailDoubtful);
          }}
        />
      )}
    </Box>
  );
}

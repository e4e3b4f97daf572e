/** Match preferences: rows of names and values. */

import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { portalTexts } from "../../text/portal.ts";
import type { PushValues } from "./push-values.ts";
import { newPreference } from "../sending/index.ts";

const MOST = 50;

export interface PreferencesInputProps {
  readonly form: UseFormReturnType<PushValues>;
  readonly error: string | undefined;
}

export function PreferencesInput({ form, error }: PreferencesInputProps) {
  const { preferences } = form.values;
  const texts = portalTexts.push;
  return (
    <Fieldset legend={portalTexts.fields.preferences}>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.preferencesHint}
      </Text>
      <Stack gap="xs">
        {preferences.map(({ id }, at) => (
          <Group key={id} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={texts.preferenceKey(at + 1)}
              placeholder={texts.keyLabel}
              maxLength={100}
              flex={1}
              miw={0}
              {...form.getInputProps(`preferences.${at}.key`)}
            />
            <TextInput
              aria-label={texts.preferenceValue(at + 1)}
              placeholder={texts.valueLabel}
              maxLength={500}
              flex={1}
              miw={0}
              {...form.getInputProps(`preferences.${at}.value`)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={texts.removePreference(at + 1)}
              onClick={() => form.removeListItem("preferences", at)}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {error !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
        {preferences.length < MOST && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => form.insertListItem("preferences", newPreference())}
            style={{ alignSelf: "flex-start" }}
          >
            {texts.addPreference}
          </Button>
        )}
      </Stack>
    </Fieldset>
  );
}

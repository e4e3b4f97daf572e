/** Profiles of somebody: a network and an address each. */

import { ActionIcon, Button, Group, Input, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import { fieldLabel } from "../record/index.ts";
import { messageAt, type FieldProps } from "./field-props.ts";

type Profile = Readonly<Record<string, unknown>>;

/** The member that names the network: the one that is there, else `type`. */
const networkOf = (profile: Profile): "type" | "platform" =>
  typeof profile["type"] !== "string" && typeof profile["platform"] === "string"
    ? "platform"
    : "type";

export function SocialsInput({ name, place = name, draft, issues, onChange }: FieldProps) {
  const profiles = (draft[name] ?? []) as readonly Profile[];
  const set = (next: readonly Profile[]) => onChange({ [name]: next });
  const change = (at: number, changes: Profile) =>
    set(profiles.map((profile, index) => (index === at ? { ...profile, ...changes } : profile)));
  return (
    <Input.Wrapper
      component="fieldset"
      bd={0}
      p={0}
      m={0}
      labelElement="div"
      error={messageAt(issues, place)}
    >
      <Input.Label component="legend" p={0} mb={4}>
        {fieldLabel(name)}
      </Input.Label>
      <Stack gap="xs">
        {profiles.map((profile, at) => (
          <Group key={at} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              w={150}
              aria-label={t.record.networkOf(at + 1)}
              placeholder={t.record.network}
              value={String(profile[networkOf(profile)] ?? "")}
              error={messageAt(issues, `${place}.${at}.type`)}
              onChange={({ currentTarget }) =>
                change(at, { [networkOf(profile)]: currentTarget.value })
              }
            />
            <TextInput
              flex={1}
              inputMode="url"
              aria-label={t.record.addressOf(at + 1)}
              placeholder="https://"
              value={String(profile["url"] ?? "")}
              error={messageAt(issues, `${place}.${at}.url`)}
              onChange={({ currentTarget }) => change(at, { url: currentTarget.value })}
            />
            <ActionIcon
              size={36}
              variant="subtle"
              color="gray"
              aria-label={t.record.removeProfile(at + 1)}
              onClick={() => set(profiles.filter((_, index) => index !== at))}
            >
              <IconTrash size={18} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          w="fit-content"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set([...profiles, { type: "", url: "" }])}
        >
          {t.record.addProfile}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

/** The signed-in user's own account: name, password, two-factor authentication, sessions. */

import { Button, Group, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { api, sessionQuery, useSending, useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { Failure } from "../ui/states/index.ts";
import { PageHeader, Section } from "../ui/frame/index.ts";
import { OwnSecondFactor } from "./own-second-factor.tsx";
import { OwnSessions } from "./own-sessions.tsx";

export default function Profile() {
  const { person, tenant } = useSession();
  return (
    <>
      <PageHeader
        title={t.profile.title}
        hint={`${person.email} · ${t.shell.roles[person.role]} · ${tenant.name}`}
      />
      <Stack gap="lg" maw={760}>
        <Name />
        <Password />
        <OwnSecondFactor />
        <OwnSessions />
      </Stack>
    </>
  );
}

function Name() {
  const { person } = useSession();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { name: person.name } });
  const saving = useSending(
    async (body: typeof form.values) => api.patch("/auth/profile", { body }),
    (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
      notifications.show({ message: t.profile.saved });
    },
  );
  return (
    <Section title={t.profile.nameTitle}>
      <Failure error={saving.unplaced} />
      <form onSubmit={form.onSubmit(saving.send)}>
        <Group align="flex-end">
          <TextInput
            label={t.profile.name}
            autoComplete="name"
            required
            flex={1}
            {...form.getInputProps("name")}
            error={saving.issues["name"]}
          />
          <Button
            type="submit"
            variant="default"
            loading={saving.isSending}
            disabled={form.values.name === person.name}
          >
            {t.common.save}
          </Button>
        </Group>
      </form>
    </Section>
  );
}

function Password() {
  const { person } = useSession();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { current_password: "", new_password: "" } });
  const changing = useSending(
    async (body: typeof form.values) => api.post("/auth/password", { body }),
    async (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
      form.reset();
      notifications.show({ message: t.profile.changed });
      await queries.invalidateQueries({ queryKey: ["own-sessions"] });
    },
  );
  const { issues } = changing;
  return (
    <Section title={t.profile.passwordTitle}>
      <Failure error={changing.unplaced} />
      <form onSubmit={form.onSubmit(changing.send)}>
        {/* Provides the account name to password managers. */}
        <input
          type="hidden"
          name="username"
          autoComplete="username"
          value={person.email}
          readOnly
        />
        <Stack gap="sm">
          <PasswordInput
            label={t.profile.current}
            autoComplete="current-password"
            required
            {...form.getInputProps("current_password")}
            error={issues["current_password"]}
          />
          <PasswordInput
            label={t.profile.fresh}
            description={t.profile.freshHint}
            autoComplete="new-password"
            required
            minLength={10}
            {...form.getInputProps("new_password")}
            error={issues["new_password"]}
          />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={changing.isSending}>
              {t.profile.change}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

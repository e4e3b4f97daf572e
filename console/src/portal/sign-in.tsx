/** The partners' door: Partner ID and access code. */

import { Alert, Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { ask } from "../api/client.ts";
import { t } from "../text/index.ts";
import { Door } from "../ui/door.tsx";
import { Failure } from "../ui/failure.tsx";
import { useSending } from "../ui/use-sending.ts";

const route = getRouteApi("/partner/sign-in");

export default function PartnerSignIn() {
  const { to = "/partner", ended } = route.useSearch();
  const router = useRouter();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { partner_id: "", access_code: "" } });
  const signIn = useSending(
    async (body: typeof form.values) =>
      ask("post", "/auth/partner/sign_in", { body, idempotencyKey: false }),
    () => {
      queries.clear();
      router.history.push(to);
    },
  );
  return (
    <Door
      title={t.portal.signInTitle}
      hint={t.portal.hint}
      other={{ to: "/sign-in", label: t.portal.tenantsDoor }}
    >
      {ended === true && signIn.error === null && (
        <Alert color="yellow" role="status">
          {t.portal.ended}
        </Alert>
      )}
      {signIn.error !== null && <Failure error={signIn.error} />}
      <form onSubmit={form.onSubmit(signIn.send)}>
        <TextInput
          label={t.portal.partnerId}
          autoComplete="username"
          required
          autoFocus
          {...form.getInputProps("partner_id")}
          error={signIn.issues["partner_id"]}
        />
        <PasswordInput
          label={t.portal.accessCode}
          autoComplete="current-password"
          required
          mt="sm"
          {...form.getInputProps("access_code")}
          error={signIn.issues["access_code"]}
        />
        <Button type="submit" fullWidth mt="lg" loading={signIn.isSending}>
          {t.portal.submit}
        </Button>
      </form>
    </Door>
  );
}

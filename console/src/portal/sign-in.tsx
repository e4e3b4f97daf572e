/** The partners' door: Partner ID and access code. */

import { Alert, Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { ask, useSending } from "../api/index.ts";
import { portalTexts } from "../text/portal.ts";
import { Door } from "../ui/frame/index.ts";
import { Failure } from "../ui/states/index.ts";

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
      title={portalTexts.signInTitle}
      hint={portalTexts.hint}
      other={{ to: "/sign-in", label: portalTexts.tenantsDoor }}
    >
      {ended === true && signIn.error === null && (
        <Alert color="yellow" role="status">
          {portalTexts.ended}
        </Alert>
      )}
      <Failure error={signIn.error} />
      <form onSubmit={form.onSubmit(signIn.send)}>
        <TextInput
          label={portalTexts.partnerId}
          autoComplete="username"
          required
          autoFocus
          {...form.getInputProps("partner_id")}
          error={signIn.issues["partner_id"]}
        />
        <PasswordInput
          label={portalTexts.accessCode}
          autoComplete="current-password"
          required
          mt="sm"
          {...form.getInputProps("access_code")}
          error={signIn.issues["access_code"]}
        />
        <Button type="submit" fullWidth mt="lg" loading={signIn.isSending}>
          {portalTexts.submit}
        </Button>
      </form>
    </Door>
  );
}

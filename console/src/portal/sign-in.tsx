/** The partner sign-in: Partner ID and access code. */

import { Alert, Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { hasStatus } from "@leadport/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter, useRouterState } from "@tanstack/react-router";
import { ask, isSignedOut, useSending } from "../api/index.ts";
import { t } from "../text/index.ts";
import { portalTexts } from "../text/portal.ts";
import { useFaultFocus } from "../ui/forms/index.ts";
import { CenteredCard, SiteName } from "../ui/frame/index.ts";
import { Failure } from "../ui/states/index.ts";
import { businessQuery } from "./partner/index.ts";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The name of the business whose portal the partner just left. */
    readonly business?: string;
  }
}

const route = getRouteApi("/partner/sign-in");

const isTooMany = hasStatus(429);

export default function PartnerSignIn() {
  const { business: id } = route.useSearch();
  const left = useRouterState({ select: ({ location }) => location.state.business });
  const { data } = useQuery({ ...businessQuery(id ?? ""), enabled: id !== undefined });
  const business = data ?? left;
  return (
    <SiteName value={business ?? t.shell.product}>
      <CenteredCard
        title={portalTexts.signInTitle}
        hint={portalTexts.hint(business)}
        other={{ to: "/sign-in", label: portalTexts.tenantsDoor }}
      >
        <SignInForm />
      </CenteredCard>
    </SiteName>
  );
}

function SignInForm() {
  const { to = "/partner", ended, partner = "" } = route.useSearch();
  const router = useRouter();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { partner_id: partner, access_code: "" } });
  const signIn = useSending(
    async ({ partner_id, access_code }: typeof form.values) =>
      ask("post", "/auth/partner/sign_in", {
        body: { partner_id: partner_id.trim(), access_code: access_code.trim() },
        idempotencyKey: false,
      }),
    () => {
      queries.clear();
      router.history.push(to);
    },
  );
  const { error, issues } = signIn;
  const isWrong = isSignedOut(error);
  const wait_s = isTooMany(error) ? error.retryAfter_s : undefined;
  const code = useFaultFocus(error, isWrong);
  return (
    <>
      {ended === true && error === null && (
        <Alert color="yellow" role="status">
          {portalTexts.ended}
        </Alert>
      )}
      {wait_s !== undefined ? (
        <Failure error={new Error(portalTexts.tooMany(Math.ceil(wait_s / 60)))} />
      ) : (
        !isWrong && <Failure error={error} />
      )}
      <form onSubmit={form.onSubmit(signIn.send)}>
        <TextInput
          label={portalTexts.partnerId}
          autoComplete="username"
          required
          autoFocus={partner === ""}
          {...form.getInputProps("partner_id")}
          error={issues["partner_id"]}
        />
        <PasswordInput
          ref={code}
          label={portalTexts.accessCode}
          autoComplete="current-password"
          required
          autoFocus={partner !== ""}
          mt="sm"
          {...form.getInputProps("access_code")}
          aria-invalid={isWrong}
          error={isWrong ? portalTexts.wrongCode : issues["access_code"]}
        />
        <Button type="submit" fullWidth mt="lg" loading={signIn.isSending}>
          {portalTexts.submit}
        </Button>
      </form>
    </>
  );
}

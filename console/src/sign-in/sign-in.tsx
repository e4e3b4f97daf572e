/** Asks for an email and password, then for a business or a code if needed. */

import { Alert, Button, Checkbox, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { LeadportError, type SignInRequest } from "@leadport/client";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { api, isSignedOut, sessionQuery, useSending } from "../api/index.ts";
import { t } from "../text/index.ts";
import { signInTexts } from "../text/sign-in.ts";
import { useFaultFocus } from "../ui/forms/index.ts";
import { CenteredCard } from "../ui/frame/index.ts";
import { Failure, TextLink } from "../ui/states/index.ts";
import { ChooseTenant, type TenantChoice } from "./choose-tenant.tsx";
import { SecondFactor } from "./second-factor.tsx";

const route = getRouteApi("/sign-in");

type Credentials = SignInRequest;

type Step =
  | { readonly name: "password" }
  | { readonly name: "tenant"; readonly tenants: readonly TenantChoice[] }
  | { readonly name: "factor" };

/** Returns the next sign-in step that an error requires; undefined if it requires none. */
function nextStep(error: unknown): Step | undefined {
  if (!(error instanceof LeadportError)) return undefined;
  const body = error.body as { second_factor?: boolean; tenants?: readonly TenantChoice[] };
  if (error.status === 409 && body.tenants !== undefined) {
    return { name: "tenant", tenants: body.tenants };
  }
  return error.status === 401 && body.second_factor === true ? { name: "factor" } : undefined;
}

export default function SignIn() {
  const { to = "/", ended } = route.useSearch();
  const router = useRouter();
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>({ name: "password" });
  const [chosen, setChosen] = useState<Partial<Credentials>>({});
  const form = useForm({ initialValues: { email: "", password: "", remember: false } });
  const signIn = useSending(
    async (more: Partial<Credentials>) => {
      const body = { ...form.values, ...chosen, ...more };
      return api.post("/auth/sign_in", { body });
    },
    (session) => {
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, session);
      router.history.push(to);
    },
  );
  const asked = nextStep(signIn.error);
  // After a wrong code, the step stays the same.
  const isNew = asked !== undefined && asked.name !== step.name;
  if (isNew) {
    setStep(asked);
    signIn.reset();
  }
  const error = isNew ? null : signIn.error;
  const isWrong = isSignedOut(error) && step.name === "password";
  const password = useFaultFocus(error, isWrong);

  if (step.name === "tenant") {
    return (
      <ChooseTenant
        tenants={step.tenants}
        isSending={signIn.isSending}
        failure={<Failure error={error} />}
        onChoose={(tenant_id) => {
          setChosen({ tenant_id });
          signIn.send({ tenant_id });
        }}
      />
    );
  }
  if (step.name === "factor") {
    return (
      <SecondFactor
        isSending={signIn.isSending}
        error={error}
        isWrong={asked?.name === "factor"}
        onCode={signIn.send}
      />
    );
  }
  return (
    <CenteredCard
      title={signInTexts.title}
      other={{ to: "/partner/sign-in", label: signInTexts.partnersDoor }}
    >
      {ended === true && <Alert color="yellow">{t.errors.sessionEnded}</Alert>}
      {!isWrong && <Failure error={error} />}
      <form onSubmit={form.onSubmit(() => signIn.send({}))}>
        <TextInput
          label={signInTexts.email}
          type="email"
          autoComplete="username"
          required
          autoFocus
          {...form.getInputProps("email")}
          error={signIn.issues["email"]}
        />
        <PasswordInput
          ref={password}
          label={signInTexts.password}
          autoComplete="current-password"
          required
          mt="sm"
          {...form.getInputProps("password")}
          aria-invalid={isWrong}
          error={isWrong ? signInTexts.wrongPassword : signIn.issues["password"]}
        />
        <Checkbox
          label={signInTexts.remember}
          mt="md"
          {...form.getInputProps("remember", { type: "checkbox" })}
        />
        <Button type="submit" fullWidth mt="lg" loading={signIn.isSending}>
          {signInTexts.submit}
        </Button>
      </form>
      <TextLink to="/forgotten" size="sm" ta="center">
        {signInTexts.forgotten}
      </TextLink>
    </CenteredCard>
  );
}

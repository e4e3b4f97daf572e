/**
 * The page that a one-time link opens: an invitation, a password reset, or the setup of the first
 * owner. The token follows the `#`, so that it never appears in a server log.
 */

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWindowEvent } from "@mantine/hooks";
import { IconLinkOff } from "@tabler/icons-react";
import { useState } from "react";
import { isNotFound, type Link } from "@leadport/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, isSignedOut, sessionQuery, useSending } from "../api/index.ts";
import { proofOf } from "./proof.ts";
import { t } from "../text/index.ts";
import { signInTexts } from "../text/sign-in.ts";
import { useFaultFocus } from "../ui/forms/index.ts";
import { CenteredCard } from "../ui/frame/index.ts";
import { Empty, Failure } from "../ui/states/index.ts";

const hashOf = (): string => location.hash.slice(1);

export default function UseLink() {
  const [token, setToken] = useState(hashOf);
  // Another link was opened in this window. Navigation within the console fires no such event.
  useWindowEvent("hashchange", () => setToken(hashOf()));
  const link = useQuery({
    queryKey: ["link", token],
    queryFn: async () => api.post("/auth/links/look", { body: { token } }),
    retry: false,
  });
  // Until there is an owner, the page at `/` explains how to get a link.
  const other = { to: "/", label: signInTexts.backToSignIn } as const;
  if (link.isPending) return <CenteredCard title={t.common.loading}>{null}</CenteredCard>;
  if (link.isError) {
    return (
      <CenteredCard title={signInTexts.title} other={other}>
        {isNotFound(link.error) || token === "" ? (
          <Empty icon={IconLinkOff} title={signInTexts.linkGone} hint={signInTexts.linkGoneHint} />
        ) : (
          <Failure error={link.error} onRetry={() => void link.refetch()} />
        )}
      </CenteredCard>
    );
  }
  return <LinkForm key={token} token={token} link={link.data} />;
}

function LinkForm({ token, link }: { readonly token: string; readonly link: Link }) {
  const { kind, tenant_name } = link;
  const isFirst = kind === "first_owner";
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useForm({
    // The first owner has no name or email yet.
    initialValues: {
      name: isFirst ? "" : link.name,
      email: link.email ?? "",
      password: "",
      proof: "",
    },
  });
  const using = useSending(
    async ({ name, email, password, proof }: typeof form.values) => {
      const body = {
        token,
        password,
        ...(isFirst && { name, email }),
        ...(link.has_second_factor && proofOf(proof)),
      };
      return api.post("/auth/links/use", { body });
    },
    (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
      return navigate({
        to: isFirst && !session.tenant.is_demo ? "/your-business" : "/",
        replace: true,
      });
    },
  );
  const isWrong = isSignedOut(using.error);
  const proof = useFaultFocus(using.error, isWrong);
  return (
    <CenteredCard
      title={signInTexts.linkTitle[kind]}
      hint={signInTexts.linkHint[kind](tenant_name)}
    >
      {!isWrong && <Failure error={using.unplaced} />}
      <form onSubmit={form.onSubmit(using.send)}>
        {isFirst && (
          <TextInput
            label={signInTexts.name}
            autoComplete="name"
            required
            autoFocus
            mb="sm"
            {...form.getInputProps("name")}
            error={using.issues["name"]}
          />
        )}
        <TextInput
          label={signInTexts.email}
          type="email"
          autoComplete="username"
          required
          readOnly={!isFirst}
          {...form.getInputProps("email")}
          error={using.issues["email"]}
        />
        <PasswordInput
          label={signInTexts.newPassword}
          description={signInTexts.newPasswordHint}
          autoComplete="new-password"
          required
          minLength={10}
          mt="sm"
          {...form.getInputProps("password")}
          error={using.issues["password"]}
        />
        {link.has_second_factor && (
          <TextInput
            ref={proof}
            label={t.profile.codeOrRecovery}
            autoComplete="one-time-code"
            required
            mt="sm"
            {...form.getInputProps("proof")}
            error={isWrong && signInTexts.wrongCode}
          />
        )}
        <Button type="submit" fullWidth mt="lg" loading={using.isSending}>
          {isFirst ? signInTexts.continue : signInTexts.open}
        </Button>
      </form>
    </CenteredCard>
  );
}

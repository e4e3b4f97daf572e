/** The page that requests a password reset link. */

import { Alert, Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { api, useSending } from "../api/index.ts";
import { signInTexts } from "../text/sign-in.ts";
import { CenteredCard } from "../ui/frame/index.ts";
import { Failure } from "../ui/states/index.ts";

export default function Forgotten() {
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState<boolean>();
  const asking = useSending(
    async () => api.post("/auth/forgotten", { body: { email } }),
    (answer) => setSent(answer.sent),
  );
  return (
    <CenteredCard
      title={signInTexts.forgottenTitle}
      hint={signInTexts.forgottenHint}
      other={{ to: "/sign-in", label: signInTexts.backToSignIn }}
    >
      <Failure error={asking.error} />
      {sent === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            asking.send(undefined);
          }}
        >
          <TextInput
            label={signInTexts.email}
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={asking.issues["email"]}
          />
          <Button type="submit" fullWidth mt="lg" loading={asking.isSending}>
            {signInTexts.forgottenSend}
          </Button>
        </form>
      ) : (
        <Alert role="status" color={sent ? "harbour" : "yellow"}>
          {sent ? signInTexts.forgottenSent : signInTexts.forgottenNoMail}
        </Alert>
      )}
    </CenteredCard>
  );
}

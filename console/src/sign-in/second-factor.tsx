/** A code of the authenticator app, or one of the recovery codes. */

import { Anchor, Button, TextInput } from "@mantine/core";
import { useState, type FormEvent, type ReactNode } from "react";
import { t } from "../text/index.ts";
import { Door } from "../ui/frame/index.ts";

export interface SecondFactorProps {
  readonly isSending: boolean;
  readonly failure: ReactNode;
  readonly onCode: (code: { readonly code?: string; readonly recovery_code?: string }) => void;
}

export function SecondFactor({ isSending, failure, onCode }: SecondFactorProps) {
  const [isRecovery, setRecovery] = useState(false);
  const [code, setCode] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = code.trim();
    onCode(isRecovery ? { recovery_code: typed } : { code: typed.replaceAll(/\s/g, "") });
    setCode("");
  };
  return (
    <Door title={t.signIn.codeTitle}>
      {failure}
      <form onSubmit={submit}>
        <TextInput
          key={String(isRecovery)}
          label={isRecovery ? t.signIn.recoveryCode : t.signIn.code}
          description={isRecovery ? undefined : t.signIn.codeHint}
          autoComplete="one-time-code"
          inputMode={isRecovery ? "text" : "numeric"}
          required
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth mt="lg" loading={isSending}>
          {t.signIn.submit}
        </Button>
      </form>
      <Anchor component="button" type="button" size="sm" onClick={() => setRecovery(!isRecovery)}>
        {isRecovery ? t.signIn.useApp : t.signIn.useRecovery}
      </Anchor>
    </Door>
  );
}

/** Asks for a code from the authenticator app, or a recovery code. */

import { Anchor, Button, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { signInTexts } from "../text/sign-in.ts";
import { useFaultFocus } from "../ui/forms/index.ts";
import { CenteredCard } from "../ui/frame/index.ts";
import { Failure } from "../ui/states/index.ts";

export interface SecondFactorProps {
  readonly isSending: boolean;
  /** Why the last code was rejected. */
  readonly error: unknown;
  /** Whether the request failed because the code was wrong. */
  readonly isWrong: boolean;
  readonly onCode: (code: { readonly code?: string; readonly recovery_code?: string }) => void;
}

export function SecondFactor({ isSending, error, isWrong, onCode }: SecondFactorProps) {
  const [isRecovery, setRecovery] = useState(false);
  const [code, setCode] = useState("");
  /** Whether the last code that was sent is a recovery code. The error is about that code. */
  const [wasRecovery, setWasRecovery] = useState(false);
  const input = useFaultFocus(error, isWrong);
  const wrong = isRecovery ? signInTexts.wrongRecoveryCode : signInTexts.wrongCode;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = code.trim();
    onCode(isRecovery ? { recovery_code: typed } : { code: typed.replaceAll(/\s/g, "") });
    setCode("");
    setWasRecovery(isRecovery);
  };
  return (
    <CenteredCard title={signInTexts.codeTitle}>
      {!isWrong && <Failure error={error} />}
      <form onSubmit={submit}>
        <TextInput
          key={String(isRecovery)}
          ref={input}
          label={isRecovery ? signInTexts.recoveryCode : signInTexts.code}
          description={isRecovery ? undefined : signInTexts.codeHint}
          autoComplete="one-time-code"
          inputMode={isRecovery ? "text" : "numeric"}
          required
          autoFocus
          value={code}
          error={isWrong && wasRecovery === isRecovery && wrong}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth mt="lg" loading={isSending}>
          {signInTexts.submit}
        </Button>
      </form>
      <Anchor component="button" type="button" size="sm" onClick={() => setRecovery(!isRecovery)}>
        {isRecovery ? signInTexts.useApp : signInTexts.useRecovery}
      </Anchor>
    </CenteredCard>
  );
}

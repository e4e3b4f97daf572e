/**
 * Sets up two-factor authentication in four steps: password, QR code, first code, recovery codes.
 */

import { Button, Center, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { encode } from "uqr";
import { api, useSending } from "../api/index.ts";
import { t } from "../text/index.ts";
import { Copy, submitting } from "../ui/forms/index.ts";
import { Failure } from "../ui/states/index.ts";
import { PasswordForm } from "./password-form.tsx";
import { RecoveryCodes, type DoneProps } from "./recovery-codes.tsx";

interface Offered {
  readonly secret: string;
  readonly uri: string;
}

export function SetUpFactor({ onDone }: DoneProps) {
  const [code, setCode] = useState("");
  const [offered, setOffered] = useState<Offered>();
  const [codes, setCodes] = useState<readonly string[]>();
  const beginning = useSending(
    async (password: string) => api.post("/auth/second_factor", { body: { password } }),
    setOffered,
  );
  const confirming = useSending(
    async () =>
      api.post("/auth/second_factor/confirm", { body: { code: code.replaceAll(/\s/g, "") } }),
    ({ recovery_codes }) => setCodes(recovery_codes),
  );
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (offered === undefined) {
    return <PasswordForm sending={beginning} submit={t.common.next} />;
  }
  return (
    <form onSubmit={submitting(() => confirming.send(undefined))}>
      <Stack>
        <Text size="sm">{t.profile.scan}</Text>
        <Center>
          <QrCode text={offered.uri} />
        </Center>
        <Group align="flex-end" wrap="nowrap">
          <TextInput label={t.profile.secret} value={offered.secret} readOnly flex={1} />
          <Copy text={offered.secret} />
        </Group>
        <Failure error={confirming.error} />
        <TextInput
          label={t.profile.code}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={confirming.isSending}>
            {t.profile.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A QR code that is dark on light in both themes, because scanners require dark modules on a light background. */
function QrCode({ text }: { readonly text: string }) {
  const { size, data } = encode(text, { border: 2 });
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  );
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={200}
      height={200}
      role="img"
      aria-label={t.profile.qr}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join("")} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

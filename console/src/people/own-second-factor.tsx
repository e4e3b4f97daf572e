/**
 * The signed-in user's two-factor authentication: set it up, replace the recovery codes, turn it
 * off.
 */

import { Button, Modal, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api, sessionQuery, useSending, useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { Section } from "../ui/frame/index.ts";
import { PasswordForm } from "./password-form.tsx";
import { RecoveryCodes, type DoneProps } from "./recovery-codes.tsx";
import { SetUpFactor } from "./set-up-factor.tsx";
import { proofOf } from "../sign-in/index.ts";

type Dialog = "set up" | "new codes" | "turn off";

export function OwnSecondFactor() {
  const { person } = useSession();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<Dialog>();
  const close = async () => {
    setDialog(undefined);
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const isOn = person.has_second_factor;
  return (
    <Section
      title={t.profile.factorTitle}
      hint={isOn ? t.profile.factorOn(person.recovery_codes_left) : t.profile.factorOff}
      actions={
        isOn ? (
          <>
            <Button variant="default" onClick={() => setDialog("new codes")}>
              {t.profile.newCodes}
            </Button>
            <Button variant="default" onClick={() => setDialog("turn off")}>
              {t.profile.turnOff}
            </Button>
          </>
        ) : (
          <Button onClick={() => setDialog("set up")}>{t.profile.turnOn}</Button>
        )
      }
    >
      <FactorModal title={t.profile.setUpTitle} isOpen={dialog === "set up"} onClose={close}>
        <SetUpFactor onDone={close} />
      </FactorModal>
      <FactorModal title={t.profile.newCodes} isOpen={dialog === "new codes"} onClose={close}>
        <NewCodes onDone={close} />
      </FactorModal>
      <FactorModal title={t.profile.turnOffTitle} isOpen={dialog === "turn off"} onClose={close}>
        <TurnOff onDone={close} />
      </FactorModal>
    </Section>
  );
}

interface FactorModalProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => Promise<void>;
  readonly children: ReactNode;
}

const FactorModal = ({ title, isOpen, onClose, children }: FactorModalProps) => (
  <Modal opened={isOpen} onClose={() => void onClose()} title={title}>
    {children}
  </Modal>
);

function NewCodes({ onDone }: DoneProps) {
  const [codes, setCodes] = useState<readonly string[]>();
  const making = useSending(
    async (password: string) =>
      api.post("/auth/second_factor/recovery_codes", { body: { password } }),
    ({ recovery_codes }) => setCodes(recovery_codes),
  );
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return <PasswordForm sending={making} submit={t.profile.newCodes} />;
}

function TurnOff({ onDone }: DoneProps) {
  const [code, setCode] = useState("");
  const removing = useSending(
    async (password: string) =>
      api.post("/auth/second_factor/remove", { body: { password, ...proofOf(code) } }),
    async () => {
      notifications.show({ message: t.profile.turnedOff });
      await onDone();
    },
  );
  return (
    <PasswordForm sending={removing} submit={t.profile.turnOff} color="red">
      <TextInput
        label={t.profile.codeOrRecovery}
        autoComplete="one-time-code"
        required
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </PasswordForm>
  );
}

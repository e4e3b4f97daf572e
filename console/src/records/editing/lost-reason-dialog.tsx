/** Asks why a deal was lost. The user can skip the question. */

import { Button, Modal, Text } from "@mantine/core";
import { useEffect } from "react";
import { t } from "../../text/index.ts";
import { ReasonForm } from "../../ui/forms/index.ts";
import { typeNamed } from "../../record/index.ts";

export interface LostReasonDialogProps {
  /** The deal's name. */
  readonly name: string;
  /** Called if the user cancels. The deal is then not moved. */
  readonly onClose: () => void;
  /** Called with the reason; null if the user gave none. The deal is then moved. */
  readonly onReason: (reason: string | null) => void;
  /** Restores the focus after the dialog is closed. */
  readonly returnFocus: () => void;
}

const faultOf = (text: string): string | undefined => {
  const max = typeNamed("deal").fields["lost_reason"]?.max_length ?? 0;
  if (text === "") return t.record.lost.required;
  return [...text].length > max ? t.record.lost.tooLong(max) : undefined;
};

export function LostReasonDialog({ name, onClose, onReason, returnFocus }: LostReasonDialogProps) {
  useEffect(() => returnFocus, []);
  return (
    <Modal opened onClose={onClose} title={t.record.lost.title} transitionProps={{ duration: 0 }}>
      <ReasonForm
        hint={
          <>
            <Text fw={600} c="var(--mantine-color-text)" lineClamp={2} inherit>
              {name}
            </Text>
            {t.record.lost.hint}
          </>
        }
        reasons={t.record.suggestions["lost_reason"] ?? []}
        label={t.record.lost.other}
        submit={t.record.lost.submit}
        faultOf={faultOf}
        onReason={onReason}
        onClose={onClose}
        aside={
          <Button variant="subtle" onClick={() => onReason(null)}>
            {t.record.lost.skip}
          </Button>
        }
      />
    </Modal>
  );
}

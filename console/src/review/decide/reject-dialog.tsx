/** Asks for a rejection reason. The user selects a listed reason by click or number key, or enters a custom one. */

import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { t } from "../../text/index.ts";
import { ReasonForm } from "../../ui/forms/index.ts";
import { EditReasons } from "./edit-reasons.tsx";
import { REASON_LENGTH_MAX, useReasons } from "./use-reasons.ts";

export interface RejectDialogProps {
  /** What to reject: "Ines Falk", "12 leads"; undefined while the dialog is closed. */
  readonly what: string | undefined;
  readonly onClose: () => void;
  readonly onReason: (reason: string) => void;
}

export function RejectDialog({ what, onClose, onReason }: RejectDialogProps) {
  return (
    <Modal
      opened={what !== undefined}
      onClose={onClose}
      title={t.review.rejectTitle(what ?? "")}
      transitionProps={{ duration: 0 }}
    >
      <Choose onReason={onReason} onClose={onClose} />
    </Modal>
  );
}

type ChooseProps = Pick<RejectDialogProps, "onReason" | "onClose">;

const faultOf = (text: string): string | undefined => {
  if (text === "") return t.review.reasonRequired;
  return text.length > REASON_LENGTH_MAX ? t.review.reasonTooLong : undefined;
};

function Choose({ onReason, onClose }: ChooseProps) {
  const { value: reasons } = useReasons();
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <EditReasons onDone={() => setEditing(false)} />;
  return (
    <ReasonForm
      hint={t.review.rejectHint}
      reasons={reasons}
      label={t.review.otherReason}
      submit={t.review.reject}
      color="red"
      faultOf={faultOf}
      onReason={onReason}
      onClose={onClose}
      aside={
        <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
          {t.review.editReasons}
        </Button>
      }
    />
  );
}

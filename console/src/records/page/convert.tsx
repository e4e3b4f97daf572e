/** A dialog that converts a lead to a contact, and then links to the new records. */

import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserUp } from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import type { Stored } from "../../record/index.ts";
import { ConvertForm } from "./convert-form.tsx";

export function Convert({ lead }: { readonly lead: Stored }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      {/* The dialog stays open and shows the new records. */}
      {lead["converted_to_contact"] !== true && (
        <Button variant="default" leftSection={<IconUserUp size={16} aria-hidden />} onClick={open}>
          {t.record.convert}
        </Button>
      )}
      <Modal opened={isOpen} onClose={close} title={t.record.convertTitle} size="lg">
        <ConvertForm lead={lead} onClose={close} />
      </Modal>
    </>
  );
}

/** Buttons that accept, reject or import one lead or all selected leads. */

import { Button, Group, Kbd, Text } from "@mantine/core";
import { IconCheck, IconDownload, IconX } from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import { allows, type Action, type PushedLead } from "../pushed-leads/index.ts";
import classes from "../pushed-leads/review.module.css";

export interface DecideButtonsProps {
  readonly leads: readonly PushedLead[];
  readonly decide: (action: Action) => void;
  /** Whether keyboard shortcuts are enabled and shown. */
  readonly hasKeys: boolean;
}

const DEEDS = [
  { action: "accept", icon: IconCheck, key: "A", variant: "filled" },
  { action: "reject", icon: IconX, key: "R", variant: "default" },
  { action: "import", icon: IconDownload, key: "I", variant: "default" },
] as const;

export function DecideButtons({ leads, decide, hasKeys }: DecideButtonsProps) {
  const areAllAccepted = leads.every(({ status }) => status === "accepted");
  // Leads with a final status need no buttons.
  if (!DEEDS.some(({ action }) => leads.some((lead) => allows(lead, action)))) return null;
  return (
    <div className={classes["actions"]} role="group" aria-label={t.review.decide}>
      {DEEDS.map(({ action, icon: Pictured, key, variant }) => (
        <Button
          key={action}
          variant={areAllAccepted && action === "import" ? "filled" : variant}
          disabled={!leads.some((lead) => allows(lead, action))}
          leftSection={<Pictured size={16} aria-hidden />}
          rightSection={
            hasKeys && (
              <Kbd size="xs" aria-hidden>
                {key}
              </Kbd>
            )
          }
          {...(hasKeys && { "aria-keyshortcuts": key })}
          onClick={() => decide(action)}
        >
          {action === "import" && !areAllAccepted ? t.review.acceptAndImport : t.review[action]}
        </Button>
      ))}
    </div>
  );
}

/** The bar with the buttons for selected leads. */
export function SelectionBar({
  clear,
  ...decided
}: DecideButtonsProps & { readonly clear: () => void }) {
  return (
    <Group gap="sm">
      <Text size="sm" fw={600} role="status">
        {t.review.selected(decided.leads.length)}
      </Text>
      <DecideButtons {...decided} />
      <Button variant="subtle" onClick={clear}>
        {t.review.clearSelection}
      </Button>
    </Group>
  );
}

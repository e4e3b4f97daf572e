/** What a lead was converted to. */

import { Alert, Button, Group, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { t } from "../../text/index.ts";
import { pageOf, RECORD_TYPES } from "../record-types.ts";

const { contact, account, deal } = RECORD_TYPES;

export interface Conversion {
  readonly contact_id: string;
  readonly account_id: string | null;
  readonly opportunity_id: string | null;
}

export interface ConvertedProps {
  readonly made: Conversion;
  readonly onClose: () => void;
}

export const Converted = ({ made, onClose }: ConvertedProps) => (
  <Stack gap="md">
    <Alert color="teal" variant="outline" role="status" title={t.record.converted}>
      {t.record.convertedHint}
    </Alert>
    <Group gap="xs">
      <Button component={Link} to={pageOf(contact, made.contact_id)} data-autofocus>
        {t.record.openContact}
      </Button>
      {made.account_id !== null && (
        <Button variant="default" component={Link} to={pageOf(account, made.account_id)}>
          {t.record.openAccount}
        </Button>
      )}
      {made.opportunity_id !== null && (
        <Button variant="default" component={Link} to={pageOf(deal, made.opportunity_id)}>
          {t.record.openDeal}
        </Button>
      )}
      <Button variant="default" onClick={onClose}>
        {t.common.close}
      </Button>
    </Group>
  </Stack>
);

/** Links to the records that a lead was converted to. */

import { Alert, Button, Group, SimpleGrid, Stack } from "@mantine/core";
import { t } from "../../text/index.ts";
import { pageOf, typeNamed } from "../../record/index.ts";
import { LinkButton } from "../../ui/states/index.ts";

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
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
      <LinkButton to={pageOf(typeNamed("contact"), made.contact_id)} data-autofocus>
        {t.record.openContact}
      </LinkButton>
      {made.account_id !== null && (
        <LinkButton variant="default" to={pageOf(typeNamed("account"), made.account_id)}>
          {t.record.openAccount}
        </LinkButton>
      )}
      {made.opportunity_id !== null && (
        <>
          <LinkButton variant="default" to={pageOf(typeNamed("deal"), made.opportunity_id)}>
            {t.record.openDeal}
          </LinkButton>
          <LinkButton variant="default" to="/board">
            {t.board.title}
          </LinkButton>
        </>
      )}
    </SimpleGrid>
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        {t.common.close}
      </Button>
    </Group>
  </Stack>
);

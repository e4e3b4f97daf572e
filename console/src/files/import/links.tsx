/** Counts of references to other records: matched, created, not found, and ambiguous. */

import { Alert, Card, Stack, Switch, Table, Text, Title } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { fieldLabel } from "../../record/index.ts";
import { t } from "../../text/index.ts";
import { number } from "../../ui/format/index.ts";
import type { Import, ImportOptions } from "./import.ts";

const OUTCOMES = ["matched", "created", "not_found", "ambiguous"] as const;

export function Links({ job }: { readonly job: Import }) {
  const fields = Object.entries(job.references);
  if (fields.length === 0) return null;
  const labels = job.dry_run ? t.files.linksCheck : t.files.links;
  return (
    <Card withBorder padding="lg" component="section">
      <Title order={2}>{t.files.linksTitle}</Title>
      <Table.ScrollContainer minWidth={420}>
        <Table aria-label={t.files.linksTitle}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.files.linkField}</Table.Th>
              {OUTCOMES.map((outcome) => (
                <Table.Th key={outcome} ta="right">
                  {labels[outcome]}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map(([field, counts]) => (
              <Table.Tr key={field}>
                <Table.Td>{fieldLabel(field)}</Table.Td>
                {OUTCOMES.map((outcome) => (
                  <Table.Td key={outcome} ta="right">
                    {number(counts[outcome])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

export interface MissingAccountsProps {
  readonly job: Import;
  readonly options: ImportOptions;
  readonly onOptions: (options: ImportOptions) => void;
}

/** Offers to create accounts that the check did not find. */
export function MissingAccounts({ job, options, onOptions }: MissingAccountsProps) {
  const missing = job.references["account_id"]?.not_found ?? 0;
  if (missing === 0 && options.create_accounts !== true) return null;
  return (
    <Alert
      color="blue"
      icon={<IconInfoCircle aria-hidden />}
      title={t.files.missingAccounts(missing)}
    >
      <Stack gap="sm">
        <Text size="sm">{t.files.missingAccountsHint}</Text>
        <Switch
          label={t.files.createAccounts}
          checked={options.create_accounts === true}
          onChange={({ currentTarget }) => {
            const { create_accounts: _, ...others } = options;
            onOptions(currentTarget.checked ? { ...others, create_accounts: true } : others);
          }}
        />
      </Stack>
    </Alert>
  );
}

/** The result of each row, as a paginated table and as CSV downloads. */

import {
  Button,
  Card,
  Group,
  Pagination,
  SegmentedControl,
  Table,
  Text,
  Title,
} from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { portalFileTexts, portalTexts } from "../../text/portal.ts";
import { number } from "../../ui/format/index.ts";
import { StatusBadge } from "../../ui/lists/index.ts";
import { downloadCsv } from "./download.ts";
import { warningsText } from "./problem-text.ts";
import type { FileRow } from "./rows.ts";
import type { Outcome, Progress, Run } from "./run.ts";
import { TextLink } from "../../ui/states/index.ts";

const PAGE = 25;
const texts = portalFileTexts;
const { statuses } = portalTexts;

type Shown = "all" | Exclude<Outcome["kind"], "waiting">;

const CHOICES: readonly { readonly value: Shown; readonly label: string }[] = [
  { value: "all", label: texts.all },
  { value: "pushed", label: texts.counts.pushed },
  { value: "known", label: texts.counts.known },
  { value: "refused", label: texts.counts.refused },
];

interface Result {
  readonly row: FileRow;
  readonly outcome: Outcome;
}

/** Returns why a row was not submitted, or a note if it was. */
function reasonOf({ row, outcome }: Result): string {
  if (outcome.kind === "refused") return outcome.reason;
  const warnings = warningsText(row);
  return outcome.kind === "known" && row.sameAs === undefined
    ? `${texts.knownReason} ${warnings}`.trim()
    : warnings;
}

/** Returns the result and the reason, and the lead's status and ID if there is a lead. */
function cellsOf(result: Result): readonly string[] {
  const { outcome } = result;
  const hasLead = "id" in outcome;
  return [
    texts.outcomes[outcome.kind],
    hasLead ? statuses[outcome.status] : "",
    reasonOf(result),
    hasLead ? outcome.id : "",
  ];
}

export interface ResultsProps {
  readonly run: Run;
  readonly progress: Progress;
}

export function Results({ run, progress }: ResultsProps) {
  const [shown, setShown] = useState<Shown>("all");
  const [page, setPage] = useState(1);
  const results = run.rows.flatMap((row, at): readonly Result[] => {
    const outcome = progress.outcomes[at];
    return outcome === undefined ? [] : [{ row, outcome }];
  });
  const chosen =
    shown === "all" ? results : results.filter(({ outcome }) => outcome.kind === shown);
  const pages = Math.max(1, Math.ceil(chosen.length / PAGE));
  const here = Math.min(page, pages);
  const base = run.fileName.replace(/\.\w+$/, "");
  const refused = results.filter(({ outcome }) => outcome.kind === "refused");
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" align="flex-start" mb="md">
        <div>
          <Title order={2}>{texts.results}</Title>
          <Text size="sm" c="dimmed" maw="60ch">
            {texts.downloadHint}
          </Text>
        </div>
        <Group gap="xs">
          {refused.length > 0 && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconDownload size={14} aria-hidden />}
              onClick={() => void downloadCsv(`${base}-rejected.csv`, refusedRows(run, refused))}
            >
              {texts.downloadRefused}
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => void downloadCsv(`${base}-results.csv`, allRows(run, results))}
          >
            {texts.downloadAll}
          </Button>
        </Group>
      </Group>
      <SegmentedControl
        aria-label={texts.show}
        data={[...CHOICES]}
        value={shown}
        onChange={(value) => {
          setShown(value);
          setPage(1);
        }}
        size="xs"
        mb="sm"
        style={{ alignSelf: "flex-start" }}
      />
      <ResultTable results={chosen.slice((here - 1) * PAGE, here * PAGE)} />
      {pages > 1 && (
        <Pagination
          total={pages}
          value={here}
          onChange={setPage}
          mt="md"
          size="sm"
          aria-label={texts.pages}
          getControlProps={(control) => ({ "aria-label": texts.page[control] })}
          getItemProps={(at) => ({ "aria-label": texts.pageOf(number(at)) })}
        />
      )}
    </Card>
  );
}

const ResultTable = ({ results }: { readonly results: readonly Result[] }) =>
  results.length === 0 ? (
    <Text size="sm" c="dimmed" py="md">
      {texts.nothingHere}
    </Text>
  ) : (
    <Table.ScrollContainer minWidth={280}>
      <Table aria-label={texts.results}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={70}>{texts.row}</Table.Th>
            <Table.Th>{portalTexts.fields.name}</Table.Th>
            <Table.Th>{texts.result}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {results.map(({ row, outcome }) => (
            <Table.Tr key={row.row}>
              <Table.Td>{number(row.row)}</Table.Td>
              <Table.Td>
                {"id" in outcome ? (
                  <TextLink to="/partner/pushed/$id" params={{ id: outcome.id }} size="sm">
                    {row.body.name}
                  </TextLink>
                ) : (
                  row.body.name
                )}
              </Table.Td>
              <Table.Td>
                <OutcomeBadge outcome={outcome} />
                {outcome.kind !== "waiting" && (
                  <Text size="xs" c="dimmed" mt={4}>
                    {reasonOf({ row, outcome })}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );

function OutcomeBadge({ outcome }: { readonly outcome: Outcome }) {
  if (outcome.kind === "waiting") {
    return (
      <Text size="sm" c="dimmed">
        {texts.outcomes.waiting}
      </Text>
    );
  }
  if (outcome.kind === "refused") {
    return <StatusBadge value="rejected" label={texts.outcomes.refused} />;
  }
  const label = `${texts.outcomes[outcome.kind]} · ${statuses[outcome.status]}`;
  return <StatusBadge value={outcome.status} label={label} />;
}

/** Returns the file's rows, each with its result. */
const allRows = ({ headings }: Run, results: readonly Result[]) => [
  [
    texts.row,
    ...headings,
    texts.resultColumn,
    texts.statusColumn,
    texts.reasonColumn,
    texts.idColumn,
  ],
  ...results.map((result) => [
    String(result.row.row),
    ...headings.map((_, at) => result.row.values[at] ?? ""),
    ...cellsOf(result),
  ]),
];

/** Returns the rejected rows unchanged, so that they can be corrected and submitted again. */
const refusedRows = ({ headings }: Run, results: readonly Result[]) => [
  [...headings, texts.reasonColumn],
  ...results.map((result) => [
    ...headings.map((_, at) => result.row.values[at] ?? ""),
    reasonOf(result),
  ]),
];

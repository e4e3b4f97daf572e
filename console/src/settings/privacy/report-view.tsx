/** The results of a report: records to select, mentions to review, and who received data. */

import { Button, Checkbox, Group, Stack, Text, Title } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { PersonErasure, PersonReport } from "@leadport/client";
import { useState } from "react";
import { fieldLabel } from "../../record/index.ts";
import { privacyTexts as text } from "../../text/privacy.ts";
import { saveFile } from "../../ui/files/index.ts";
import { DataTable } from "../../ui/lists/index.ts";
import { EraseDialog } from "./erase-dialog.tsx";
import { FoundName, foundLabel, typeText } from "./found-name.tsx";
import { Holds, Recipients } from "./recipients.tsx";

type Found = PersonReport["records"][number];
type Mention = PersonReport["mentions"][number];

const isChosenByDefault = ({ effect, matched }: Found): boolean =>
  effect !== "unlink" && matched.some((reason) => reason === "email" || reason === "phone");

const toggled = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
};

function saveReport(report: PersonReport): void {
  const content = new Blob([JSON.stringify(report, undefined, 2)], { type: "application/json" });
  saveFile(`person-${report.report_id}.json`, content);
}

export interface ReportViewProps {
  readonly report: PersonReport;
  /** The email and phone that the user searched for. */
  readonly searched: string;
  readonly onErased: (erasure: PersonErasure) => void;
}

export function ReportView({ report, searched, onErased }: ReportViewProps) {
  const { records, mentions } = report;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(records.filter(isChosenByDefault).map(({ id }) => id)),
  );
  const [reviewed, setReviewed] = useState<ReadonlySet<string>>(new Set());
  const [isOpen, setOpen] = useState(false);
  const own = records.filter(({ effect }) => effect !== "unlink");
  return (
    <Stack gap="lg">
      <div>
        <Title order={3} fz="md">
          {text.records}
        </Title>
        <Text size="sm" c="dimmed" mt={4} mb="sm" maw="70ch">
          {text.recordsHint(records.length)}
        </Text>
        <Checkbox
          mb="xs"
          label={text.chooseAll}
          checked={own.length > 0 && own.every(({ id }) => chosen.has(id))}
          indeterminate={chosen.size > 0 && !own.every(({ id }) => chosen.has(id))}
          onChange={({ currentTarget }) =>
            setChosen(new Set(currentTarget.checked ? own.map(({ id }) => id) : []))
          }
        />
        <DataTable
          label={text.records}
          items={records}
          keyOf={({ type, id }) => `${type} ${id}`}
          columns={[
            {
              label: text.name,
              cell: (record: Found) => (
                <Group gap="sm" wrap="nowrap">
                  <Checkbox
                    aria-label={text.choose(foundLabel(record))}
                    checked={record.effect !== "unlink" && chosen.has(record.id)}
                    disabled={record.effect === "unlink"}
                    onChange={() => setChosen(toggled(chosen, record.id))}
                  />
                  <FoundName {...record} />
                </Group>
              ),
            },
            { label: text.type, cell: ({ type }) => typeText(type) },
            {
              label: text.found,
              cell: ({ matched }) =>
                matched.map((reason) => text.reasons[reason] ?? reason).join(", "),
            },
            { label: text.effect, cell: ({ effect }) => text.effects[effect] ?? effect },
          ]}
        />
      </div>
      {mentions.length > 0 && (
        <Mentions
          mentions={mentions}
          reviewed={reviewed}
          onToggle={(id) => setReviewed(toggled(reviewed, id))}
        />
      )}
      <Recipients recipients={report.recipients} />
      <Holds holds={report.legal_holds} />
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveReport(report)}
        >
          {text.download}
        </Button>
        <Button color="red" disabled={chosen.size === 0} onClick={() => setOpen(true)}>
          {text.preview}
        </Button>
      </Group>
      {isOpen && (
        <EraseDialog
          person={searched}
          records={records.filter(({ id }) => chosen.has(id))}
          mentions={reviewed.size}
          request={{
            report_id: report.report_id,
            record_ids: [...chosen],
            review_ids: [...reviewed],
          }}
          onClose={() => setOpen(false)}
          onErased={onErased}
        />
      )}
    </Stack>
  );
}

interface MentionsProps {
  readonly mentions: readonly Mention[];
  readonly reviewed: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
}

/**
 * Types that can be selected. Only records can be changed here, and invoices must not be changed.
 */
const REVIEWABLE = new Set(["lead", "contact", "account", "deal", "order", "task"]);

const Mentions = ({ mentions, reviewed, onToggle }: MentionsProps) => (
  <div>
    <Title order={3} fz="md">
      {text.mentions}
    </Title>
    <Text size="sm" c="dimmed" mt={4} mb="sm" maw="70ch">
      {text.mentionsHint}
    </Text>
    <DataTable
      label={text.mentions}
      items={mentions}
      keyOf={({ type, id }) => `${type} ${id}`}
      columns={[
        {
          label: text.name,
          cell: (mention: Mention) => (
            <Group gap="sm" wrap="nowrap">
              <Checkbox
                aria-label={text.choose(foundLabel(mention))}
                checked={reviewed.has(mention.id)}
                disabled={!REVIEWABLE.has(mention.type)}
                onChange={() => onToggle(mention.id)}
              />
              <FoundName {...mention} />
            </Group>
          ),
        },
        { label: text.type, cell: ({ type }) => typeText(type) },
        {
          label: text.mentionsWhere,
          cell: ({ fields, in_history }) =>
            (in_history ? `${text.inHistory}: ` : "") + fields.map(fieldLabel).join(", "),
        },
      ]}
    />
  </div>
);

/** The list of imports, newest first, with their progress. */

import { Badge, Group, Progress, Stack, Switch } from "@mantine/core";
import { IconFileImport } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { type List, useList, useMay } from "../api/index.ts";
import { typeLabel } from "../record/index.ts";
import { t } from "../text/index.ts";
import { number, orNone } from "../ui/format/index.ts";
import { type Column, ListTable, StatusBadge, Time } from "../ui/lists/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { Empty, LinkButton, TextLink } from "../ui/states/index.ts";
import { type Import, IMPORTS, typeOf, useUpload } from "./import/index.ts";

const route = getRouteApi("/console/imports");

const POLL_ms = 2000;
/** When dry runs are hidden, keep loading pages until this many imports are shown. */
const SHOWN_MIN = 20;

export default function Imports() {
  const { checks = false } = route.useSearch();
  const navigate = useNavigate();
  const mayImport = useMay("records:write");
  const list = useImports(checks);
  const begin = mayImport && (
    <LinkButton to="/imports/new" leftSection={<IconFileImport size={16} aria-hidden />}>
      {t.files.begin}
    </LinkButton>
  );
  return (
    <>
      <PageHeader title={t.files.title} hint={t.files.listHint} actions={begin} />
      <Switch
        mb="md"
        label={t.files.showChecks}
        checked={checks}
        onChange={({ currentTarget }) =>
          void navigate({
            to: "/imports",
            search: currentTarget.checked ? { checks: true } : {},
            replace: true,
          })
        }
      />
      <ListTable
        label={t.files.title}
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={IconFileImport}
            title={t.files.none}
            hint={t.files.noneHint}
            action={begin || undefined}
          />
        }
      />
    </>
  );
}

const COLUMNS: readonly Column<Import>[] = [
  { label: t.files.columns.file, cell: (job) => <FileName job={job} /> },
  { label: t.files.columns.type, cell: (job) => typeLabel(typeOf(job)).many },
  { label: t.files.columns.state, cell: (job) => <State job={job} /> },
  { label: t.files.columns.rows, isNumber: true, cell: ({ rows }) => number(rows) },
  { label: t.files.columns.created, isNumber: true, cell: ({ created }) => number(created) },
  { label: t.files.columns.updated, isNumber: true, cell: ({ updated }) => number(updated) },
  { label: t.files.columns.refused, isNumber: true, cell: ({ refused }) => number(refused) },
  { label: t.files.columns.when, cell: ({ created_ts }) => <Time at={created_ts} /> },
  { label: t.files.columns.who, cell: ({ user_name }) => orNone(user_name) },
];

const FileName = ({ job: { id, file_name, dry_run } }: { readonly job: Import }) => (
  <Group gap="xs" wrap="nowrap">
    <TextLink to="/imports/$id" params={{ id }} size="sm" fw={500}>
      {file_name ?? t.files.unnamed}
    </TextLink>
    {dry_run && (
      <Badge variant="default" tt="none" fw={500}>
        {t.files.isCheck}
      </Badge>
    )}
  </Group>
);

function State({ job: { id, state } }: { readonly job: Import }) {
  const upload = useUpload(id);
  return (
    <Stack gap={4}>
      <StatusBadge value={state} label={t.files.states[state]} />
      {upload?.isSending === true && (
        <Progress
          size="sm"
          aria-label={t.files.importing}
          value={(upload.sent_bytes / upload.file.size) * 100}
        />
      )}
    </Stack>
  );
}

/** The list, with or without dry runs. It is reloaded while an import is running. */
function useImports(withChecks: boolean): List<Import> {
  const list = useList<Import>(IMPORTS);
  const { query } = list;
  const items = withChecks ? list.items : list.items.filter(({ dry_run }) => !dry_run);
  const isRunning = list.items.some(({ state }) => state === "running");
  const isShort = items.length < SHOWN_MIN && query.hasNextPage && !query.isFetching;
  useEffect(() => {
    if (isShort && !query.isError) void query.fetchNextPage();
  }, [isShort, query]);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void query.refetch(), POLL_ms);
    return () => clearInterval(timer);
  }, [isRunning, query]);
  return { ...list, items };
}

/** One import: progress, result and next actions. */

import { Group, Stack, Text } from "@mantine/core";
import { isNotFound } from "@leadport/client";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMay } from "../api/index.ts";
import { typeLabel } from "../record/index.ts";
import { t } from "../text/index.ts";
import { BackLink, QueryState, LinkButton, NotFound } from "../ui/states/index.ts";
import { dateTime, orNone } from "../ui/format/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { StatusBadge } from "../ui/lists/index.ts";
import {
  Counts,
  Decisions,
  ImportDetails,
  importQuery,
  ImportState,
  Links,
  Refused,
  typeOf,
  useUpload,
  Warnings,
} from "./import/index.ts";

const route = getRouteApi("/console/imports/$id");

const POLL_ms = 1000;

export default function OneImport() {
  const { id } = route.useParams();
  const upload = useUpload(id);
  const mayImport = useMay("records:write");
  const isSending = upload?.isSending === true;
  const query = useQuery({
    ...importQuery(id),
    // The service may not have started processing this window's upload yet.
    ...(isSending && { refetchInterval: POLL_ms }),
  });
  const { data } = query;
  if (data === undefined) {
    return isNotFound(query.error) ? <NotFound /> : <QueryState query={query} />;
  }
  const type = typeOf(data);
  const name = data.file_name ?? t.files.unnamed;
  const state = isSending ? "running" : data.state;
  return (
    <Stack gap="lg" maw={1200}>
      <div>
        <BackLink to="/imports">{t.files.title}</BackLink>
        <PageHeader
          title={name}
          hint={`${typeLabel(type).many} · ${dateTime(data.created_ts)} · ${orNone(data.user_name)}`}
          actions={
            mayImport &&
            state !== "running" &&
            data.state !== "waiting" && (
              <LinkButton to="/imports/new" search={{ like: id }} variant="default">
                {t.files.again}
              </LinkButton>
            )
          }
        />
        <Group gap="xs">
          <StatusBadge value={state} label={t.files.states[state]} />
          {data.dry_run && <Text size="sm">{t.files.doneCheckTitle}</Text>}
        </Group>
      </div>
      <ImportState job={data} upload={upload} />
      {data.rows > 0 && <Counts job={data} />}
      <Links job={data} />
      <Refused job={data} />
      <Warnings job={data} />
      <ImportDetails job={data} />
      <Decisions job={data} />
    </Stack>
  );
}

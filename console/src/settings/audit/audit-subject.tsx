/** The name of an audit log entry's subject, linked to the subject's page if it has one. */

import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Change } from "@leadport/client";
import { ask, useSession } from "../../api/index.ts";
import { PartnerLink, PushedLeadLink, RecordLink, useUserNames } from "../../names/index.ts";
import { findType, typeLabel } from "../../record/index.ts";
import { lookupTable, t } from "../../text/index.ts";
import { TextLink } from "../../ui/states/index.ts";
import { subjectPage } from "./audit-words.ts";

const text = t.audit;
const STALE_ms = 60_000;

/** Lists that contain the names of items. Each list is loaded once for the whole page. */
const LISTS: Readonly<Record<string, { readonly path: string; readonly by: string } | undefined>> =
  lookupTable({
    access_token: { path: "/crm/admin/access_tokens", by: "name" },
    event_webhook: { path: "/crm/webhooks", by: "url" },
    import: { path: "/crm/imports?page_size=500", by: "file_name" },
  });

export function AuditSubject({ entry }: { readonly entry: Change }) {
  const { subject_type, subject_id: id, action } = entry;
  const type = findType(subject_type);
  const name = useSubjectName(entry);
  const page = subjectPage(entry);
  if (action === "deleted") return <Plain of={text.deleted(name ?? id)} id={id} />;
  if (type !== undefined) {
    return action === "merged" ? (
      <Plain of={text.merged(typeLabel(type).one)} id={id} />
    ) : (
      <RecordLink to={type} id={id} missing={name === undefined ? undefined : text.deleted(name)} />
    );
  }
  if (subject_type === "partner") return <PartnerLink id={id} />;
  if (subject_type === "pushed_lead") return <PushedLeadLink id={id} />;
  if (page === undefined) return <Plain of={name ?? id} id={id} />;
  return (
    <TextLink to={page} inherit title={id}>
      {name ?? text.open}
    </TextLink>
  );
}

const Plain = ({ of, id }: { readonly of: string; readonly id: string }) => (
  <Text span inherit c="dimmed" title={id}>
    {of}
  </Text>
);

/** Returns the item's name, from the entry itself or from a list. */
function useSubjectName({ subject_type, subject_id, fields }: Change): string | undefined {
  const { tenant } = useSession();
  const list = LISTS[subject_type];
  const { data } = useQuery({
    queryKey: ["list", list?.path, "names"],
    queryFn: async ({ signal }) =>
      (
        await ask<readonly Readonly<Record<string, unknown>>[]>("get", String(list?.path), {
          signal,
        })
      ).data,
    enabled: list !== undefined,
    staleTime: STALE_ms,
  });
  const users = useUserNames(subject_type === "person");
  const named = fields["name"]?.new ?? fields["name"]?.old ?? fields["file_name"]?.new;
  if (subject_type === "tenant") return tenant.name;
  if (subject_type === "person") return users.find(({ id }) => id === subject_id)?.name;
  const found = data?.find(({ id }) => id === subject_id)?.[list?.by ?? ""];
  const name = found ?? named;
  return typeof name === "string" ? name : undefined;
}

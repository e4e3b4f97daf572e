/** A record page: details, related records and history. */

import { Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { isNotFound } from "@leadport/client";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { useMay } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { QueryState, Empty, LinkButton, NotFound } from "../../ui/states/index.ts";
import {
  pageOf,
  type RecordType,
  type Stored,
  typeByPlural,
  typeLabel,
} from "../../record/index.ts";
import { Details, History } from "../values/index.ts";
import { Duplicates } from "./duplicates.tsx";
import { EditForm } from "../editing/index.ts";
import { Merges } from "./merges.tsx";
import { RecordHeader } from "./record-header.tsx";
import classes from "../values/record-page.module.css";
import { Related } from "./related.tsx";
import { Tasks } from "./tasks.tsx";
import { recordQuery } from "../../requests/index.ts";

const ROUTE = "/console/$type/$id";

export default function RecordPage() {
  const { type: plural, id } = useParams({ from: ROUTE });
  const type = typeByPlural(plural);
  if (type === undefined) return <NotFound />;
  return <OneRecord key={`${type.name} ${id}`} type={type} id={id} />;
}

function OneRecord({ type, id }: { readonly type: RecordType; readonly id: string }) {
  const found = useQuery(recordQuery(type, id));
  const { one, many } = typeLabel(type);
  if (found.data !== undefined) {
    // The ID of a merged record redirects to the surviving record.
    return found.data._id === id ? (
      <Page type={type} record={found.data} />
    ) : (
      <Moved type={type} record={found.data} />
    );
  }
  if (isNotFound(found.error)) {
    return (
      <Empty
        order={1}
        title={t.record.gone(one)}
        hint={t.record.goneHint}
        action={
          <LinkButton to="/$type" params={{ type: type.plural }} variant="light">
            {t.record.toList(many)}
          </LinkButton>
        }
      />
    );
  }
  return <QueryState query={found} rows={10} />;
}

interface PageProps {
  readonly type: RecordType;
  readonly record: Stored;
}

function Moved({ type, record }: PageProps) {
  useEffect(() => {
    notifications.show({ id: record._id, message: t.record.moved(record.name) });
  }, [record]);
  return <Navigate to={pageOf(type, record._id)} replace />;
}

/** Focuses the title, because nothing has the focus after the edit form closes. */
const focusTitle = () => document.querySelector<HTMLElement>("h1")?.focus();

function Page({ type, record }: PageProps) {
  const { edit } = useSearch({ from: ROUTE });
  const isEditing = useMay("records:write") && edit === true;
  const navigate = useNavigate();
  const setEditing = (edits: boolean) =>
    navigate({
      to: pageOf(type, record._id),
      search: edits ? { edit: true } : {},
      replace: !edits,
    });
  return (
    <>
      <RecordHeader
        type={type}
        record={record}
        isEditing={isEditing}
        onEdit={() => void setEditing(true)}
      />
      <div className={classes["page"]}>
        <Stack gap="lg" miw={0}>
          {isEditing ? (
            <EditForm
              type={type}
              record={record}
              onDone={() => void setEditing(false).then(focusTitle)}
            />
          ) : (
            <Details type={type} record={record} />
          )}
          <Related type={type} record={record} />
        </Stack>
        <Stack gap="lg" miw={0}>
          {type.mergeable && <Duplicates type={type} record={record} />}
          <Tasks type={type} record={record} />
          {type.mergeable && <Merges type={type} record={record} />}
          <History type={type} record={record} />
        </Stack>
      </div>
    </>
  );
}

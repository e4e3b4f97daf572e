/** The submitted leads and their statuses. */

import type { PushedLead } from "@leadport/client";
import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useList } from "../../api/index.ts";
import { portalTexts } from "../../text/portal.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { Empty } from "../../ui/states/index.ts";
import type { PushedSearch } from "../partner/index.ts";
import { NothingPushed } from "./nothing-pushed.tsx";
import { PushedFilters } from "./pushed-filters.tsx";
import { PushedTable } from "./pushed-table.tsx";
import { spanOf } from "../../ui/days/index.ts";

const route = getRouteApi("/portal/partner/pushed");

export default function Pushed() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/partner/pushed" });
  const { status, source } = search;
  const list = useList<PushedLead>("/crm/partner/pushed", {
    query: { status, source, ...spanOf(search) },
  });
  const isFiltered = Object.keys(search).length > 0;
  const choose = (next: PushedSearch) => void navigate({ search: next, replace: true });
  return (
    <>
      <PageHeader
        title={portalTexts.pushed.title}
        hint={portalTexts.pushed.hint}
        actions={
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={list.query.isRefetching}
            onClick={() => void list.query.refetch()}
          >
            {portalTexts.pushed.refresh}
          </Button>
        }
      />
      <PushedFilters search={search} onChange={choose} />
      <PushedTable
        list={list}
        empty={
          isFiltered ? (
            <Empty
              title={portalTexts.pushed.none}
              hint={portalTexts.pushed.noneHint}
              action={
                <Button variant="light" onClick={() => choose({})}>
                  {portalTexts.pushed.clear}
                </Button>
              }
            />
          ) : (
            <NothingPushed />
          )
        }
      />
    </>
  );
}

/** The list of webhook deliveries and their results. */

import { Button } from "@mantine/core";
import { IconPlus, IconSend } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useList } from "../api/index.ts";
import { t } from "../text/index.ts";
import { number } from "../ui/format/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { Empty, LinkButton } from "../ui/states/index.ts";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { ResendDialog } from "./resend-dialog.tsx";
import { DELIVERIES, queryOf, type Delivery } from "./search.ts";
import { readFailed, RESEND_ALL_MAX } from "./use-resending.ts";

const text = t.deliveries;

export default function Deliveries() {
  const search = useSearch({ from: "/console/deliveries" });
  const [isAsking, setAsking] = useState(false);
  const query = queryOf(search);
  const list = useList<Delivery>(DELIVERIES, { query });
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const mayHaveFailed = search.status === undefined || search.status === "failed";
  return (
    <>
      <PageHeader
        title={text.title}
        hint={text.hint}
        actions={
          mayHaveFailed && list.items.length > 0 ? (
            <Button variant="default" onClick={() => setAsking(true)}>
              {text.resendFailed}
            </Button>
          ) : undefined
        }
      />
      <DeliveryFilters search={search} />
      <DeliveryTable
        label={text.title}
        list={list}
        empty={
          <Empty
            icon={IconSend}
            title={isFiltered ? text.noneTitle : text.emptyTitle}
            hint={isFiltered ? text.noneHint : text.emptyHint}
            action={
              !isFiltered && (
                <LinkButton
                  to="/settings/webhooks/new"
                  leftSection={<IconPlus size={16} aria-hidden />}
                >
                  {t.webhooks.create}
                </LinkButton>
              )
            }
          />
        }
      />
      {isAsking && (
        <ResendDialog
          title={text.resendFailedTitle}
          question={text.resendFailedText(number(RESEND_ALL_MAX))}
          find={() => readFailed(query)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

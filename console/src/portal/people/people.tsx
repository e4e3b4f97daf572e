/** Leads and contacts from the partner's sources. */

import { SegmentedControl } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { portalTexts } from "../../text/portal.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { Empty } from "../../ui/states/index.ts";
import { type PeopleSearch, usePartner, useRight } from "../partner/index.ts";
import { PeopleList } from "./people-list.tsx";

const route = getRouteApi("/portal/partner/people");
const texts = portalTexts.people;

const KINDS = [
  { value: "leads", label: texts.kinds.leads },
  { value: "contacts", label: texts.kinds.contacts },
];

export default function People() {
  const search: PeopleSearch = route.useSearch();
  const navigate = useNavigate({ from: "/partner/people" });
  const { allowed_marketing_sources: sources } = usePartner();
  const rights = { leads: useRight("read_leads"), contacts: useRight("read_contacts") };
  const kind = search.kind ?? "leads";
  return (
    <>
      <PageHeader
        title={texts.title}
        hint={texts.hint}
        actions={
          <SegmentedControl
            aria-label={texts.kind}
            data={KINDS}
            value={kind}
            onChange={(value) =>
              void navigate({ search: value === "contacts" ? { kind: "contacts" } : {} })
            }
          />
        }
      />
      {!rights[kind] ? (
        <Empty icon={IconLock} title={texts.denied[kind]} hint={texts.deniedHint} />
      ) : sources.length === 0 ? (
        <Empty icon={IconLock} title={texts.noSources} hint={texts.noSourcesHint} />
      ) : (
        <PeopleList
          key={kind}
          kind={kind}
          search={search}
          onSearch={(next) => void navigate({ search: next, replace: true })}
        />
      )}
    </>
  );
}

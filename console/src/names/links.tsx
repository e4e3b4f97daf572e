/** Links to records, partners, partner leads and users, with their names. */

import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "../api/index.ts";
import { t } from "../text/index.ts";
import { TextLink } from "../ui/states/index.ts";
import { pageOf, type RecordType, typeLabel } from "../record/index.ts";
import { usePartnerNames } from "./partner-names.ts";
import { pushedLeadNameQuery } from "./pushed-lead-names.ts";
import { nameQuery } from "./record-names.ts";
import { useUserNames } from "./user-names.ts";

export interface RecordLinkProps {
  readonly to: RecordType;
  readonly id: string;
  /** The name, if it is already known. Otherwise, it is loaded. */
  readonly name?: string | undefined;
  /** Shown if the record does not exist. */
  readonly missing?: string | undefined;
}

/** A link with a record's name, or a placeholder if the record does not exist. */
export function RecordLink(props: RecordLinkProps) {
  const { to, id, name: known, missing = t.record.missing(typeLabel(to).one) } = props;
  const { data, isError } = useQuery({ ...nameQuery(to, id), enabled: known === undefined });
  const name = known ?? data;
  if (name === null) return <Missing what={missing} id={id} />;
  if (name === undefined && !isError) return t.common.loading;
  return (
    <TextLink inherit to={pageOf(to, id)}>
      {name ?? t.record.unnamed(typeLabel(to).one)}
    </TextLink>
  );
}

const Missing = ({ what, id }: { readonly what: string; readonly id: string }) => (
  <Text span inherit c="dimmed" fs="italic" title={id}>
    {what}
  </Text>
);

/** A link with a partner's name, for users who may see partners. */
export function PartnerLink({ id }: { readonly id: string }) {
  const { partners, mayRead } = usePartnerNames();
  if (!mayRead) return t.record.partner;
  if (partners === undefined) return t.common.loading;
  const partner = partners.find((one) => one.id === id);
  if (partner === undefined) return <Missing what={t.record.missing(t.record.partner)} id={id} />;
  return (
    <TextLink inherit to="/partners/$id" params={{ id }}>
      {partner.name}
    </TextLink>
  );
}

/** A link to a partner lead, for users who may review it. */
export function PushedLeadLink({ id }: { readonly id: string }) {
  const mayReview = useMay("exchange:review");
  const { data: name } = useQuery({ ...pushedLeadNameQuery(id), enabled: mayReview });
  if (!mayReview) return t.record.pushedLead;
  if (name === null) return <Missing what={t.record.missing(t.record.pushedLead)} id={id} />;
  return (
    <TextLink inherit to="/review/$id" params={{ id }}>
      {name ?? t.record.openPushedLead}
    </TextLink>
  );
}

/** A user's name. */
export function UserName({ id }: { readonly id: string }) {
  const user = useUserNames().find((one) => one.id === id);
  return user?.name ?? <Missing what={t.record.otherUser} id={id} />;
}

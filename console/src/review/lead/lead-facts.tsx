/** The details that the partner sent, and what became of the lead. */

import { Anchor } from "@mantine/core";
import { useMay } from "../../api/index.ts";
import { RecordLink } from "../../names/index.ts";
import { typeNamed } from "../../record/index.ts";
import { t } from "../../text/index.ts";
import { EmailNote } from "../../ui/notes/index.ts";
import { Fact, Facts, NestedValue, Time } from "../../ui/lists/index.ts";
import { dateTime, mailHref, canDial, phoneHref, words } from "../../ui/format/index.ts";
import { TextLink } from "../../ui/states/index.ts";
import { Expiry, type PushedLead } from "../pushed-leads/index.ts";

export function LeadFacts({ lead }: { readonly lead: PushedLead }) {
  const { email, phone, comments, description, expiration_date } = lead;
  return (
    <Facts>
      <Fact label={t.review.email}>
        {email !== null && (
          <>
            <Anchor inherit href={mailHref(email)}>
              {email}
            </Anchor>
            <EmailNote email={email} />
          </>
        )}
      </Fact>
      <Fact label={t.review.phone}>
        {phone !== null && canDial({ phone }) ? (
          <Anchor inherit href={phoneHref(phone)}>
            {phone}
          </Anchor>
        ) : (
          phone
        )}
      </Fact>
      <Fact label={t.review.partner}>{lead.partner_name}</Fact>
      <Fact label={t.review.source}>{words(lead.source)}</Fact>
      <Fact label={t.review.pushed}>
        <Time at={lead.submitted_ts} />
      </Fact>
      <Fact label={t.review.expiry}>
        {expiration_date === null ? (
          t.review.neverExpires
        ) : lead.status === "pending" || lead.status === "expired" ? (
          <Expiry at={expiration_date} />
        ) : (
          dateTime(expiration_date)
        )}
      </Fact>
      {description !== null && <Fact label={t.review.description}>{description}</Fact>}
      {comments !== null && <Fact label={t.review.comments}>{comments}</Fact>}
      <Preferences of={lead.match_preferences} />
      {lead.rejection_reason !== null && (
        <Fact label={t.review.reason}>{lead.rejection_reason}</Fact>
      )}
      <WhatBecame lead={lead} />
    </Facts>
  );
}

/** Match preferences, whose members are defined by the partner. */
function Preferences({ of }: { readonly of: PushedLead["match_preferences"] }) {
  if (of === null || Object.keys(of).length === 0) return null;
  return (
    <Fact label={t.review.preferences}>
      <NestedValue value={of} />
    </Fact>
  );
}

function WhatBecame({
  lead: { status, imported_lead_id, delivery },
}: {
  readonly lead: PushedLead;
}) {
  const isAdmin = useMay("admin");
  const mayRead = useMay("records:read");
  return (
    <>
      {status === "imported" && (
        <Fact label={t.review.importedAs}>
          {imported_lead_id === null ? (
            t.review.importedElsewhere
          ) : mayRead ? (
            <RecordLink to={typeNamed("lead")} id={imported_lead_id} />
          ) : (
            t.review.importedLead
          )}
        </Fact>
      )}
      {delivery !== null && (
        <Fact label={t.review.delivery}>
          {isAdmin ? (
            <TextLink inherit to="/deliveries/$id" params={{ id: delivery.id }}>
              {stateOf(delivery)}
            </TextLink>
          ) : (
            stateOf(delivery)
          )}
        </Fact>
      )}
    </>
  );
}

const stateOf = ({ status, attempt_count }: NonNullable<PushedLead["delivery"]>): string =>
  t.review.deliveryState(t.deliveries.statuses[status], attempt_count);

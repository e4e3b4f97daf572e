/** Actions for a partner: suspend, activate, replace the access code. */

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { api, useSending } from "../api/index.ts";
import { partnerTexts } from "../text/partners.ts";
import { ConfirmButton } from "../ui/forms/index.ts";
import { Failure, LinkButton } from "../ui/states/index.ts";
import type { Partner, PartnerWithAccessCode } from "./partner.ts";

export interface PartnerActionsProps {
  readonly partner: Partner;
  readonly onStatus: (changed: Partner) => unknown;
  /** Called with the new access code. */
  readonly onReissued: (partner: PartnerWithAccessCode) => void;
}

export function PartnerActions({ partner, onStatus, onReissued }: PartnerActionsProps) {
  const path = { partner_id: partner.id };
  const setStatus = async (status: Partner["status"]) => {
    const body = { status };
    const changed = await api.patch("/crm/admin/partners/{partner_id}", { path, body });
    await onStatus(changed);
    const { suspendedNow, activeNow } = partnerTexts;
    notifications.show({ message: status === "active" ? activeNow : suspendedNow });
  };
  const activating = useSending(async () => setStatus("active"));
  return (
    <>
      <LinkButton to="/review" search={{ partner: partner.id, status: "all" }} variant="default">
        {partnerTexts.pushedLeads}
      </LinkButton>
      <ConfirmButton
        title={partnerTexts.reissueTitle}
        text={partnerTexts.reissueText(partner.name)}
        confirm={partnerTexts.reissueConfirm}
        work={async () =>
          onReissued(await api.post("/crm/admin/partners/{partner_id}/access_code", { path }))
        }
      >
        {partnerTexts.reissue}
      </ConfirmButton>
      {partner.status === "active" ? (
        <ConfirmButton
          title={partnerTexts.suspendTitle}
          text={partnerTexts.suspendText(partner.name)}
          confirm={partnerTexts.suspend}
          work={async () => setStatus("suspended")}
        >
          {partnerTexts.suspend}
        </ConfirmButton>
      ) : (
        <Button loading={activating.isSending} onClick={() => activating.send(undefined)}>
          {partnerTexts.activate}
        </Button>
      )}
      <Failure error={activating.error} />
    </>
  );
}

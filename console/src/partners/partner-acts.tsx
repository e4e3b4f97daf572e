/** Actions on a partner in addition to changing its settings. */

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { api, useSending } from "../api/index.ts";
import { t } from "../text/index.ts";
import { ConfirmButton } from "../ui/forms/index.ts";
import { Failure, LinkButton } from "../ui/states/index.ts";
import type { Partner, PartnerWithAccessCode } from "./partner.ts";

export interface PartnerActsProps {
  readonly partner: Partner;
  readonly onStatus: (changed: Partner) => unknown;
  /** With the new access code. */
  readonly onReissued: (partner: PartnerWithAccessCode) => void;
}

export function PartnerActs({ partner, onStatus, onReissued }: PartnerActsProps) {
  const path = { partner_id: partner.id };
  const setStatus = async (status: Partner["status"]) => {
    const body = { status };
    const changed = await api.patch("/crm/admin/partners/{partner_id}", { path, body });
    await onStatus(changed);
    const { suspendedNow, activeNow } = t.partners;
    notifications.show({ message: status === "active" ? activeNow : suspendedNow });
  };
  const activating = useSending(async () => setStatus("active"));
  return (
    <>
      <LinkButton to="/review" search={{ partner: partner.id, status: "all" }} variant="default">
        {t.partners.pushedLeads}
      </LinkButton>
      <ConfirmButton
        title={t.partners.reissueTitle}
        text={t.partners.reissueText(partner.name)}
        confirm={t.partners.reissueConfirm}
        work={async () =>
          onReissued(await api.post("/crm/admin/partners/{partner_id}/access_code", { path }))
        }
      >
        {t.partners.reissue}
      </ConfirmButton>
      {partner.status === "active" ? (
        <ConfirmButton
          title={t.partners.suspendTitle}
          text={t.partners.suspendText(partner.name)}
          confirm={t.partners.suspend}
          work={async () => setStatus("suspended")}
        >
          {t.partners.suspend}
        </ConfirmButton>
      ) : (
        <Button loading={activating.isSending} onClick={() => activating.send(undefined)}>
          {t.partners.activate}
        </Button>
      )}
      <Failure error={activating.error} />
    </>
  );
}

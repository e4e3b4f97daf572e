/** Whether the business knows somebody. */

import { Card } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { Empty } from "../../ui/states.tsx";
import { useRight } from "../partner.ts";
import { LookUpForm } from "./look-up-form.tsx";

export default function LookUp() {
  const may = useRight("lookup");
  return (
    <>
      <PageHeader title={t.portal.lookUp.title} hint={t.portal.lookUp.hint} />
      {may ? (
        <Card withBorder maw={720} padding="lg">
          <LookUpForm />
        </Card>
      ) : (
        <Empty icon={IconLock} title={t.portal.lookUp.denied} hint={t.portal.lookUp.deniedHint} />
      )}
    </>
  );
}

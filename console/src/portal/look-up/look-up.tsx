/** The page that checks whether the business already knows a person. */

import { Card } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { portalTexts } from "../../text/portal.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { Empty } from "../../ui/states/index.ts";
import { useRight } from "../partner/index.ts";
import { LookUpForm } from "./look-up-form.tsx";

export default function LookUp() {
  const may = useRight("lookup");
  return (
    <>
      <PageHeader title={portalTexts.lookUp.title} hint={portalTexts.lookUp.hint} />
      {may ? (
        <Card withBorder maw={720} padding="lg">
          <LookUpForm />
        </Card>
      ) : (
        <Empty
          icon={IconLock}
          title={portalTexts.lookUp.denied}
          hint={portalTexts.lookUp.deniedHint}
        />
      )}
    </>
  );
}

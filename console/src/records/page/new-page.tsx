/** The page that creates a record. */

import { Card } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { t } from "../../text/index.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { NotFound, TextLink } from "../../ui/states/index.ts";
import { CreateForm } from "../form/index.ts";
import { pageOf, typeByPlural, typeLabel, type RecordType } from "../../record/index.ts";
import { useLeaveGuard } from "../editing/index.ts";
import classes from "../values/record-page.module.css";

export default function NewPage() {
  const { type: plural } = useParams({ from: "/console/$type/new" });
  const type = typeByPlural(plural);
  return type === undefined ? <NotFound /> : <NewRecord key={type.name} type={type} />;
}

function NewRecord({ type }: { readonly type: RecordType }) {
  const { with: given = {} } = useSearch({ from: "/console/$type/new" });
  const navigate = useNavigate();
  const guard = useLeaveGuard();
  const { one, many } = typeLabel(type);
  return (
    <div className={classes["narrow"]}>
      <TextLink to="/$type" params={{ type: type.plural }} size="sm">
        {many}
      </TextLink>
      <PageHeader title={t.record.newTitle(one)} />
      <Card withBorder padding="lg">
        <CreateForm
          type={type}
          given={given}
          canCreate
          onDirty={guard.onDirty}
          onCancel={() => void navigate({ to: `/${type.plural}` })}
          onDone={(record) => {
            guard.onDirty(false);
            notifications.show({ message: t.record.created(one), color: "teal" });
            return navigate({ to: pageOf(type, record._id) });
          }}
        />
      </Card>
      {guard.dialog}
    </div>
  );
}

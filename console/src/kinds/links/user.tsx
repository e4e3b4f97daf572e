/** The id of a user. */

import { UserName } from "../../names/index.ts";
import { t } from "../../text/index.ts";
import { USERS } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { PlainText } from "../shown/index.ts";

export const user: Kind = {
  width: 110,
  Cell: ({ record }) => <PlainText text={String(record["user_name"] ?? t.record.otherUser)} />,
  // The owner's name need not be looked up, because the record contains it.
  Value: ({ record: { userid, user_name }, name, value }) => {
    const isOwner = name === "userid" || value === userid;
    return isOwner && typeof user_name === "string" ? user_name : <UserName id={String(value)} />;
  },
  Input: (props) => <props.inputs.AssigneeInput {...props} />,
  filtering: USERS,
};

/** A note next to an email address that looks invalid. */

import { Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import { looksDeliverable } from "../email/index.ts";
import classes from "./email-note.module.css";

export const EmailNote = ({ email }: { readonly email: string | null }) =>
  email === null || looksDeliverable(email) ? null : (
    <Text span size="xs" display="block" className={classes["note"] ?? ""}>
      <IconAlertTriangle size={14} aria-hidden className={classes["icon"]} />{" "}
      {t.common.invalidEmail}
    </Text>
  );

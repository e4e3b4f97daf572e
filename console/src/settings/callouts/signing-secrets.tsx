/** An endpoint's signing secrets: when each was created, and a button to create another secret. */

import { List, Text } from "@mantine/core";
import type { ImportWebhook, WebhookSecret } from "@leadport/client";
import { useState } from "react";
import { t } from "../../text/index.ts";
import { ConfirmButton, SecretOnce } from "../../ui/forms/index.ts";
import { dateTime } from "../../ui/format/index.ts";
import { Section } from "../../ui/frame/index.ts";

const text = t.integrations.secret;

export interface SigningSecretsProps {
  /** The secrets, newest first. */
  readonly secrets: ImportWebhook["secrets"];
  readonly issue: () => Promise<WebhookSecret>;
  readonly onIssued: () => unknown;
}

export function SigningSecrets({ secrets, issue, onIssued }: SigningSecretsProps) {
  const [issued, setIssued] = useState<string>();
  const button = (
    <ConfirmButton
      title={text.issueTitle}
      text={text.issueText}
      confirm={text.issue}
      work={async () => setIssued((await issue()).secret)}
      onDone={onIssued}
    >
      {text.issue}
    </ConfirmButton>
  );
  return (
    <Section title={text.title} hint={text.hint} actions={button}>
      {issued !== undefined && <SecretOnce title={text.made} secret={issued} />}
      {secrets.length === 0 ? (
        <Text size="sm">{text.none}</Text>
      ) : (
        <List size="sm">
          {secrets.map(({ created_ts }, at) => (
            <List.Item key={at}>{`${text.issued} ${dateTime(created_ts)}`}</List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}

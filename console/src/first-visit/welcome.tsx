/**
 * The page that a new installation shows until it has an owner. It explains where to find the sign-in link and how to
 * get a new link.
 */

import { Code, List, Text, Title } from "@mantine/core";
import { firstVisitTexts as texts } from "../text/first-visit.ts";
import { CopyBox } from "../ui/forms/index.ts";
import { CenteredCard } from "../ui/frame/index.ts";

const asOutput = { overflowWrap: "anywhere", whiteSpace: "pre-wrap" } as const;

export default function Welcome() {
  return (
    <CenteredCard
      title={texts.title}
      hint={texts.hint}
      size={520}
      other={{ to: "/sign-in", label: texts.signIn }}
    >
      <List type="ordered" spacing="sm" size="sm">
        <List.Item>
          {texts.find}
          <Code block mt={6} style={asOutput}>
            {texts.printed(location.origin)}
          </Code>
        </List.Item>
        <List.Item>{texts.open}</List.Item>
      </List>
      <div>
        <Title order={2} size="h4">
          {texts.lost}
        </Title>
        <Text size="sm" mt={4} mb="xs">
          {texts.lostHint}
        </Text>
        <CopyBox text={texts.command} />
      </div>
    </CenteredCard>
  );
}

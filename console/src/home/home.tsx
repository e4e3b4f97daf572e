import { PageHeader } from "../ui/page-header.tsx";
import { t } from "../text/index.ts";

export default function Home() {
  return <PageHeader title={t.shell.home} />;
}

/** What `leadport start` prints: where it is, and a line to try it with. */

import { X509Certificate } from "node:crypto";
import { isIPv6 } from "node:net";
import { relative } from "node:path";
import { FIRST_HANDLE } from "../access/index.ts";
import { linkUrl, type MadeLink } from "../people/index.ts";
import { shellWord } from "../platform/storage/index.ts";
import type { Installation } from "./installation.ts";
import { type FirstTenant, ownerTokenFile } from "./owner-token.ts";

/** An address that a program on this machine can call. */
function localHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

const inUrl = (host: string) => (isIPv6(host) ? `[${host}]` : host);

/** The beginning of links that a command prints: the setting, or where the service listens here. */
export const addressOf = (installation: Installation): string =>
  installation.config.publicUrl ?? callableAs(installation, installation.config.port).base;

/** The name to call the service by, and what curl needs to accept its certificate under it. */
function callableAs({ config, tls }: Installation, port: number) {
  const host = localHost(config.host);
  if (tls === undefined) return { base: `http://${inUrl(host)}:${port}`, flags: [] };
  const certificate = new X509Certificate(tls.cert);
  const isSelfSigned = certificate.checkIssued(certificate);
  const trust = isSelfSigned ? [`--cacert ${shellWord(config.tlsCertFile ?? "")}`] : [];
  const isNamed = certificate.checkIP(host) ?? certificate.checkHost(host);
  const [, name] = /DNS:([^,*]+)/.exec(certificate.subjectAltName ?? "") ?? [];
  if (isNamed !== undefined || name === undefined) {
    return { base: `https://${inUrl(host)}:${port}`, flags: trust };
  }
  const connect = `--connect-to ::${inUrl(host)}:${port}`;
  return { base: `https://${name}:${port}`, flags: [...trust, connect] };
}

export function welcome(
  installation: Installation,
  port: number,
  first: FirstTenant | undefined,
): readonly string[] {
  const { config, embedded } = installation;
  const { base, flags } = callableAs(installation, port);
  return [
    "",
    `Leadport runs on ${base}`,
    consoleLine(config.publicUrl ?? base, first?.link),
    `  Documentation  ${base}/docs`,
    ...(embedded === undefined ? [] : databaseLines(installation)),
    ...(config.processes === 1 ? [] : [`  Processes      ${config.processes} serve`]),
    ...tokenLines(ownerTokenFile(config.dataDir), first?.tokenFile, (header) =>
      ["curl", ...flags, header, `${base}/crm/leads`].join(" "),
    ),
    "",
  ];
}

/** Where the owner's token is and how to use it, or how to create another one. */
function tokenLines(
  file: string,
  state: FirstTenant["tokenFile"] = "missing",
  curl: (header: string) => string,
): readonly string[] {
  const fromHere = relative(process.cwd(), file);
  const shown = fromHere.startsWith("..") ? file : fromHere;
  if (state === "valid") {
    const header = `-H "Authorization: Bearer $(cat ${shellWord(file)})"`;
    return [`  Owner token    ${shown}`, "", "Try it:", `  ${curl(header)}`];
  }
  const fault =
    state === "missing"
      ? "not on this machine"
      : `${shown} is not a valid token of the first tenant and was left unchanged`;
  return [
    `  Owner token    ${fault}. Create one with`,
    `                 leadport token create --tenant ${FIRST_HANDLE} --permissions admin,records:write`,
  ];
}

const consoleLine = (base: string, link: MadeLink | undefined): string =>
  link === undefined
    ? `  Console        ${base}/`
    : `  Console        ${linkUrl(base, link)}  (once, within 24 h)`;

function databaseLines({ embedded, config }: Installation): string[] {
  const place = embedded?.elsewhere ?? `${config.dataDir}/postgres`;
  const who = embedded?.runsAs === undefined ? "" : `, run by the user ${embedded.runsAs}`;
  const why =
    embedded?.elsewhere === undefined
      ? ""
      : " (at the first start PostgreSQL's user could not reach the data folder)";
  const how = embedded?.adopted === true ? ", found running and taken over" : "";
  return [`  Database       ${place}${who}${why}${how}`];
}

/** The output of `leadport start`: the service's addresses, and a command to try it. */

import { X509Certificate } from "node:crypto";
import { isIPv6 } from "node:net";
import { relative } from "node:path";
import { FIRST_HANDLE } from "../tenants/index.ts";
import { linkUrl, type CreatedLink } from "../people/index.ts";
import { shellWord } from "../platform/storage/index.ts";
import type { Installation } from "./installation.ts";
import { type FirstTenant, ownerTokenFile } from "./owner-token.ts";
import { notedAddress } from "./service-address.ts";

/** Returns an address that programs on this machine can connect to. */
function localHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

const inUrl = (host: string) => (isIPv6(host) ? `[${host}]` : host);

/**
 * Returns the base URL for links that a command prints. This is the configured URL. If none is configured, it is the
 * address at which the service listens (or would listen if it were running).
 */
export const addressOf = (installation: Installation): string => {
  const { publicUrl, dataDir, port } = installation.config;
  return publicUrl ?? notedAddress(dataDir) ?? baseOf(installation, port);
};

/** Returns the base URL of the service for programs on this machine. */
export const baseOf = (installation: Installation, port: number): string =>
  callableAs(installation, port).base;

/** Returns the base URL for requests to the service, and the curl options for accepting its certificate. */
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
    `Leadport is running on ${base}`,
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

/** Returns lines that show where the owner's token is and how to use it, or how to create a token. */
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
    `  Owner token    ${fault}. Create a token with`,
    `                 leadport token create --tenant ${FIRST_HANDLE} --permissions admin,ssn:read`,
  ];
}

const consoleLine = (base: string, link: CreatedLink | undefined): string =>
  link === undefined
    ? `  Console        ${base}/`
    : `  Console        ${linkUrl(base, link)}  (works once, within 24 h)`;

function databaseLines({ embedded, config }: Installation): string[] {
  const place = embedded?.elsewhere ?? `${config.dataDir}/postgres`;
  const who = embedded?.runsAs === undefined ? "" : `, runs as the user ${embedded.runsAs}`;
  const why =
    embedded?.elsewhere === undefined
      ? ""
      : " (PostgreSQL's user had no access to the data folder at the first start)";
  const how = embedded?.adopted === true ? ", was still running and has been adopted" : "";
  return [`  Database       ${place}${who}${why}${how}`];
}

/** Settings of earlier versions. If one is still set, a start warns that it has no effect. */

const REMOVED: Readonly<Record<string, string>> = {
  SERVER_TIMING:
    "To get the Server-Timing header of a response, send `Prefer: timing` with the request.",
  EXPORT_SPOOL_MAX:
    "Each process uses at most 10 GB for exports to slow clients, and DISK_RESERVE keeps disk space free.",
  PARTNER_OUTGOING_ALLOW:
    "Webhooks of partners reach only public addresses, so the partner needs a public https address for its receiver.",
};

/** Returns a warning for each removed setting that is set in `env`. */
export const removedSettings = (env: NodeJS.ProcessEnv): readonly string[] =>
  Object.entries(REMOVED)
    .filter(([name]) => (env[name] ?? "").trim() !== "")
    .map(([name, instead]) => `${name} is no longer a setting and has no effect. ${instead}`);

/** The settings of the service's own TLS: a part of the table in config.ts. */

import { isOn, path } from "./platform/setting-texts.ts";

export const TLS_SETTINGS = {
  tlsCertFile: {
    env: "TLS_CERT_FILE",
    doc: "The certificate chain in PEM. With `TLS_KEY_FILE` the service speaks TLS 1.2+ itself.",
    parse: path,
    optional: true,
  },
  tlsKeyFile: {
    env: "TLS_KEY_FILE",
    doc: "The certificate's private key in PEM.",
    parse: path,
    optional: true,
  },
  hsts: {
    env: "HSTS",
    doc:
      "`on` sets `Strict-Transport-Security: max-age=31536000` on responses over the service's own TLS, so " +
      "that browsers use only https for this host name for a year. It is never sent for IP addresses and " +
      "`localhost`. `off` sends none.",
    parse: isOn,
    fallback: "on",
  },
} as const;

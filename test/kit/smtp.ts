/** An SMTP server that stores the emails it receives. */

import { SMTPServer } from "smtp-server";
import { listening, type Owner } from "./started.ts";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The headers and the text, without quoted-printable's soft line breaks. */
  readonly text: string;
}

export async function startSmtp(owner: Owner) {
  const inbox: ReceivedMail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        inbox.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: unfolded(Buffer.concat(chunks).toString()),
        });
        done();
      });
    },
  });
  return { url: `smtp://127.0.0.1:${await listening(owner, smtp.server)}`, inbox };
}

const unfolded = (text: string): string => text.replaceAll(/=\r\n/g, "").replaceAll("=3D", "=");

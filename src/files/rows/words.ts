/**
 * What the words of other systems mean in our enumerations. Only words of which a reader would not
 * doubt the meaning, and the stages that the two largest CRMs come with; every other word is
 * unknown and kept in the record (D10.4). Names are plain: no case, spaces, punctuation.
 */

import type { RecordName } from "../../records/index.ts";
import { plainName } from "../columns/index.ts";

type Words = Readonly<Record<string, readonly string[]>>;

const PERSON_STATUS: Words = {
  open: ["new", "opennotcontacted", "notcontacted", "uncontacted", "newlead"],
  assigned: [],
  attempted: [
    "attemptedtocontact",
    "didnotpick",
    "didnotconnect",
    "notreachable",
    "noanswer",
    "leftvoicemail",
  ],
  contacted: ["connected", "workingcontacted"],
  "meeting-setup": ["meetingset", "meetingscheduled", "meetingbooked", "appointmentscheduled"],
  disqualified: ["unqualified", "notinterested", "closednotconverted"],
  incorrect: ["wrongnumber", "invalid", "junk", "spam"],
};

const PERSON_SOURCE: Words = {
  Google: ["googleads", "googleadwords"],
  Facebook: ["fb", "facebookads"],
  "Incoming-Call": ["phoneinquiry", "inboundcall", "phonecall"],
  SMS: ["textmessage"],
  Referral: ["referred", "wordofmouth", "employeereferral", "externalreferral", "customerreferral"],
  Unknown: ["na", "none", "notknown"],
  Instagram: ["instagramads"],
  "Billboard Ad": ["billboard"],
};

const BILL_STAGE: Words = { cancelled: ["canceled"], void: ["voided"], open: ["sent", "unpaid"] };

const WORDS: Readonly<Record<RecordName, Readonly<Record<string, Words>>>> = {
  lead: { status: PERSON_STATUS, source: PERSON_SOURCE },
  contact: { status: PERSON_STATUS, source: PERSON_SOURCE },
  account: {
    status: { "ex-customer": ["oldcustomer", "formercustomer"] },
    relationship_type: {
      customer: ["customerdirect", "customerchannel", "client"],
      vendor: ["supplier"],
      partner: ["channelpartner", "channelpartnerreseller", "reseller", "technologypartner"],
      prospect: ["customercandidate", "potentialcustomer"],
    },
  },
  deal: {
    stage: {
      prospecting: ["prospect"],
      discovery: [
        "qualification",
        "qualifiedtobuy",
        "appointmentscheduled",
        "needsanalysis",
        "discoverycall",
      ],
      developing: [
        "valueproposition",
        "iddecisionmakers",
        "perceptionanalysis",
        "proposalpricequote",
        "proposal",
        "presentationscheduled",
        "decisionmakerboughtin",
      ],
      negotiation_review: ["negotiation"],
      contract_pending: ["contractsent"],
      closed_won: ["won", "closewon"],
      closed_lost: ["lost", "closelost"],
    },
  },
  invoice: { stage: BILL_STAGE, invoice_type: { sales: ["invoice"], credit: ["creditnote"] } },
  order: {
    stage: { cancelled: ["canceled"], fulfilled: ["completed", "shipped", "delivered"] },
    order_type: { sales: ["order", "salesorder"], quote: ["quotation", "estimate"] },
  },
  task: {
    status: {
      assigned: ["new", "notstarted", "open", "todo"],
      in_progress: ["started", "doing", "inprogress"],
      completed: ["complete", "closed", "done", "finished"],
    },
    priority: {
      1: ["urgent", "highest", "critical"],
      2: ["high"],
      3: ["medium", "normal"],
      4: ["low", "lowest"],
    },
    action: {
      call: ["phonecall"],
      email: ["mail"],
      text: ["sms"],
      "attend-meeting": ["meeting"],
      general: ["task", "todo"],
    },
  },
};

/** The value that a word of the file means for this field; undefined where that is not known. */
export function knownWord(type: RecordName, field: string, word: string): string | undefined {
  const words = WORDS[type][field];
  if (words === undefined) return undefined;
  const plain = plainName(word);
  const known = Object.entries(words);
  return known.find(([value, names]) => plainName(value) === plain || names.includes(plain))?.[0];
}

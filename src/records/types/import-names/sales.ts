/** Column names for deals, invoices and orders in files from other systems. */

import { COMMENTS, DESCRIPTION, EXPORTED_IDS, ID, SOURCE } from "./fields.ts";
import { type ImportNames, names } from "./names.ts";
import { ACCOUNT_REFERENCE, CONTACT_REFERENCE, DEAL_REFERENCE } from "./references.ts";

const BILL = {
  account_id: ACCOUNT_REFERENCE,
  contact_id: CONTACT_REFERENCE,
  opportunity_id: DEAL_REFERENCE,
  stage: names("status state paymentstatus statuslabel"),
  description: names(`notes note memo comments remarks subject terms details termsandconditions
    customernotes privatenotes`),
  total_amount:
    names(`total amount grandtotal totalprice amountdue amounttotal totalinclvat totalincltax
    totaldue sumtotal nettotal price value totalvalue invoicetotal`),
};

const BILL_STAGE = { cancelled: ["canceled"], void: ["voided"], open: ["sent", "unpaid"] };

export const deal: ImportNames = {
  references: DEAL_REFERENCE,
  columns: {
    external_id: names(`${ID} opportunityid dealid potentialid ${EXPORTED_IDS}opportunity`),
    name: names("title topic subject dealtitle opportunitytitle opportunity deal"),
    account_id: ACCOUNT_REFERENCE,
    contact_id: CONTACT_REFERENCE,
    stage: names(`stagename salesstage status pipelinestage phase stagelabel statuslabel leadstage
      statusreason`),
    value_of_sale: names(`amount value closevalue dealvalue revenue price estimatedvalue estrevenue
      estimatedrevenue expectedvalue totalvalue total totalamount amountamount dealsize contractvalue
      annualcontractvalue worth budget actualvalue actualrevenue plannedrevenue expectedrevenue`),
    probability_pcnt:
      names(`probability winprobability probabilitypercent closeprobability confidence
      likelihood winchance successprobability winlikelihood probabilitypct`),
    expected_close_date: names(`expectedclose expectedclosingdate estimatedclosedate estclosedate
      expectedclosing expectedclosuredate forecastclosedate projectedclosedate targetclosedate
      forecastdate datedeadline deadline expectedcloseon`),
    close_date: names(`closedate closeddate closingdate actualclosedate dateclosed closedon closedat
      closedtime dealclosedon wontime datewon wondate losttime datelost lostdate closuredate`),
    renewal_date: names("renewal renewaldue"),
    marketing_source: SOURCE,
    business_need_description: [
      ...DESCRIPTION,
      ...COMMENTS,
      ...names("nextstep nextsteps closedwonreason"),
    ],
    lost_reason:
      names(`lostreason closedlostreason lossreason reasonlost reasonforloss reasonforlosing
      losereason`),
    product_dict_list: [],
  },
  prefixes: names("deal opportunity potential opp lead"),
  values: {
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
  namedBy: ["account_id", "contact_id", "business_need_description"],
};

export const invoice: ImportNames = {
  columns: {
    external_id: names(ID),
    invoice_num: names("invoicenumber invoiceno invoice number num no docnumber documentnumber"),
    ...BILL,
    invoice_type: names("type"),
    invoice_date: names("date issuedate issued dateissued invoiceddate issueddate issuedon"),
    invoice_line_list: names("lines lineitems"),
  },
  prefixes: names("invoice bill"),
  values: { stage: BILL_STAGE, invoice_type: { sales: ["invoice"], credit: ["creditnote"] } },
};

export const order: ImportNames = {
  columns: {
    external_id: names(`${ID} ordernumber number orderno no sonumber ordername reference`),
    name: names("title subject"),
    ...BILL,
    order_type: names("type"),
    order_date: names("date issuedate dateordered orderedat orderedon creationdate dateorder"),
    order_line_list: names("lines lineitems"),
  },
  prefixes: names("salesorder order quotation quote estimate so"),
  values: {
    stage: { cancelled: ["canceled"], fulfilled: ["completed", "shipped", "delivered"] },
    order_type: { sales: ["order", "salesorder"], quote: ["quotation", "estimate"] },
  },
};

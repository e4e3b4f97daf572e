/**
 * What common exports call each field: names without case, spaces and punctuation, best one first
 * (D10.2). A field's own name and its aliases come before all of them. Data only.
 */

import type { RecordName } from "../records/index.ts";

/** Field → known names. The order of fields decides who gets a heading that two could take. */
export type HeadingNames = Readonly<Record<string, readonly string[]>>;

const EMAIL = [
  "emailaddress",
  "email1",
  "primaryemail",
  "workemail",
  "businessemail",
  "emailid",
  "mail",
  "email1value",
  "email2",
  "altemail",
  "alternateemail",
  "secondaryemail",
  "personalemail",
];

const PHONE = [
  "phonenumber",
  "phone1",
  "primaryphone",
  "telephone",
  "tel",
  "workphone",
  "businessphone",
  "phoneno",
  "contactnumber",
  "phone1value",
  "mobilephone",
  "mobilephonenumber",
  "mobile",
  "mobilenumber",
  "cell",
  "cellphone",
  "whatsapp",
  "phone2",
  "homephone",
  "otherphone",
];

const SOURCE = ["leadsource", "marketingsource", "originalsource", "accountsource", "channel"];
const WEBSITE = ["websiteurl", "web", "url", "homepage", "companywebsite"];
const COMMENTS = ["comment", "notes", "note", "remarks", "remark", "initialnotes"];
const DESCRIPTION = ["businessneed", "need", "description", "details"];
const TAGS = ["tag", "labels", "label", "categories"];

const ACCOUNT_REFERENCE = [
  "account",
  "accountname",
  "associatedcompanyid",
  "associatedcompanyids",
  "companyid",
  "primaryassociatedcompanyid",
  "associatedcompany",
  "company",
  "companyname",
  "organization",
  "organisation",
  "customer",
  "customername",
  "client",
  "associatedcompanydomain",
  "companydomain",
];

const CONTACT_REFERENCE = [
  "contact",
  "contactname",
  "primarycontact",
  "primarycontactid",
  "associatedcontactid",
  "associatedcontactids",
  "associatedcontact",
  "associatedcontactemail",
  "contactemail",
];

const PERSON: HeadingNames = {
  external_id: ["id", "recordid", "uuid"],
  name: ["fullname", "displayname", "customername", "prospect"],
  first_name: ["first", "givenname", "forename", "fname"],
  last_name: ["last", "surname", "familyname", "lname"],
  email: EMAIL,
  phone: PHONE,
  source: SOURCE,
  status: ["stage"],
  comments: COMMENTS,
  tags: TAGS,
  employer_name: [
    "employer",
    "company",
    "companyname",
    "organization",
    "organisation",
    "organizationname",
    "organization1name",
    "business",
    "businessname",
    "accountname",
    "account",
  ],
  title: ["jobtitle", "position", "role", "organization1title"],
  profession: ["occupation"],
  website: WEBSITE,
  ssn: ["socialsecuritynumber"],
  birth_date: ["birthdate", "birthday", "dateofbirth", "dob"],
  birth_year: ["yearofbirth"],
  birth_month: ["monthofbirth"],
  birth_day: ["dayofbirth"],
  decision_date: [],
  business_need_description: DESCRIPTION,
  social_dict_list: ["socialprofiles"],
};

const BILL: HeadingNames = {
  account_id: ACCOUNT_REFERENCE,
  contact_id: CONTACT_REFERENCE,
  opportunity_id: ["opportunity", "opportunityname", "deal", "dealid", "dealname"],
  stage: ["status"],
  description: ["notes", "note", "memo", "comments", "remarks"],
  total_amount: ["total", "amount", "grandtotal", "totalprice", "amountdue"],
};

/** Names that begin with the record's own are known too: "Deal Name", "Ticket Status". */
export const PREFIXES: Readonly<Record<RecordName, readonly string[]>> = {
  lead: ["lead", "prospect"],
  contact: ["contact", "person"],
  account: ["account", "company"],
  deal: ["deal", "opportunity"],
  invoice: ["invoice"],
  order: ["order", "quote"],
  task: ["task", "ticket", "activity"],
};

export const HEADING_NAMES: Readonly<Record<RecordName, HeadingNames>> = {
  lead: PERSON,
  contact: {
    // Before employer_name: "Account Name" names an account, "Company" is only a text.
    account_id: [
      "accountname",
      "account",
      "companyid",
      "associatedcompanyid",
      "primaryassociatedcompanyid",
      "associatedcompany",
      "associatedcompanydomain",
    ],
    ...PERSON,
  },
  account: {
    external_id: ["id", "recordid", "uuid"],
    name: ["account", "companyname", "company", "organization", "organisation", "businessname"],
    email: EMAIL,
    phone: PHONE,
    source: SOURCE,
    status: ["lifecyclestage"],
    relationship_type: ["relationship", "type"],
    tags: TAGS,
    website: [...WEBSITE, "domain", "domainname"],
    company_name: ["legalname"],
    description: ["about", "notes", "note", "comments", "remarks"],
    industry: ["sector", "vertical"],
    num_employees: ["numberofemployees", "employees", "employeecount", "headcount", "companysize"],
    social_dict_list: ["socialprofiles"],
  },
  deal: {
    external_id: ["id", "opportunityid", "dealid", "recordid", "uuid"],
    name: ["title"],
    account_id: ACCOUNT_REFERENCE,
    contact_id: CONTACT_REFERENCE,
    stage: ["stagename", "salesstage", "status"],
    value_of_sale: ["amount", "value", "closevalue", "dealvalue", "revenue", "price"],
    probability_pcnt: ["probability", "winprobability"],
    expected_close_date: ["expectedclose", "expectedclosingdate", "estimatedclosedate"],
    close_date: ["closedate", "closeddate", "closingdate"],
    renewal_date: ["renewal"],
    marketing_source: SOURCE,
    business_need_description: [...DESCRIPTION, ...COMMENTS],
    product_dict_list: [],
  },
  invoice: {
    external_id: ["id", "recordid", "uuid"],
    invoice_num: ["invoicenumber", "invoiceno", "invoice", "number", "num", "docnumber"],
    ...BILL,
    invoice_type: ["type"],
    invoice_date: ["date", "issuedate", "issued"],
    invoice_line_list: ["lines", "lineitems"],
  },
  order: {
    external_id: ["id", "recordid", "uuid", "ordernumber", "number", "orderno"],
    name: ["title"],
    ...BILL,
    order_type: ["type"],
    order_date: ["date", "issuedate"],
    order_line_list: ["lines", "lineitems"],
  },
  task: {
    external_id: ["id", "recordid", "uuid"],
    name: ["subject", "title", "callmeetingtitlesubject", "summary"],
    description: ["notesdescription", "notes", "note", "details", "comments", "body"],
    status: ["stage", "state"],
    priority: [],
    due_date: ["due", "deadline", "duedate"],
    subject: [
      "associatedcontactemail",
      "associatedcontactid",
      "associatedcontact",
      "contactid",
      "contactname",
      "contactemail",
      "contact",
      "whoid",
    ],
    subject_type: [],
    action: ["type", "activitytype", "tasktype"],
    tags: TAGS,
    is_completed: ["completed", "done", "isclosed"],
    completed_date: ["completedate", "closedate", "completedon", "closeddate"],
    action_data: [],
    userid: [],
  },
};

/**
 * A name that means the field only beside another heading: a task's "Subject" is else its title.
 */
export const NEEDED_BESIDE: Readonly<Record<string, string>> = { subject: "subjecttype" };

/** A field of several headings: the first that a row fills is taken. */
export const FALLBACK_FIELDS: readonly string[] = ["email", "phone"];

/** Free text of several headings: all are taken, each after its heading. */
export const JOINED_FIELDS: readonly string[] = [
  "comments",
  "description",
  "business_need_description",
];

/** Column names for leads and contacts in files from other systems. */

import { COMMENTS, DESCRIPTION, EXPORTED_IDS, ID, SOURCE, TAGS, WEBSITE } from "./fields.ts";
import { LOCAL_NAMES } from "./local-names.ts";
import {
  DOMAIN_ENDINGS,
  ID_ENDINGS,
  type ImportNames,
  NAME_ENDINGS,
  names,
  references,
} from "./names.ts";
import { CONTACT_REFERENCE, LEAD_REFERENCE, LINKED_COMPANIES } from "./references.ts";

const PERSON = {
  external_id: names(`${ID} ${EXPORTED_IDS}lead ${EXPORTED_IDS}contact`),
  name: names(`fullname displayname contactname contactperson personname leadname customername clientname
    prospectname prospect nameofcontact completename contact person`).concat(LOCAL_NAMES.name),
  first_name: names(`first givenname forename fname namefirstname namefirst firstnames`).concat(
    LOCAL_NAMES.first_name,
  ),
  last_name: names(`last surname familyname lname namelastname namelast lastnames`).concat(
    LOCAL_NAMES.last_name,
  ),
  email: LOCAL_NAMES.email,
  phone: LOCAL_NAMES.phone,
  source: SOURCE,
  status: names(`stage leadstage contactstage statusreason statuslabel leadstatuslabel pipelinestage
    substatus lifecyclestage`),
  comments: COMMENTS,
  tags: TAGS,
  employer_name: names(`employer company companyname organization organisation organizationname
    organisationname organization1name business businessname accountname account employername
    companyorganization companyaccount currentcompany accountcompany firm workplace
    associatedcompany primarycompany parentcustomer`).concat(LOCAL_NAMES.company),
  title:
    names(`jobtitle title position role organization1title organizationtitle designation jobposition
    jobrole worktitle currentposition positiontitle contacttitle headline jobdescription`).concat(
      LOCAL_NAMES.title,
    ),
  profession: names("occupation"),
  website: WEBSITE,
  ssn: names("socialsecuritynumber socialsecurityno socialsecurity"),
  birth_date: names("birthdate birthday dateofbirth dob bday birth geburtstag geburtsdatum"),
  birth_year: names("yearofbirth"),
  birth_month: names("monthofbirth"),
  birth_day: names("dayofbirth"),
  decision_date: names("expecteddecisiondate decisionmakingdate"),
  business_need_description: [...DESCRIPTION, "leadtitle"],
  social_dict_list: names("socialprofiles"),
};

const PERSON_STATUS = {
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

const PERSON_SOURCE = {
  Google: ["googleads", "googleadwords"],
  Facebook: ["fb", "facebookads"],
  "Incoming-Call": ["phoneinquiry", "inboundcall", "phonecall"],
  SMS: ["textmessage"],
  Referral: ["referred", "wordofmouth", "employeereferral", "externalreferral", "customerreferral"],
  Unknown: ["na", "none", "notknown"],
  Instagram: ["instagramads"],
  "Billboard Ad": ["billboard"],
};

export const lead: ImportNames = {
  references: LEAD_REFERENCE,
  columns: PERSON,
  prefixes: names("lead prospect contact person customer client people"),
  values: { status: PERSON_STATUS, source: PERSON_SOURCE },
  namedBy: ["email", "phone", "employer_name"],
};

export const contact: ImportNames = {
  references: CONTACT_REFERENCE,
  columns: {
    // Must come before employer_name, because "Account Name" refers to an account, while "Company" is only text.
    account_id: [
      ...references(`account ${LINKED_COMPANIES}`, ID_ENDINGS),
      ...references("company organization organisation", "-id -recordid -uuid -domain -domainname"),
      ...references(`account ${LINKED_COMPANIES}`, DOMAIN_ENDINGS),
      ...references(`account accounts ${LINKED_COMPANIES}`, NAME_ENDINGS),
    ],
    ...PERSON,
  },
  prefixes: names("contact person people lead customer client"),
  values: { status: PERSON_STATUS, source: PERSON_SOURCE },
  namedBy: ["email", "phone", "employer_name"],
};

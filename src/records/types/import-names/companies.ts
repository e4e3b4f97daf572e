/** Column names for accounts in files from other systems. */

import { EXPORTED_IDS, ID, SOURCE, TAGS, WEBSITE } from "./fields.ts";
import { LOCAL_NAMES } from "./local-names.ts";
import { type ImportNames, names } from "./names.ts";
import { ACCOUNT_REFERENCE } from "./references.ts";

export const account: ImportNames = {
  references: ACCOUNT_REFERENCE,
  columns: {
    external_id: names(`${ID} ${EXPORTED_IDS}account`),
    name: names(`account companyname company organization organisation organizationname organisationname
      businessname business customername clientname customer client displayname accounttitle firm
      nameofcompany title`).concat(LOCAL_NAMES.company),
    email: LOCAL_NAMES.email,
    phone: LOCAL_NAMES.phone,
    source: SOURCE,
    status: names("lifecyclestage stage statuslabel customerstatus statusreason"),
    relationship_type: names(`relationship type category accountcategory relationshiptype
      accountrelationship persona`),
    tags: TAGS,
    website: WEBSITE,
    company_name: names(`legalname companylegalname registeredname officialname tradingname
      doingbusinessas dba`),
    description: names(`about notes note comments remarks overview background backgroundinfo
      backgroundinformation summary bio shortdescription companydescription memo`).concat(
      LOCAL_NAMES.comments,
    ),
    industry: names(
      "sector vertical industries industrytype industrygroup market marketsegment branch",
    ),
    num_employees:
      names(`numberofemployees employees employeecount employeescount headcount companysize
      noofemployees numemployees numofemployees employeesnumber employeenumber employeerange employeesize
      size teamsize staff staffcount numberofstaff totalemployees linkedinemployeecount`),
    social_dict_list: names("socialprofiles"),
  },
  prefixes: names("account company organization organisation org customer client business"),
  values: {
    status: { "ex-customer": ["oldcustomer", "formercustomer"] },
    relationship_type: {
      customer: ["customerdirect", "customerchannel", "client"],
      vendor: ["supplier"],
      partner: ["channelpartner", "channelpartnerreseller", "reseller", "technologypartner"],
      prospect: ["customercandidate", "potentialcustomer"],
    },
  },
  namedBy: ["company_name", "website", "email", "phone"],
};

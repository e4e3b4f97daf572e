/** Names of columns that refer to a company, a person or a deal. */

import { DOMAIN_ENDINGS, ID_ENDINGS, NAME_ENDINGS, names, references } from "./names.ts";

const COMPANIES = `account company organization organisation org customer client business accounts
  companies organizations`;
export const LINKED_COMPANIES = `associatedcompany primaryassociatedcompany associatedaccount primarycompany
  relatedaccount relatedcompany parentcustomer potentialcustomer companyaccount`;
const ALL_COMPANIES = `${COMPANIES} ${LINKED_COMPANIES} partner merchant`;
export const ACCOUNT_REFERENCE = [
  ...references(ALL_COMPANIES, ID_ENDINGS),
  ...references(ALL_COMPANIES, DOMAIN_ENDINGS),
  ...references(ALL_COMPANIES, NAME_ENDINGS),
  ...names("domain dealcompany dealorganization dealaccount"),
];

const PEOPLE = `contact primarycontact associatedcontact contactperson maincontact person pointofcontact
  relatedcontact personincharge keycontact`;
export const CONTACT_REFERENCE = [
  ...references(PEOPLE, ID_ENDINGS),
  ...references(PEOPLE, NAME_ENDINGS),
  ...names("contacts people attention attn billto buyer buyername"),
];

const DEALS = "deal opportunity potential associateddeal relateddeal relatedopportunity";
export const DEAL_REFERENCE = [
  ...references(DEALS, ID_ENDINGS),
  ...references(DEALS, NAME_ENDINGS),
];

export const LEAD_REFERENCE = references("lead", `${ID_ENDINGS} ${NAME_ENDINGS}`);

/**
 * What common exports call each field: names without case, spaces and punctuation, best one first.
 * A field's own name and its aliases come before all of them, except where a list names the field
 * itself. Columns of email addresses, phone numbers and social profiles are recognized by their
 * words instead (contact-headings.ts). Data only.
 */

import type { RecordName } from "../../records/index.ts";
import { LOCAL_NAMES } from "./local-heading-names.ts";

/** Field → known names. The order of fields decides who gets a column that two could take. */
export type HeadingNames = Readonly<Record<string, readonly string[]>>;

const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The ways in which exports name a column that refers to one of these: ids before names. */
const references = (text: string, endings: string): readonly string[] =>
  names(endings).flatMap((ending) => names(text).map((name) => name + ending.replace("-", "")));

const ID_ENDINGS = "-id -ids -recordid -nameid -uuid";
const DOMAIN_ENDINGS = "-domain -domainname -website -url";
const NAME_ENDINGS = "-name - -title";

/** The column in which Dynamics exports the id of each row. */
const EXPORTED_IDS = "donotmodify";

const ID = "id recordid uuid guid objectid hsobjectid systemid";

const SOURCE =
  names(`leadsource marketingsource originalsource originaltrafficsource accountsource channel
  sourcename sourcechannel leadchannel acquisitionsource referralsource originalsourcetype latestsource
  campaignsource utmsource leadorigin origin howdidyouhearaboutus`);
const WEBSITE =
  names(`websiteurl web url homepage companywebsite webpage website1value websites weburl
  webaddress websiteaddress homepageurl companyurl companydomain companydomainname domain domainname
  domains domainnamelinkurl domainnamedomainurl domainnameprimarylinkurl linkurl www internet`).concat(
    LOCAL_NAMES.website,
  );
const COMMENTS = names(`comment notes note remarks remark initialnotes background backgroundinfo
  backgroundinformation about bio biography summary message additionalinfo additionalinformation
  additionalnotes leadnotes internalnotes generalnotes memo feedback history lastnote contactnotes`).concat(
  LOCAL_NAMES.comments,
);
const DESCRIPTION =
  names(`businessneed need description details requirement requirements inquiry enquiry
  interest interestedin productinterest painpoints usecase leaddescription`);
const TAGS =
  names(`tag labels label categories category groups group groupmembership keywords segments
  segment lists tagnames tagslist`);

const COMPANIES = `account company organization organisation org customer client business accounts
  companies organizations`;
const LINKED_COMPANIES = `associatedcompany primaryassociatedcompany associatedaccount primarycompany
  relatedaccount relatedcompany parentcustomer potentialcustomer companyaccount`;
const ALL_COMPANIES = `${COMPANIES} ${LINKED_COMPANIES} partner merchant`;
const ACCOUNT_REFERENCE = [
  ...references(ALL_COMPANIES, ID_ENDINGS),
  ...references(ALL_COMPANIES, DOMAIN_ENDINGS),
  ...references(ALL_COMPANIES, NAME_ENDINGS),
  ...names("domain dealcompany dealorganization dealaccount"),
];

const PEOPLE = `contact primarycontact associatedcontact contactperson maincontact person pointofcontact
  relatedcontact personincharge keycontact`;
const CONTACT_REFERENCE = [
  ...references(PEOPLE, ID_ENDINGS),
  ...references(PEOPLE, NAME_ENDINGS),
  ...names("contacts people attention attn billto buyer buyername"),
];

const DEALS = "deal opportunity potential associateddeal relateddeal relatedopportunity";
const DEAL_REFERENCE = [...references(DEALS, ID_ENDINGS), ...references(DEALS, NAME_ENDINGS)];

const PERSON: HeadingNames = {
  external_id: names(`${ID} ${EXPORTED_IDS}lead ${EXPORTED_IDS}contact`),
  name: names(`fullname displayname contactname contactperson personname leadname customername clientname
    prospectname prospect nameofcontact completename`).concat(LOCAL_NAMES.name),
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

const BILL: HeadingNames = {
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

/** Names that begin with the record's own are known too: "Deal Name", "Ticket Status". */
export const PREFIXES: Readonly<Record<RecordName, readonly string[]>> = {
  lead: names("lead prospect contact person customer client people"),
  contact: names("contact person people lead customer client"),
  account: names("account company organization organisation org customer client business"),
  deal: names("deal opportunity potential opp lead"),
  invoice: names("invoice bill"),
  order: names("salesorder order quotation quote estimate so"),
  task: names("task ticket activity event call meeting todo case appointment"),
};

export const HEADING_NAMES: Readonly<Record<RecordName, HeadingNames>> = {
  lead: PERSON,
  contact: {
    // Before employer_name: "Account Name" names an account, "Company" is only a text.
    account_id: [
      ...references(`account ${LINKED_COMPANIES}`, ID_ENDINGS),
      ...references("company organization organisation", "-id -recordid -uuid -domain -domainname"),
      ...references(`account ${LINKED_COMPANIES}`, DOMAIN_ENDINGS),
      ...references(`account accounts ${LINKED_COMPANIES}`, NAME_ENDINGS),
    ],
    ...PERSON,
  },
  account: {
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
  deal: {
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
      ...names(
        "nextstep nextsteps lostreason lossreason closedlostreason closedwonreason reasonlost",
      ),
    ],
    product_dict_list: [],
  },
  invoice: {
    external_id: names(ID),
    invoice_num: names("invoicenumber invoiceno invoice number num no docnumber documentnumber"),
    ...BILL,
    invoice_type: names("type"),
    invoice_date: names("date issuedate issued dateissued invoiceddate issueddate issuedon"),
    invoice_line_list: names("lines lineitems"),
  },
  order: {
    external_id: names(`${ID} ordernumber number orderno no sonumber ordername reference`),
    name: names("title subject"),
    ...BILL,
    order_type: names("type"),
    order_date: names("date issuedate dateordered orderedat orderedon creationdate dateorder"),
    order_line_list: names("lines lineitems"),
  },
  task: {
    external_id: names(`${ID} ${EXPORTED_IDS}task ${EXPORTED_IDS}activity`),
    name: names("subject title callmeetingtitlesubject summary topic todo text activityname item"),
    description: names(`notesdescription notes note details comments comment body content message
      fulldescription callnotes outcome result calloutcome meetingoutcome callresult calldisposition
      calldescription resolution location publicdescription`),
    status: names("stage state statuslabel statusreason"),
    priority: names("importance urgency prioritylevel"),
    due_date: names(`due deadline duedate dueon dueat datedue duetime duedatetime date activitydate
      activitydatetime startdatetime start startdate starttime starts callstarttime scheduledat
      scheduleddate scheduledon scheduledtime begin from when`),
    subject: [],
    subject_type: names("relatedtotype parenttype regardingtype whattype"),
    action: names("type activitytype tasktype subtype tasksubtype calltype kind"),
    tags: TAGS,
    is_completed: names("completed done isclosed isdone markedasdone iscomplete closed finished"),
    completed_date:
      names(`completedate closedate completedon closeddate completeddatetime closedtime
      completedat doneat donedate donetime markedasdonetime completiondate datecompleted finishedat
      closedat closedon resolvedat`),
    action_data: [],
    userid: [],
  },
};

/** What the subject of a task can be, by the name of its column; the first column that fits wins. */
export const SUBJECT_NAMES: readonly {
  readonly types: readonly RecordName[];
  readonly names: readonly string[];
}[] = [
  {
    types: ["contact", "lead"],
    names: [...names("whoid who requester requestedby caller participants"), ...CONTACT_REFERENCE],
  },
  { types: ["lead"], names: references("lead", `${ID_ENDINGS} ${NAME_ENDINGS}`) },
  { types: ["deal"], names: DEAL_REFERENCE },
  {
    types: ["account", "deal", "contact", "lead", "invoice", "order"],
    names:
      names(`whatid what relatedto relatedtoid relatedtoname related relatedrecord relatedrecordid
      regarding regardingobjectid parent parentid parentname linkedto associatedrecord`),
  },
  { types: ["account"], names: ACCOUNT_REFERENCE },
];

/** Marks rows that the other system deleted; they are skipped. Every record type has it. */
export const DELETED = "is_deleted";
export const DELETED_NAMES = names("deleted deletedat deletedon deleteddate isdelete deletedflag");

/** A name that means the field only next to another column: a task's "Subject" is else its title. */
export const NEEDED_BESIDE: Readonly<Record<string, string>> = { subject: "subjecttype" };

/** A field of several columns: the first that a row fills is taken. */
export const FALLBACK_FIELDS: readonly string[] = [
  "email",
  "phone",
  "subject",
  "social_dict_list",
  "due_date",
  "close_date",
  "stage",
  "is_deleted",
];

/** Free text of several columns: all are taken, each after its column name. */
export const JOINED_FIELDS: readonly string[] = [
  "comments",
  "description",
  "business_need_description",
];

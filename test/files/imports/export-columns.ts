/**
 * The columns of common exports, each with the field into which it is read. The list is written by hand. A column with
 * nothing after the arrow is not imported. The sample rows are fictional.
 */

import type { RecordName } from "../../../src/records/types/record-types.ts";

export interface ExportColumns {
  readonly from: string;
  readonly type: RecordName;
  /** One column per line: its name → its field. */
  readonly columns: string;
}

export const EXPORTS: readonly ExportColumns[] = [
  {
    from: "Brian Dunning's sample contacts, US",
    type: "contact",
    columns: `
      first_name → first_name
      last_name → last_name
      company_name → employer_name
      address →
      city →
      county →
      state →
      zip →
      phone1 → phone
      phone2 → phone
      email → email
      web → website`,
  },
  {
    from: "Brian Dunning's sample contacts, UK",
    type: "lead",
    columns: `
      firstName → first_name
      lastName → last_name
      companyName → employer_name
      postal →
      phone1 → phone
      phone2 → phone
      email → email
      web → website`,
  },
  {
    from: "HubSpot sample companies",
    type: "account",
    columns: `
      Company ID → external_id
      Company Name → name
      Company Domain Name →
      Industry → industry
      Number of Employees → num_employees
      Annual Revenue →
      Phone Number → phone
      Website → website
      Street Address →
      City →
      State/Region →
      Postal Code →
      Country →
      Create Date →
      Last Modified Date →
      Company Owner →`,
  },
  {
    from: "HubSpot sample contacts",
    type: "contact",
    columns: `
      Contact ID → external_id
      First Name → first_name
      Last Name → last_name
      Email → email
      Phone Number → phone
      Mobile Phone Number → phone
      Job Title → title
      Lifecycle Stage →
      Lead Status → status
      Create Date →
      Contact Owner →
      Lead Source → source
      Website URL → website
      Street Address →
      Associated Company Domain → account_id`,
  },
  {
    from: "HubSpot sample deals",
    type: "deal",
    columns: `
      Deal ID → external_id
      Deal Name → name
      Deal Stage → stage
      Pipeline →
      Amount → value_of_sale
      Close Date → close_date
      Create Date →
      Deal Owner →
      Deal Type →
      Closed Lost Reason → lost_reason
      Associated Company Domain → account_id
      Associated Contact Email → contact_id`,
  },
  {
    from: "HubSpot sample tickets",
    type: "task",
    columns: `
      Ticket ID → external_id
      Ticket Name → name
      Ticket Description → description
      Ticket Status → status
      Pipeline →
      Ticket Priority → priority
      Create Date →
      Last Activity Date →
      Close Date → completed_date
      Ticket Owner →
      Ticket Source →
      Associated Company Domain → subject
      Associated Contact Email → subject`,
  },
  {
    from: "HubSpot sample activities",
    type: "task",
    columns: `
      Activity ID → external_id
      Activity Type → action
      Activity Date → due_date
      Activity Owner →
      Notes/Description → description
      Call/Meeting Title/Subject → name
      Call Outcome → description
      Meeting Outcome → description
      Task Status → status
      Task Due Date → due_date
      Associated Contact Email → subject`,
  },
  {
    from: "HubSpot contacts",
    type: "contact",
    columns: `
      Record ID → external_id
      First Name → first_name
      Last Name → last_name
      Email → email
      Phone Number → phone
      Contact owner →
      Primary Associated Company ID → account_id
      Last Activity Date →
      Lead Status → status
      Marketing contact status →
      Create Date →
      Associated Company → account_id
      Associated Company IDs → account_id
      Original Traffic Source → source
      Time Zone →
      LinkedIn URL → social_dict_list`,
  },
  {
    from: "HubSpot deals",
    type: "deal",
    columns: `
      Record ID → external_id
      Deal Name → name
      Deal Stage → stage
      Close Date → close_date
      Deal owner →
      Amount → value_of_sale
      Deal probability → probability_pcnt
      Associated Company → account_id
      Associated Company IDs → account_id
      Associated Contact → contact_id
      Associated Contact IDs → contact_id
      Next step → business_need_description`,
  },
  {
    from: "Maven accounts",
    type: "account",
    columns: `
      account → name
      sector → industry
      year_established →
      revenue →
      employees → num_employees
      office_location →
      subsidiary_of →`,
  },
  {
    from: "Maven sales pipeline",
    type: "deal",
    columns: `
      opportunity_id → external_id
      sales_agent →
      product →
      account → account_id
      deal_stage → stage
      engage_date →
      close_date → close_date
      close_value → value_of_sale`,
  },
  {
    from: "a web form",
    type: "lead",
    columns: `
      Date Submitted →
      Full Name → name
      Email Address → email
      Phone Number → phone
      Organization → employer_name
      Location City →
      Assigned To →
      Status → status
      Remarks → comments
      Lead Source → source
      Property Possession →
      Notes → comments`,
  },
  {
    from: "another web form",
    type: "lead",
    columns: `
      First_Name → first_name
      Last_Name → last_name
      Email_Address → email
      Phone_Number → phone
      Alt_Email → email
      Company_Name → employer_name
      Lead_Status → status
      Source → source
      Notes → comments
      Date_Added →`,
  },
  {
    from: "Salesforce accounts",
    type: "account",
    columns: `
      Id → external_id
      IsDeleted → is_deleted
      MasterRecordId →
      Name → name
      Type → relationship_type
      ParentId →
      BillingStreet →
      Phone → phone
      Fax →
      AccountNumber →
      Website → website
      PhotoUrl →
      Industry → industry
      AnnualRevenue →
      NumberOfEmployees → num_employees
      Description → description
      OwnerId →
      CreatedDate →
      AccountSource → source
      Active__c →`,
  },
  {
    from: "Salesforce contacts",
    type: "contact",
    columns: `
      Id → external_id
      IsDeleted → is_deleted
      AccountId → account_id
      LastName → last_name
      FirstName → first_name
      Salutation →
      Name → name
      MailingStreet →
      Phone → phone
      Fax →
      MobilePhone → phone
      HomePhone → phone
      OtherPhone → phone
      AssistantPhone →
      ReportsToId →
      Email → email
      Title → title
      Department →
      LeadSource → source
      Birthdate → birth_date
      Description → business_need_description
      EmailBouncedReason →
      EmailBouncedDate →
      IsEmailBounced →
      Level__c →`,
  },
  {
    from: "Salesforce opportunities",
    type: "deal",
    columns: `
      Id → external_id
      IsDeleted → is_deleted
      AccountId → account_id
      Name → name
      Description → business_need_description
      StageName → stage
      Amount → value_of_sale
      Probability → probability_pcnt
      ExpectedRevenue →
      CloseDate → close_date
      NextStep → business_need_description
      LeadSource → marketing_source
      IsClosed →
      IsWon →
      ForecastCategory →
      OwnerId →`,
  },
  {
    from: "Salesforce activities",
    type: "task",
    columns: `
      Id → external_id
      WhoId → subject
      WhatId → subject
      Subject → name
      ActivityDate → due_date
      Status → status
      Priority → priority
      IsHighPriority →
      OwnerId →
      Description → description
      IsDeleted → is_deleted
      AccountId → subject
      IsClosed → is_completed
      CallDisposition → description
      CompletedDateTime → completed_date
      TaskSubtype → action`,
  },
  {
    from: "Atomic contacts",
    type: "contact",
    columns: `
      id → external_id
      first_name → first_name
      last_name → last_name
      gender →
      title → title
      company → employer_name
      email_work → email
      email_home → email
      email_other → email
      phone_work → phone
      phone_home → phone
      phone_other → phone
      background → comments
      avatar →
      first_seen →
      status → status
      tags → tags
      linkedin_url → social_dict_list
      company_id → account_id
      sales_id →`,
  },
  {
    from: "Pipedrive people",
    type: "contact",
    columns: `
      Person - Name → name
      Person - First name → first_name
      Person - Last name → last_name
      Person - Email - Work → email
      Person - Email - Home → email
      Person - Email - Other → email
      Person - Phone - Work → phone
      Person - Phone - Home → phone
      Person - Phone - Mobile → phone
      Person - Phone - Other → phone
      Person - Organization → employer_name
      Person - Label → tags
      Person - Owner →
      Person - ID → external_id
      Person - Person created →
      Person - Closed deals →
      Person - Marketing status →`,
  },
  {
    from: "Pipedrive organizations",
    type: "account",
    columns: `
      Organization - Name → name
      Organization - ID → external_id
      Organization - Label → tags
      Organization - Address →
      Organization - Website → website
      Organization - Industry → industry
      Organization - Number of employees → num_employees
      Organization - Owner →`,
  },
  {
    from: "Pipedrive deals",
    type: "deal",
    columns: `
      Deal - ID → external_id
      Deal - Title → name
      Deal - Value → value_of_sale
      Deal - Currency of Value →
      Deal - Organization → account_id
      Deal - Contact person → contact_id
      Deal - Stage → stage
      Deal - Status → stage
      Deal - Probability → probability_pcnt
      Deal - Expected close date → expected_close_date
      Deal - Won time → close_date
      Deal - Lost reason → lost_reason
      Deal - Owner →
      Person - Email - Work → contact_id`,
  },
  {
    from: "Pipedrive activities",
    type: "task",
    columns: `
      Activity - Subject → name
      Activity - Type → action
      Activity - Due date → due_date
      Activity - Done → is_completed
      Activity - Note → description
      Activity - Contact person → subject
      Activity - Organization → subject
      Activity - Deal → subject
      Activity - ID → external_id
      Activity - Marked as done time → completed_date`,
  },
  {
    from: "Twenty people, by the names of the API",
    type: "contact",
    columns: `
      id → external_id
      name.firstName → first_name
      name.lastName → last_name
      emails.primaryEmail → email
      emails.additionalEmails → email
      phones.primaryPhoneNumber → phone
      phones.primaryPhoneCountryCode →
      phones.primaryPhoneCallingCode →
      phones.additionalPhones → phone
      jobTitle → title
      linkedinLink.primaryLinkUrl → social_dict_list
      companyId → account_id
      deletedAt → is_deleted
      createdAt →`,
  },
  {
    from: "Twenty people",
    type: "contact",
    columns: `
      Name / First Name → first_name
      Name / Last Name → last_name
      Emails / Primary Email → email
      Emails / Additional Emails → email
      Phones / Primary Phone Number → phone
      Phones / Primary Phone Country Code →
      Phones / Additional Phones → phone
      Job Title → title
      Linkedin / Link URL → social_dict_list
      Company / Name → employer_name
      City →`,
  },
  {
    from: "Twenty companies",
    type: "account",
    columns: `
      id → external_id
      name → name
      domainName.primaryLinkUrl → website
      employees → num_employees
      linkedinLink.primaryLinkUrl → social_dict_list
      address.addressCity →
      annualRecurringRevenue.amountMicros →`,
  },
  {
    from: "Zoho leads",
    type: "lead",
    columns: `
      Record Id → external_id
      Lead Owner →
      Company → employer_name
      First Name → first_name
      Last Name → last_name
      Title → title
      Email → email
      Phone → phone
      Mobile → phone
      Fax →
      Website → website
      Lead Source → source
      Lead Status → status
      No. of Employees →
      Email Opt Out →
      Skype ID → social_dict_list
      Secondary Email → email
      Tag → tags
      Description → business_need_description`,
  },
  {
    from: "Zoho deals",
    type: "deal",
    columns: `
      Record Id → external_id
      Potential Name → name
      Account Name.id → account_id
      Account Name → account_id
      Contact Name.id → contact_id
      Contact Name → contact_id
      Stage → stage
      Amount → value_of_sale
      Probability (%) → probability_pcnt
      Closing Date → close_date
      Lead Source → marketing_source
      Next Step → business_need_description
      Potential Owner →`,
  },
  {
    from: "Zoho events",
    type: "task",
    columns: `
      Event Id → external_id
      Title → name
      Start DateTime → due_date
      End DateTime →
      Contact Name → subject
      Related To → subject
      Description → description
      Location → description`,
  },
  {
    from: "Zoho accounts",
    type: "account",
    columns: `
      Account Id → external_id
      Account Name → name
      Account Type → relationship_type
      Account Number →
      Phone → phone
      Website → website
      Industry → industry
      Employees → num_employees
      Description → description`,
  },
  {
    from: "Google contacts",
    type: "contact",
    columns: `
      First Name → first_name
      Middle Name →
      Last Name → last_name
      Phonetic First Name →
      Nickname →
      Organization Name → employer_name
      Organization Title → title
      Organization Department →
      Birthday → birth_date
      Notes → comments
      Labels → tags
      E-mail 1 - Label →
      E-mail 1 - Value → email
      E-mail 2 - Label →
      E-mail 2 - Value → email
      Phone 1 - Label →
      Phone 1 - Value → phone
      Phone 2 - Value → phone
      Address 1 - Street →
      Website 1 - Value → website`,
  },
  {
    from: "Google contacts, the older form",
    type: "contact",
    columns: `
      Name → name
      Given Name → first_name
      Family Name → last_name
      Yomi Name →
      Group Membership → tags
      E-mail 1 - Type →
      E-mail 1 - Value → email
      Phone 1 - Type →
      Phone 1 - Value → phone
      Organization 1 - Name → employer_name
      Organization 1 - Title → title
      Occupation → profession`,
  },
  {
    from: "Outlook",
    type: "contact",
    columns: `
      Title →
      First Name → first_name
      Last Name → last_name
      Company → employer_name
      Department →
      Job Title → title
      Business Street →
      Business Fax →
      Business Phone → phone
      Business Phone 2 → phone
      Company Main Phone → phone
      Home Phone → phone
      Mobile Phone → phone
      Other Phone → phone
      Primary Phone → phone
      Assistant's Phone →
      Birthday → birth_date
      Categories → tags
      E-mail Address → email
      E-mail Type →
      E-mail Display Name →
      E-mail 2 Address → email
      Notes → comments
      Profession → profession
      Web Page → website`,
  },
  {
    from: "LinkedIn connections",
    type: "lead",
    columns: `
      First Name → first_name
      Last Name → last_name
      URL → website
      Email Address → email
      Company → employer_name
      Position → title
      Connected On →`,
  },
  {
    from: "Mailchimp",
    type: "lead",
    columns: `
      Email Address → email
      First Name → first_name
      Last Name → last_name
      Address →
      Phone Number → phone
      Birthday → birth_date
      MEMBER_RATING →
      OPTIN_TIME →
      LATITUDE →
      LAST_CHANGED →
      NOTES → comments
      TAGS → tags`,
  },
  {
    from: "Dynamics accounts",
    type: "account",
    columns: `
      (Do Not Modify) Account → external_id
      (Do Not Modify) Row Checksum →
      (Do Not Modify) Modified On →
      Account Name → name
      Main Phone → phone
      Website → website
      Industry → industry
      Number of Employees → num_employees`,
  },
  {
    from: "Dynamics opportunities",
    type: "deal",
    columns: `
      (Do Not Modify) Opportunity → external_id
      Topic → name
      Potential Customer → account_id
      Contact → contact_id
      Est. Close Date → expected_close_date
      Est. Revenue → value_of_sale
      Probability → probability_pcnt`,
  },
  {
    from: "Odoo leads",
    type: "deal",
    columns: `
      External ID → external_id
      Opportunity → name
      Contact Name → contact_id
      Email → contact_id
      Company Name → account_id
      Stage → stage
      Expected Revenue → value_of_sale
      Expected Closing → expected_close_date
      Tags →`,
  },
  {
    from: "SuiteCRM contacts",
    type: "contact",
    columns: `
      ID → external_id
      first_name → first_name
      last_name → last_name
      title → title
      phone_work → phone
      phone_mobile → phone
      phone_fax →
      email1 → email
      account_name → account_id
      primary_address_street →
      do_not_call →
      deleted → is_deleted
      date_entered →
      lead_source → source
      description → business_need_description`,
  },
  {
    from: "Copper people",
    type: "contact",
    columns: `
      Copper ID →
      First Name → first_name
      Last Name → last_name
      Title → title
      Company → employer_name
      Email → email
      Email Type →
      Email 2 → email
      Phone Number → phone
      Phone Number Type →
      Phone Number 2 → phone
      Tags → tags
      LinkedIn → social_dict_list`,
  },
  {
    from: "Close leads",
    type: "account",
    columns: `
      id → external_id
      display_name → name
      url → website
      status_label → status
      description → description
      primary_contact_primary_phone → phone
      primary_email → email`,
  },
  {
    from: "Apollo people",
    type: "lead",
    columns: `
      First Name → first_name
      Last Name → last_name
      Title → title
      Company → employer_name
      Email → email
      Email Status →
      Email Confidence →
      Work Direct Phone → phone
      Home Phone → phone
      Mobile Phone → phone
      Corporate Phone → phone
      Person Linkedin Url → social_dict_list
      Website → website
      Company Linkedin Url → social_dict_list
      Facebook Url → social_dict_list
      Twitter Url → social_dict_list
      Secondary Email → email`,
  },
  {
    from: "Monday",
    type: "deal",
    columns: `
      Name → name
      Stage → stage
      Deal Value → value_of_sale
      Close Probability → probability_pcnt
      Expected Close Date → expected_close_date
      Contacts → contact_id
      Accounts → account_id`,
  },
  {
    from: "Freshsales contacts",
    type: "contact",
    columns: `
      Id → external_id
      First name → first_name
      Last name → last_name
      Job title → title
      Emails → email
      Work →
      Mobile → phone
      Accounts → account_id
      Lifecycle stage → status
      Facebook → social_dict_list
      Tags → tags`,
  },
  {
    from: "Insightly organizations",
    type: "account",
    columns: `
      OrganisationId → external_id
      OrganisationName → name
      Background → description
      Phone → phone
      Fax →
      Website → website
      Social LinkedIn → social_dict_list
      EmailDomain →`,
  },
  {
    from: "EspoCRM leads",
    type: "lead",
    columns: `
      id → external_id
      salutationName →
      firstName → first_name
      lastName → last_name
      emailAddress → email
      phoneNumber → phone
      accountName → employer_name
      website → website
      status → status
      source → source
      doNotCall →
      deleted → is_deleted
      description → business_need_description`,
  },
];

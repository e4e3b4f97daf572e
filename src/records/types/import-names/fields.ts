/** Column names for fields that several record types have. */

import { names } from "./names.ts";
import { LOCAL_NAMES } from "./local-names.ts";

/** The column that contains each row's id in exports from Dynamics. */
export const EXPORTED_IDS = "donotmodify";

export const ID = "id recordid uuid guid objectid hsobjectid systemid";

export const SOURCE =
  names(`leadsource marketingsource originalsource originaltrafficsource accountsource channel
  sourcename sourcechannel leadchannel acquisitionsource referralsource originalsourcetype latestsource
  campaignsource utmsource leadorigin origin howdidyouhearaboutus`);
export const WEBSITE =
  names(`websiteurl web url homepage companywebsite webpage website1value websites weburl
  webaddress websiteaddress homepageurl companyurl companydomain companydomainname domain domainname
  domains domainnamelinkurl domainnamedomainurl domainnameprimarylinkurl linkurl www internet`).concat(
    LOCAL_NAMES.website,
  );
export const COMMENTS =
  names(`comment notes note remarks remark initialnotes background backgroundinfo
  backgroundinformation about bio biography summary message additionalinfo additionalinformation
  additionalnotes leadnotes internalnotes generalnotes memo feedback history lastnote contactnotes`).concat(
    LOCAL_NAMES.comments,
  );
export const DESCRIPTION =
  names(`businessneed need description details requirement requirements inquiry enquiry
  interest interestedin productinterest painpoints usecase leaddescription`);
export const TAGS =
  names(`tag labels label categories category groups group groupmembership keywords segments
  segment lists tagnames tagslist`);

/** Column names for tasks in files from other systems. */

import { EXPORTED_IDS, ID, TAGS } from "./fields.ts";
import { type ImportNames, names } from "./names.ts";
import {
  ACCOUNT_REFERENCE,
  CONTACT_REFERENCE,
  DEAL_REFERENCE,
  LEAD_REFERENCE,
} from "./references.ts";

export const task = {
  columns: {
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
  prefixes: names("task ticket activity event call meeting todo case appointment"),
  values: {
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
  namedBy: ["description", "action"],
  subjects: [
    {
      types: ["contact", "lead"],
      names: [
        ...names("whoid who requester requestedby caller participants"),
        ...CONTACT_REFERENCE,
      ],
    },
    { types: ["lead"], names: LEAD_REFERENCE },
    { types: ["deal"], names: DEAL_REFERENCE },
    {
      types: ["account", "deal", "contact"],
      hasOthers: true,
      names:
        names(`whatid what relatedto relatedtoid relatedtoname related relatedrecord relatedrecordid
      regarding regardingobjectid parent parentid parentname linkedto associatedrecord`),
    },
    { types: ["account"], names: ACCOUNT_REFERENCE },
  ],
} as const satisfies ImportNames<string>;

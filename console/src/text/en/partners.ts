export const partners = {
  title: "Partners",
  hint: "Companies that send you leads, with their permissions and results.",
  create: "Create partner",
  newTitle: "New partner",
  emptyTitle: "No partners yet",
  empty: "Partners check for duplicates and submit leads to you, in the portal or through the API.",
  noneOfStatus: "No partner has this status.",
  statusFilter: "Status",
  all: "All",
  active: "Active",
  suspended: "Suspended",
  name: "Name",
  sources: "Sources",
  noSources: "None",
  pushes: "Review",
  cannotPush: "Cannot submit leads",
  autoAccepted: "Auto-accepted",
  reviewed: "Reviewed first",
  rate: "Commission",
  changed: "Updated",
  pushed: "Submitted",
  pending: "Pending",
  accepted: "Accepted",
  imported: "Imported",
  rejected: "Rejected",
  expired: "Expired",
  earnings: "Earnings",
  unavailable: "?",
  newHint: "Create a partner, then share its Partner ID and access code.",
  basics: "General",
  nameHint: "Shown in lists and in the audit log.",
  canPush: "Can submit leads",
  autoAcceptLabel: "Auto-accept",
  autoAcceptHint:
    "Leads without possible duplicates are accepted automatically. You still import them manually.",
  sourcesLabel: "Lead sources",
  sourcesHint:
    "The partner can submit leads from these sources and, with permission, read all leads and contacts from them. The first source is the default. Without sources, the partner’s leads get the source Unknown, and the partner cannot read any leads or contacts.",
  permissions: "The partner can also",
  permission: {
    lookup: "Check for duplicates",
    lookup_name: "See names of known people",
    read_leads: "Read leads",
    read_contacts: "Read contacts",
    analytics: "View analytics",
  },
  permissionHint: {
    lookup: "Check whether an email address or phone number is already in your records",
    lookup_name: "Without this permission, a check shows only whether the person is known",
    read_leads: "All leads from the partner’s sources, not only those it submitted",
    read_contacts: "All contacts from the partner’s sources, not only those from its own leads",
    analytics: "The partner’s lead counts, results and earnings",
  },
  money: "Commission and limits",
  rateLabel: "Commission rate",
  rateHint: "Percentage of each won deal. Applies to new deals only.",
  rateLimit: "Requests per minute",
  rateLimitHint: "Leave blank to use the default. Enter 0 for no limit.",
  rateLimitFallback: "Default",
  save: "Save changes",
  createSubmit: "Create partner",
  saved: "Partner saved",
  suspend: "Suspend",
  suspendTitle: "Suspend this partner?",
  suspendText: (name: string) =>
    `${name} is signed out immediately and cannot sign in until you activate it again. Its leads are kept.`,
  activate: "Activate",
  suspendedNow: "Partner suspended",
  activeNow: "Partner activated",
  reissue: "Replace access code",
  reissueTitle: "Replace the access code?",
  reissueText: (name: string) =>
    `${name}’s current access code and all its tokens stop working immediately. The new code is shown once.`,
  reissueConfirm: "Replace access code",
  pushedLeads: "Partner leads",
  numbers: "Results",
  numbersHint: (rate: string) =>
    `Current rate: ${rate}. Each deal keeps the rate that applied when it was created.`,
  partnerId: "Partner ID",
  credentials: "Share these credentials",
  accessCode: "Access code",
  message: "Message",
  localLinks: (origin: string) =>
    `Partners cannot open these links, because ${origin} is reachable only from this computer. Replace it with Leadport’s public URL before you send the message.`,
  copyMessage: "Copy message",
  openPartner: "Open partner",
  letter: ({ name, tenant, portal, docs, id, code }: Readonly<Record<string, string>>) =>
    `Hello ${name},

You can now submit leads to ${tenant}.

Portal: ${portal}
Partner ID: ${id}
Access code: ${code}
API documentation: ${docs}

Please store the access code safely: it cannot be shown again.`,
};

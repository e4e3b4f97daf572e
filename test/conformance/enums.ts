/** The values of statuses, sources, stages and types, in their documented order, written by hand. */

export const LEAD_SOURCES = [
  "Google",
  "Facebook",
  "Youtube",
  "Reddit",
  "Snapchat",
  "Craigslist",
  "Yelp",
  "Linkedin",
  "Incoming-Call",
  "SMS",
  "Referral",
  "Bing",
  "Yahoo",
  "Nextdoor",
  "Unknown",
  "TikTok",
  "Instagram",
  "Billboard Ad",
] as const;

export const LEAD_STATUSES = [
  "open",
  "assigned",
  "attempted",
  "contacted",
  "meeting-setup",
  "disqualified",
  "incorrect",
] as const;

export const ACCOUNT_STATUSES = [
  "open",
  "assigned",
  "attempted",
  "contacted",
  "meeting-setup",
  "customer",
  "lost-followup",
  "lost",
  "inactive",
  "incorrect",
  "disqualified",
  "prospect",
  "ex-customer",
] as const;

export const RELATIONSHIP_TYPES = ["customer", "vendor", "partner", "prospect", "other"] as const;

export const DEAL_STAGES = [
  "draft",
  "prospecting",
  "discovery",
  "developing",
  "negotiation_review",
  "contract_pending",
  "closed_won",
  "closed_lost",
] as const;

export const INVOICE_TYPES = ["sales", "credit", "refund", "reimbursement"] as const;
export const INVOICE_STAGES = [
  "draft",
  "open",
  "paid",
  "cancelled",
  "void",
  "uncollectible",
] as const;
export const ORDER_TYPES = ["sales", "quote"] as const;
export const ORDER_STAGES = ["draft", "pending", "approved", "fulfilled", "cancelled"] as const;
export const TASK_STATUSES = [
  "unassigned",
  "assigned",
  "in_progress",
  "rejected",
  "reviewsubmit",
  "reviewpass",
  "completed",
] as const;

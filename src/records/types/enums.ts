/** Enumeration values that several record types share, in the documented order. */

export const LEAD_STATUSES = [
  "open",
  "assigned",
  "attempted",
  "contacted",
  "meeting-setup",
  "disqualified",
  "incorrect",
] as const;

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

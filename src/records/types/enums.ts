/** Enumerations that several record types share, in the spec's words and order (2.1, 2.6, 3). */

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

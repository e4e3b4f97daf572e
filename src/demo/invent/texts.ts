/** Texts for the demo business, which plans and installs solar power systems. */

export const BUSINESS = "Demo Brightfield Solar";

export const NEEDS = [
  "Wants to lower the power bill of a 2,400 sq ft house. The roof faces south and was replaced in 2019.",
  "Needs backup power for a home office after two long outages last winter.",
  "Is building a barn and wants panels on it from the start.",
  "Would like a battery for panels that another company installed.",
  "Wants a quote for two EV chargers in the parking lot.",
  "Is comparing three quotes and will decide by the end of the quarter.",
  "Wants to know whether a ground mount is allowed next to a wetland.",
  "Needs a system that covers the cold rooms during the day.",
  "Has a flat roof of 40,000 sq ft and a lease that ends in 2041.",
  "Was referred by a neighbor who is very happy with the new panels.",
] as const;

export const COMMENTS = {
  attempted: [
    "Left a voicemail.",
    "Did not pick up, will try again tomorrow morning.",
    "Line was busy twice.",
    "Sent an email with the brochure, no reply yet.",
    "Asked to be called after 5 pm.",
  ],
  contacted: [
    "Good talk. Sent the price list for 8 to 12 kW.",
    "Interested, but waiting for the tax refund.",
    "Has to talk to the landlord first.",
    "Wants to see an installation nearby before deciding.",
    "Asked about financing over ten years.",
    "Roof needs an inspection before anything else.",
  ],
  "meeting-setup": [
    "Site visit scheduled.",
    "Video call with both owners.",
    "Will meet us at the trade show.",
    "Surveyor will come along to measure the roof.",
  ],
  disqualified: [
    "Rents the house; the owner is not interested.",
    "Roof is in the shade all day.",
    "Signed with a competitor last week.",
    "No reply after five attempts.",
    "Outside of our service area.",
    "Budget is far below the smallest system.",
  ],
  incorrect: ["Number is not in service.", "Email bounced.", "Never asked for a quote."],
} as const;

export const TITLES = [
  "Facility Manager",
  "Owner",
  "Operations Director",
  "Chief Financial Officer",
  "Head of Sustainability",
  "Office Manager",
  "Plant Manager",
  "Property Manager",
] as const;

export const PROFESSIONS = [
  "Teacher",
  "Nurse",
  "Architect",
  "Electrician",
  "Accountant",
  "Farmer",
  "Software developer",
  "Retired",
  "Chef",
  "Veterinarian",
] as const;

export const PRODUCTS = {
  home: [
    { product_id: "PANEL-420", label: "panels", unit_amount: 285, count: [14, 32] },
    { product_id: "BATTERY-13", label: "battery", unit_amount: 8900, count: [1, 2] },
  ],
  company: [
    { product_id: "PANEL-580", label: "panels", unit_amount: 240, count: [120, 900] },
    { product_id: "CHARGER-22", label: "EV chargers", unit_amount: 3200, count: [2, 12] },
  ],
} as const;

export const LOST_REASONS = [
  "Price",
  "Chose a competitor",
  "No budget this year",
  "Roof not suitable",
  "No decision",
] as const;

export const REJECTIONS = [
  "Already a customer of ours",
  "Phone number is not in service",
  "Outside of our service area",
  "Never asked for a quote",
  "Name and address are not real",
  "Rents the house",
] as const;

export const DUPLICATE_REJECTION = "Duplicate of an existing lead";

export const JUNK_NAMES = ["test test", "asdf qwer", "John", "Customer", "Free Solar Panels!!!"];

export const TASKS = {
  lead: ["Call {name} back", "Send the brochure to {name}", "Ask {name} for a photo of the roof"],
  deal: [
    "Send the revised quote to {name}",
    "Survey the roof of {name}",
    "Check the grid permit of {name}",
    "Prepare the contract for {name}",
  ],
  own: [
    "Review the pending partner leads",
    "Prepare the pipeline meeting",
    "Check last month's commission",
    "Plan the spring campaign",
    "Renew the contract with Sunward Referrals",
    "Order brochures for the trade show",
    "Update the price list",
    "Call the three oldest open leads",
  ],
} as const;

export const LEAD_TAGS = [
  ["battery", 5],
  ["EV charger", 3],
  ["roof replacement", 2],
  ["financing", 4],
  ["neighbor referral", 2],
  ["urgent", 1],
] as const;

/** Where records of each type are read and written. Printed by `npm run print`. */

export const RECORDS = {
  lead: {
    read: "/crm/leads/{lead_id}",
    write: "/crm/leads/{lead_id}",
    id: "lead_id",
  },
  contact: {
    read: "/crm/contacts/{contact_id}",
    write: "/crm/contacts/{contact_id}",
    id: "contact_id",
  },
  account: {
    read: "/crm/accounts/{account_id}",
    write: "/crm/accounts/{account_id}",
    id: "account_id",
  },
  deal: {
    read: "/crm/deals/{opportunity_id}",
    write: "/crm/opportunities/{opportunity_id}",
    id: "opportunity_id",
  },
  invoice: {
    read: "/crm/invoices/{invoice_id}",
    write: "/crm/invoices/{invoice_id}",
    id: "invoice_id",
  },
  order: {
    read: "/crm/orders/{order_id}",
    write: "/crm/orders/{order_id}",
    id: "order_id",
  },
  task: {
    read: "/crm/tasks/{task_id}",
    write: "/crm/tasks/{task_id}",
    id: "task_id",
  },
} as const;

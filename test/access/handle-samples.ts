/** Names and their suggested handles. The service and the migration must derive the same handles. */

export const HANDLE = /^[a-z][a-z0-9-]{1,49}$/;

export const SUGGESTED: readonly (readonly [name: string, handle: string])[] = [
  ["Nordlys AS", "nordlys-as"],
  ["ACME, Inc.", "acme-inc"],
  ["  spaced  out  ", "spaced-out"],
  ["Café Öland", "cafe-oland"],
  ["Ｗｉｄｅ ①", "wide-1"],
  ["a-2", "a-2"],
  ["x--y", "x-y"],
  ["3M", "tenant-3m"],
  ["A", "tenant-a"],
  ["7", "tenant-7"],
  ["東京", "tenant"],
  ["Ромашка", "tenant"],
  ["🙂", "tenant"],
  ["---", "tenant"],
  ["\n\u202E", "tenant"],
  ["'; drop table tenants; --", "drop-table-tenants"],
  ["abcdef01-2345-6789-abcd-ef0123456789", "tenant-abcdef01-2345-6789-abcd-ef0123456789"],
  ["ABCDEF01-2345-6789-ABCD-EF0123456780", "tenant-abcdef01-2345-6789-abcd-ef0123456780"],
  ["12345678-2345-6789-abcd-ef0123456789", "tenant-12345678-2345-6789-abcd-ef0123456789"],
  ["x".repeat(200), "x".repeat(50)],
  [`${"y".repeat(49)} z`, "y".repeat(49)],
  ["9".repeat(60), `tenant-${"9".repeat(43)}`],
];

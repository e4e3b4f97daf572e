/** The address of a PostgreSQL server, which may change while the service is running: a TCP address or the path of a socket. */
export type ServerAddress =
  | { readonly host: string; readonly port: number }
  | { readonly path: string };

/** Returns the port that a started command prints; undefined until the whole number was printed. */
export const listeningPort = (out: string): number | undefined => {
  const [, port] = /port (\d+)(?=[ .])/.exec(out) ?? [];
  return port === undefined ? undefined : Number(port);
};

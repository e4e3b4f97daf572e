/** Returns the port in a command's output, or undefined until the complete number has been printed. */
export const listeningPort = (out: string): number | undefined => {
  const [, port] = /port (\d+)(?=[ .])/.exec(out) ?? [];
  return port === undefined ? undefined : Number(port);
};

/**
 * What lists of processes are to show of a command line that contains secrets, so that other users of the machine do not read them
 * there; `undefined` if it contains none.
 *
 * @param name of the program
 * @param args behind the name
 */
export function titleWithout(secrets: readonly string[], name: string, args: readonly string[]): string | undefined {
  if (secrets.length === 0) return undefined;
  const shown = args.map((arg) => (secrets.some((secret) => arg.includes(secret)) ? '***' : arg));
  return [name, ...shown].join(' ');
}

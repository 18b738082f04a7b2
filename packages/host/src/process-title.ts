/**
 * Returns a process title that masks the secrets of a command line, because other users of the machine can list processes. Returns
 * `undefined` if there are no secrets.
 *
 * @param name name of the program
 * @param args arguments after the name
 */
export function titleWithout(secrets: readonly string[], name: string, args: readonly string[]): string | undefined {
  if (secrets.length === 0) return undefined;
  const shown = args.map((arg) => (secrets.some((secret) => arg.includes(secret)) ? '***' : arg));
  return [name, ...shown].join(' ');
}

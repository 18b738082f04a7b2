/**
 * Formats a resource URI such as `git://{repo}/blob/{rev}/{+path}`.
 *
 * @param parts unencoded variables; slashes are encoded except in a path, which is every part after the first
 */
export function formatGitUri(repository: string, kind: string, ...parts: readonly string[]): string {
  const [first, ...path] = parts;
  const named = [repository, kind, ...(first === undefined ? [] : [first])].map(encodeURIComponent);
  return `git://${[...named, ...path.flatMap((each) => each.split('/').map(encodeURIComponent))].join('/')}`;
}

/**
 * The URI of something in a repository, such as `git://{repo}/blob/{rev}/{+path}`.
 *
 * @param parts as they are; slashes stay in the last one of a URI that ends with a path
 */
export function gitUri(repository: string, kind: string, ...parts: readonly string[]): string {
  const [first, ...path] = parts;
  const named = [repository, kind, ...(first === undefined ? [] : [first])].map(encodeURIComponent);
  return `git://${[...named, ...path.flatMap((each) => each.split('/').map(encodeURIComponent))].join('/')}`;
}

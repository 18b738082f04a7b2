/** The URI of something in a repository: `git://{repo}/{kind}/…`, each part as it is. */
export function gitUri(repository: string, ...parts: readonly string[]): string {
  return `git://${encodeURIComponent(repository)}/${parts.join('/')}`;
}

/** A path as a part of a URI. */
export function uriPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

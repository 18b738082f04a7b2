import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * The resource whose metadata (RFC 9728) stands at the path of a request: `/.well-known/oauth-protected-resource` with the
 * resource's own path, or alone where there is but one resource.
 */
export function resourceAt(path: string, resources: readonly URL[]): URL | undefined {
  if (!path.startsWith(WELL_KNOWN)) return undefined;
  const asked = path.replace(/\/$/, '');
  const named = resources.find((resource) => new URL(getOAuthProtectedResourceMetadataUrl(resource)).pathname === asked);
  return named ?? (asked === WELL_KNOWN && resources.length === 1 ? resources[0] : undefined);
}

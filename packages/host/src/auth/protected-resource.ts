const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * Where clients look for the metadata of an endpoint (RFC 9728): `/.well-known/oauth-protected-resource` with the endpoint's own
 * path, and alone where there is but one endpoint.
 */
export function metadataPaths(path: string, isOnly: boolean): readonly string[] {
  return [`${WELL_KNOWN}${path}`, ...(isOnly ? [WELL_KNOWN] : [])];
}

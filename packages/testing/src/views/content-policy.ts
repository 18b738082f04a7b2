import type { AppSettings } from '@org/mcp-decorators';

/** Settings of a view in `_meta.ui` of its resource, as far as they concern its content. */
export type ContentSettings = Pick<AppSettings, 'csp'> & {
  /** An empty object for each permission. */
  readonly permissions?: Readonly<Record<string, object>>;
};

/** Returns the content security policy with which hosts show a view: scripts and styles of the document itself, and the declared origins. */
export function createContentPolicy({ csp = {} }: Pick<ContentSettings, 'csp'>): string {
  const { connectDomains = [], resourceDomains = [], frameDomains = [], baseUriDomains = [] } = csp;
  const own = ["'self'", "'unsafe-inline'", ...resourceDomains];
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'none'"],
    'script-src': own,
    'style-src': own,
    'img-src': ["'self'", 'data:', ...resourceDomains],
    'font-src': ["'self'", ...resourceDomains],
    'media-src': ["'self'", 'data:', ...resourceDomains],
    'connect-src': orNone(connectDomains),
    'frame-src': orNone(frameDomains),
    'base-uri': orNone(baseUriDomains),
    'form-action': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

function orNone(sources: readonly string[]): readonly string[] {
  return sources.length === 0 ? ["'none'"] : sources;
}

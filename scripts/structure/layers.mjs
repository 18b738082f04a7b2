/**
 * The layers of folders, from the bottom up. A file imports only from its own folder and from lower layers; the folders of
 * one layer do not import each other. Names that are not listed, such as `index.ts`, are above all layers.
 */
const LAYERS = {
  'packages/decorators/src': ['metadata results text', 'decorators schema', 'compile', 'runtime', 'confirm'],
  'packages/roots/src': ['errors', 'paths', 'pinning', 'boundary policy', 'resolving', 'handles', 'roots.ts'],
  'packages/watch/src': ['system', 'directories', 'resources', 'targets', 'checks', 'watch-hub.ts'],
  'packages/host/src': [
    'process protocol shared-state',
    'bus http-messages options',
    'auth directories info',
    'server sessions',
    'http stdio',
    'cli',
  ],
  'packages/testing/src': ['session compatibility', 'views'],
  'packages/views/src': ['client text', 'parts', 'diff show-view.tsx'],
  'servers/fs/src': [
    'documents storage text version.ts',
    'journal walk',
    'archives change edits search',
    'rewind threads',
    'conversion',
    'tools',
    'resources filesystem-options.ts',
    'prompts filesystem-runtime.ts',
    'filesystem-server.ts',
  ],
  'servers/git/src': ['git-options.ts text version.ts', 'repository', 'tools', 'features', 'git-runtime.ts', 'git-server.ts'],
  'servers/git/src/repository': [
    'parse',
    'process',
    'guard',
    'repository.ts',
    'hooks.ts new-repository.ts refs signing.ts',
    'repositories.ts work-tree',
    'content remotes',
    'integrate overlap',
    'rewind',
  ],
  'servers/sql/src': [
    'catalog rows sql-options.ts version.ts view-documents.ts',
    'engine',
    'result-store',
    'tools',
    'prompts resources',
    'postgres saved-queries',
    'postgres-options.ts runtime',
    'sql-server.ts',
    'postgres-server.ts',
  ],
  'servers/sql/src/postgres/database': [
    'protocol ssh',
    'errors read-kind.ts',
    'libpq',
    'connect',
    'cost.ts embedded pool',
    'query',
    'listen progress',
    'writer.ts',
    'database.ts',
    'read.ts',
    'stream.ts',
  ],
  'servers/sql/src/postgres/policy': [
    'parse',
    'fingerprint.ts functions require-read-only.ts sizes',
    'masks numbers',
    'policy.ts',
  ],
};

/** Returns a line for each import of a tree that goes neither to the importing file's own folder nor to a lower layer. */
export function upwardImports({ files }) {
  return Object.entries(LAYERS).flatMap(([folder, layers]) => {
    const heights = new Map(layers.flatMap((names, height) => names.split(' ').map((name) => [`${folder}/${name}`, height])));
    const placeOf = (path) => [...heights.keys()].find((place) => path === place || path.startsWith(`${place}/`));
    return [...files].flatMap(([file, { imports }]) => {
      const place = placeOf(file);
      if (place === undefined) return [];
      const isUpward = (path) =>
        path.startsWith(`${folder}/`) && placeOf(path) !== place && !(heights.get(placeOf(path)) < heights.get(place));
      return imports.filter(isUpward).map((imported) => `${file} → ${imported}`);
    });
  });
}

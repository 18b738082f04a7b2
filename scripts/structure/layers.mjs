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
    'resources',
    'prompts saved-queries',
    'postgres runtime',
    'postgres-options.ts',
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

/** Folders that a folder must not import although they are in a lower layer, or below the layer of a folder around it. */
const FORBIDDEN = {
  'packages/decorators/src/runtime': ['packages/decorators/src/decorators'],
  'servers/sql/src/runtime': ['servers/sql/src/prompts'],
  'servers/sql/src/postgres/catalog': ['servers/sql/src/prompts', 'servers/sql/src/result-store'],
  'servers/sql/src/postgres/database': ['servers/sql/src/prompts', 'servers/sql/src/result-store'],
  'servers/sql/src/postgres/policy': ['servers/sql/src/prompts', 'servers/sql/src/result-store'],
};

/**
 * Returns a line for each import of a tree that goes neither to the importing file's own folder nor to a lower layer, and for each
 * file in a folder without a layer.
 */
export function upwardImports(tree) {
  return [
    ...Object.entries(LAYERS).flatMap(([folder, layers]) => importsToHigherLayers(tree, folder, layers)),
    ...forbiddenImports(tree),
  ];
}

function importsToHigherLayers({ files }, folder, layers) {
  const heights = new Map(layers.flatMap((names, height) => names.split(' ').map((name) => [`${folder}/${name}`, height])));
  const placeOf = (path) => [...heights.keys()].find((place) => isIn(place, path));
  return [...files].flatMap(([file, { imports }]) => {
    const place = placeOf(file);
    if (place === undefined)
      return file.startsWith(`${folder}/`) && file.slice(folder.length + 1).includes('/') ? [`${file}: no layer`] : [];
    const isUpward = (path) =>
      isIn(folder, path) && placeOf(path) !== place && !(heights.get(placeOf(path)) < heights.get(place));
    return imports.filter(isUpward).map((imported) => `${file} → ${imported}`);
  });
}

function forbiddenImports({ files }) {
  return [...files].flatMap(([file, { imports }]) => {
    const [, targets = []] = Object.entries(FORBIDDEN).find(([folder]) => isIn(folder, file)) ?? [];
    return imports.filter((path) => targets.some((target) => isIn(target, path))).map((imported) => `${file} → ${imported}`);
  });
}

function isIn(folder, path) {
  return path === folder || path.startsWith(`${folder}/`);
}

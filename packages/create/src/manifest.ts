import { OWN_MANIFEST } from './own-manifest.ts';

const DEPENDENCIES = ['@org/mcp-decorators', '@org/mcp-host', 'class-validator'];
const DEVELOPMENT_DEPENDENCIES = ['@org/mcp-testing', '@types/node', 'esbuild', 'typescript', 'vitest'];

/** Formats the `package.json` of a new package. */
export function formatManifest(name: string): string {
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: OWN_MANIFEST.engines,
    scripts: {
      build: 'tsc -p tsconfig.build.json',
      test: 'tsc && vitest run --globals',
      start: 'node dist/main.js',
      bundle: 'tsc -p tsconfig.build.json && node bundle.mjs',
    },
    dependencies: selectVersions(DEPENDENCIES),
    devDependencies: selectVersions(DEVELOPMENT_DEPENDENCIES),
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** Returns the versions in the manifest of this package, so that each version is written once and all are tested together. */
function selectVersions(names: readonly string[]): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(names.map((name) => [name, OWN_MANIFEST.devDependencies[name]]));
}

import { run } from './run.mjs';

/** Builds the site of the documentation into a directory. Resolves to the exit code and the output of VitePress. */
export function buildSite(directory) {
  return run('vitepress', ['build', 'docs', '--outDir', directory], { variables: { NO_COLOR: '1' } });
}

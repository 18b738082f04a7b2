import path from 'node:path';

/** Paths of files with commands that editors, agents and git run without a prompt for each command. */
const PATHS: readonly RegExp[] = [
  /\/\.(?:vscode|cursor|windsurf)\/(?:tasks|settings|launch|extensions|mcp|hooks)\.json$/,
  /\/[^/]*\.code-workspace$/,
  /\/\.(?:claude|gemini)\/settings(?:\.local)?\.json$/,
  /\/\.mcp\.json$/,
  /\/\.(?:husky|githooks)\/[^/]+$/,
  /\/\.git(?:attributes|config|modules)$/,
  /\/(?:\.?lefthook(?:-local)?\.ya?ml|\.pre-commit-config\.yaml)$/,
  /\/\.envrc$/,
  /\/\.devcontainer(?:\/|\.json$)/,
  /\/\.idea\/workspace\.xml$/,
];

/** Returns the name of a file whose commands other programs run automatically, or `undefined` for any other file. */
export function runsByItself(given: string): string | undefined {
  const folded = given.replaceAll(path.sep, '/').toLowerCase();
  return PATHS.some((pattern) => pattern.test(`/${folded}`)) ? path.basename(given) : undefined;
}

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** Scope and repository in the sources. */
const DEFAULT_SCOPE = '@org';
const DEFAULT_REPOSITORY = 'org/mcp';

const SCOPE = /^@[a-z0-9][a-z0-9-]*$/;
const REPOSITORY = /^[a-z0-9][a-z0-9-]*\/[a-z0-9._-]+$/i;
const TEXTS = new Set(['.js', '.cjs', '.mjs', '.ts', '.mts', '.json', '.map', '.md', '.txt', '']);

/**
 * Returns the npm scope and the GitHub repository under which the packages are published: the variables MCP_SCOPE and
 * MCP_REPOSITORY, or the names in the sources. Throws if a name is invalid.
 */
export function readTarget({ MCP_SCOPE: scope = DEFAULT_SCOPE, MCP_REPOSITORY: repository = DEFAULT_REPOSITORY } = process.env) {
  if (!SCOPE.test(scope)) throw new Error(`MCP_SCOPE must be a scope such as @example, not "${scope}"`);
  if (!REPOSITORY.test(repository))
    throw new Error(`MCP_REPOSITORY must be an owner and a name such as example/mcp, not "${repository}"`);
  return { scope, repository };
}

/** Replaces the scope of the sources, the address of their repository and the namespace of the MCP Registry in a text. */
export function retarget(text, { scope, repository }) {
  const [owner] = repository.split('/');
  return text
    .replaceAll(`${DEFAULT_SCOPE}/`, `${scope}/`)
    .replaceAll(`github.com/${DEFAULT_REPOSITORY}`, `github.com/${repository}`)
    .replaceAll('io.github.org/', `io.github.${owner}/`);
}

/** Rewrites all text files below a directory. Texts are read as bytes, because a program may contain any character. */
export function retargetDirectory(directory, target) {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !TEXTS.has(extname(entry.name))) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'latin1');
    const rewritten = retarget(text, target);
    if (rewritten !== text) writeFileSync(file, rewritten, 'latin1');
  }
}

import { bytesOfPath, spellPath } from './path-bytes.ts';
import { pathInside, pathsInside } from './paths.ts';
import type { Repository } from './repository.ts';

/** Which files a command looks at, as its last arguments, and the environment that they are to be read in. */
export interface Pathspecs {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Files at or below some paths whose names fit one of some patterns; a pattern without a slash fits at any depth.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, INVALID_PATH
 */
export function pathspecs(repository: Repository, paths: readonly string[] = [], globs: readonly string[] = []): Pathspecs {
  const inside = pathsInside(repository, paths);
  if (globs.length === 0) return { args: ['--', ...inside], env: {} };
  const below = inside.length === 0 || inside.includes('.') ? [''] : inside.map((path) => `${literal(latin(path))}/`);
  const patterns = globs.map((glob) => anyDepth(latin(pathInside(repository, glob))));
  // Whatever a pattern begins with, its magic is already said.
  const specs = below
    .flatMap((path) => patterns.map((pattern) => `:(top,glob)${path}${pattern}`))
    .map((spec) => spellPath(Buffer.from(spec, 'latin1')));
  return { args: ['--', ...specs], env: { GIT_LITERAL_PATHSPECS: '0' } };
}

/** Every byte is a character, so that what is joined is spelled as a whole. */
function latin(path: string): string {
  return bytesOfPath(path).toString('latin1');
}

function anyDepth(pattern: string): string {
  return pattern.includes('/') ? pattern : `**/${pattern}`;
}

function literal(path: string): string {
  return path.replaceAll(/[*?[\]\\]/g, String.raw`\$&`);
}

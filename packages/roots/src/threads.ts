export { compileGlob, type GlobMatcher } from './policy/glob.ts';
export { GlobError } from './policy/glob-braces.ts';
export { foldName } from './paths/fold-name.ts';
export { isLinkTextInside } from './paths/link-text.ts';
export { walkDenials, type Denials, type WalkDenials } from './policy/walk-denials.ts';
export type { WorkerScope } from './policy/worker-scope.ts';

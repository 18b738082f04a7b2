export { compileGlob, GlobError, type GlobMatcher } from './policy/glob.ts';
export { foldName } from './paths/fold-name.ts';
export { namesOnlyInside } from './paths/link-text.ts';
export { walkDenials, type Denials, type WalkDenials } from './policy/walk-denials.ts';
export type { ThreadGround } from './handles/thread-ground.ts';

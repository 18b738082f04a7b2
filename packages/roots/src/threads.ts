export { compileGlob, GlobError, type GlobMatcher } from './policy/glob.ts';
export { walkDenials, type Denials } from './policy/walk-denials.ts';
export type { ThreadGround } from './handles/thread-ground.ts';

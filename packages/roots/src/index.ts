export { Roots, RootError, type RootDirectory } from './roots.ts';
export type { VerifiedPath } from './verified-path.ts';
export { refused, spelled } from './failures.ts';

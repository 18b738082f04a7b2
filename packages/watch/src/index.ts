export { directoryResource } from './resources/directory-resource.ts';
export { fileResource } from './resources/file-resource.ts';
export type { WatchTarget, WatchedResource } from './resources/watched-resource.ts';
export { WatchHub, type WatchHubOptions } from './watch-hub.ts';

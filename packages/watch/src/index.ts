export { directorySubject } from './directory-subject.ts';
export { fileSubject } from './file-subject.ts';
export type { Place, Subject } from './subject.ts';
export { WatchHub, type WatchHubOptions } from './watch-hub.ts';

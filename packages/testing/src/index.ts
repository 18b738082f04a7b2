export { surface, type Surface } from './surface.ts';
export { connect, connectProcess } from './connect.ts';
export type { ResourceUpdates } from './resource-updates.ts';
export { ERAS, REVISIONS, Session, type Era, type SessionOptions } from './session.ts';

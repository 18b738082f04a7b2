export { connect, connectProcess } from './connect.ts';
export { ERAS, REVISIONS, Session, type Era, type SessionOptions } from './session.ts';

export type {
  AnsweredRoot,
  AnsweringOptions,
  Answers,
  Elicitation,
  ElicitationAnswer,
  ElicitationRequest,
  PageAnswer,
  PageRequest,
} from './answers.ts';
export { expectCompatible, type CompatibilityOptions } from './compatibility/expect-compatible.ts';
export { connect, connectHttp, connectProcess, connectUrl, type ServiceOptions } from './connect.ts';
export { eachTransport, type CaseOptions, type ServedBy, type TransportCase } from './each-transport.ts';
export { ERAS, REVISIONS, type Era } from './era.ts';
export type { PendingCall } from './pending-call.ts';
export { runProgram, startProgram, type ProgramEnd, type RunningProgram } from './program.ts';
export type { Received } from './received.ts';
export type { ResourceUpdates } from './resource-updates.ts';
export { Session, type SessionOptions } from './session.ts';
export { surface, type Surface } from './surface.ts';

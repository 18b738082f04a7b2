export type {
  ReportedRoot,
  AnswerOptions,
  Answers,
  Elicitation,
  ElicitationAnswer,
  ElicitationRequest,
  PageAnswer,
  PageRequest,
} from './session/answers.ts';
export { expectCompatible, type CompatibilityOptions } from './compatibility/expect-compatible.ts';
export { connect, connectHttp, connectProcess, connectUrl, type ServiceOptions } from './connect.ts';
export { eachTransport, type CaseOptions, type ServerForms, type TransportCase } from './each-transport.ts';
export { ERAS, REVISIONS, type Era } from './session/era.ts';
export type { PendingCall } from './session/session.ts';
export { runProgram, startProgram, type ProgramEnd, type RunningProgram } from './program.ts';
export type { Received } from './session/inbox.ts';
export type { ResourceUpdates } from './session/session.ts';
export { Session, type SessionOptions } from './session/session.ts';
export { surface, type Surface } from './surface.ts';

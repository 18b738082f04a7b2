export type { AnsweredRoot, AnsweringOptions, Answers, Elicitation, ElicitationAnswer, ElicitationRequest } from './answers.ts';
export { connect, connectProcess } from './connect.ts';
export { ERAS, REVISIONS, type Era } from './era.ts';
export type { PendingCall } from './pending-call.ts';
export { runProgram, startProgram, type ProgramEnd, type RunningProgram } from './program.ts';
export type { Received } from './received.ts';
export type { ResourceUpdates } from './resource-updates.ts';
export { Session, type SessionOptions } from './session.ts';
export { surface, type Surface } from './surface.ts';

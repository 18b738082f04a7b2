import type { Area } from './client/area.ts';
import { batches } from './areas/transports/batches.ts';
import { cancellation } from './areas/cancellation.ts';
import { changes } from './areas/changes.ts';
import { completion } from './areas/completion.ts';
import { content } from './areas/content.ts';
import { elicitation } from './areas/elicitation.ts';
import { handshake } from './areas/handshake.ts';
import { http } from './areas/transports/http.ts';
import { listening } from './areas/listening.ts';
import { lists } from './areas/lists.ts';
import { logging } from './areas/logging.ts';
import { malformed } from './areas/malformed.ts';
import { messages } from './areas/messages.ts';
import { progress } from './areas/progress.ts';
import { prompts } from './areas/prompts.ts';
import { resources } from './areas/resources.ts';
import { roots } from './areas/roots.ts';
import { rounds } from './areas/rounds.ts';
import { sampling } from './areas/sampling.ts';
import { sessions } from './areas/transports/sessions.ts';
import { sse } from './areas/transports/sse.ts';
import { statelessHttp } from './areas/transports/stateless-http.ts';
import { statelessMessages } from './areas/stateless-messages.ts';
import { stdio } from './areas/transports/stdio.ts';
import { tools } from './areas/tools.ts';
import { versions } from './areas/versions.ts';

/** All tests, by area of the protocol. */
export const AREAS: Readonly<Record<string, Area>> = {
  messages,
  'messages without sessions': statelessMessages,
  handshake,
  versions,
  tools,
  content,
  resources,
  prompts,
  lists,
  completion,
  logging,
  progress,
  cancellation,
  changes,
  listening,
  elicitation,
  roots,
  sampling,
  rounds,
  'malformed messages': malformed,
  batches,
  HTTP: http,
  sessions,
  'HTTP without sessions': statelessHttp,
  'server-sent events': sse,
  stdio,
};
